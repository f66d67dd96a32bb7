//! API keys: their form, how they are shown and compared.

use crate::impostor::model::records::Client;
use crate::impostor::model::secrets;

/// `ak_` and 32 digits.
pub(crate) fn new_key() -> String {
    format!("ak_{}", secrets::random_hex(16))
}

/// The first 8 characters, followed by three dots.
pub(crate) fn masked(key: &str) -> String {
    format!("{}...", key.get(..8).unwrap_or(key))
}

/// Whether the key is the client's.
pub(crate) fn is_key_of(client: &Client, key: &str) -> bool {
    client.key == key
}
