//! An independent reading of JWT-style tokens: the bytes and the JSON of their segments. Verifies nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde_json::Value;

/// The bytes of a segment in base64 or base64url, padded or not; `None` when it is neither.
pub fn decoded(segment: &str) -> Option<Vec<u8>> {
    STANDARD_NO_PAD.decode(segment.trim_end_matches('=').replace('-', "+").replace('_', "/")).ok()
}

/// The JSON of an issued token's segment, counted from 0; `None` when there is none.
pub fn json_of_segment(token: &str, index: usize) -> Option<Value> {
    serde_json::from_slice(&decoded(token.split('.').nth(index)?)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_alphabet_is_decoded() {
        assert_eq!(decoded("Pz8_"), decoded("Pz8/"));
        assert_eq!(decoded("PQ=="), Some(b"=".to_vec()));
        assert_eq!(decoded("%%%"), None);
    }
}
