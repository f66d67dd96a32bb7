//! JWT-style tokens: three segments, the last of them a fixed text that is never checked.
//!
//! They are unsigned by the documents' design: anyone who can write base64 can make one for any user. Reading one
//! therefore trusts nothing in it but the e-mail it names and its expiry; what that user may do is looked up elsewhere.

use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};
use serde_json::{Value, json};

use crate::accounts::user::User;
use crate::json_body::text;
use libros_server_query::json;
use libros_server_system::clock::Timestamp;

pub(crate) const LIFETIME_S: i64 = 24 * 60 * 60;

// rule: tokens/final-placeholder
const PLACEHOLDER: &str = "unsigned-placeholder";

/// Base64 with padding or without, and trailing bits of any value.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub(crate) fn issue(user: &User, now: Timestamp) -> String {
    // rule: tokens/header
    let header = json!({ "alg": "HS256", "typ": "JWT" });
    // rule: tokens/payload-fields, tokens/payload-identity
    let payload = json!({
        "email": user.email,
        "userId": user.id,
        "role": user.role,
        "permissions": user.permissions.names,
        // rule: tokens/iat
        "iat": now.seconds(),
        // rule: tokens/exp, tokens/day
        "exp": now.seconds() + LIFETIME_S,
    });
    // rule: tokens/segments, tokens/alphabet
    format!("{}.{}.{PLACEHOLDER}", STANDARD.encode(json::write(&header)), STANDARD.encode(json::write(&payload)))
}

/// The e-mail in `token`; `None` if the token is malformed or expired.
pub(crate) fn email(token: &str, now: Timestamp) -> Option<String> {
    let segments: Vec<&str> = token.split('.').collect();
    // rule: tokens/segments-wrong, tokens/header-unread, tokens/final-unverified
    let &[_header, payload, _signature] = segments.as_slice() else { return None };
    // rule: tokens/either-alphabet
    let payload = LENIENT.decode(payload.replace('-', "+").replace('_', "/")).ok()?;
    // rule: tokens/payload-undecodable, errors/text-after-json, tokens/payload-not-object
    let Ok(Value::Object(mut payload)) = json::parse(&payload) else { return None };
    // In seconds; anything but a number counts as past.
    // rule: tokens/exp-past, tokens/exp-now, tokens/exp-zero, tokens/exp-odd
    let is_in_future = |exp: &Value| exp.as_f64().is_some_and(|exp_s| exp_s * 1000.0 > now.millis() as f64);
    // rule: tokens/exp-absent
    if !payload.get("exp").is_none_or(is_in_future) {
        return None;
    }
    // rule: tokens/stored-user-counts
    text(&mut payload, "email").ok()
}
