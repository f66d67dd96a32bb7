//! JWT-style tokens as texts: issued with a placeholder for a signature, which is never checked.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde_json::{Value, json};

use crate::clock::SECOND_MS;
use crate::records::User;

pub const PLACEHOLDER: &str = "firma_no_calculada";

/// The second segment, before it is encoded.
pub fn payload(user: &User, now: i64) -> Value {
    let iat = now.div_euclid(SECOND_MS);
    json!({
        "email": user.email,
        "userId": user.id,
        "role": user.role,
        "permissions": user.permissions,
        "iat": iat,
        "exp": iat + 86_400,
    })
}

/// Whether a presented token has three segments; what the first and the last hold does not matter.
pub fn well_formed(segments: &[&str]) -> bool {
    segments.len() == 3
}

/// Whether `exp` is present, but is not a number in the future. `now` is in seconds.
pub fn expired(exp: Option<&Value>, now: f64) -> bool {
    exp.is_some_and(|exp| exp.as_f64().is_none_or(|exp| exp <= now))
}

/// Decodes JSON from base64 of either alphabet, padded or not.
pub fn decode(segment: &str) -> Option<Value> {
    let plain = segment.trim_end_matches('=').replace('-', "+").replace('_', "/");
    serde_json::from_slice(&STANDARD_NO_PAD.decode(plain).ok()?).ok()
}
