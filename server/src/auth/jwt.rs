//! JWT-style tokens: three segments, the last of them a fixed text that nobody checks.
//!
//! They are unsigned by the documents' design: whoever can write base64 can make one for any user. Reading one
//! therefore trusts nothing in it but the e-mail it names and its expiry; what that user may do is looked up elsewhere.

use crate::accounts::user::User;
use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Value, json};

use crate::clock::Timestamp;
use crate::json;

/// Life of a token in seconds.
pub(crate) const LIFETIME_S: i64 = 24 * 60 * 60;

/// What stands where a signature would.
// rule: tokens/final-placeholder
const PLACEHOLDER: &str = "unsigned-placeholder";

/// Base64 as it comes: with padding or without, trailing bits of any value.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// A token for `user`, valid for 24 hours from `now`.
#[must_use]
pub(crate) fn issue(user: &User, now: Timestamp) -> String {
    // rule: tokens/header
    let header = json!({ "alg": "HS256", "typ": "JWT" });
    // rule: tokens/payload-fields, tokens/payload-identity
    let payload = json!({
        "email": user.email,
        "userId": user.id,
        "role": user.role,
        "permissions": user.permissions.names(),
        // rule: tokens/iat
        "iat": now.seconds(),
        // rule: tokens/exp, tokens/day
        "exp": now.seconds() + LIFETIME_S,
    });
    // rule: tokens/segments, tokens/alphabet
    format!("{}.{}.{PLACEHOLDER}", STANDARD.encode(json::write(&header)), STANDARD.encode(json::write(&payload)),)
}

/// The e-mail that `token` names; `None` when it is malformed or its time is over.
#[must_use]
pub(crate) fn email(token: &str, now: Timestamp) -> Option<String> {
    let mut segments = token.split('.');
    // rule: tokens/segments-wrong, tokens/header-unread, tokens/final-unverified
    let (Some(_header), Some(payload), Some(_signature), None) =
        (segments.next(), segments.next(), segments.next(), segments.next())
    else {
        return None;
    };
    // rule: tokens/payload-undecodable, errors/text-after-json, tokens/payload-not-object
    let Ok(Value::Object(mut payload)) = json::parse(&decode(payload)?) else {
        return None;
    };
    // rule: tokens/exp-absent
    if let Some(exp) = payload.get("exp")
        && !is_in_future(exp, now)
    {
        return None;
    }
    // rule: tokens/stored-user-counts
    match payload.remove("email") {
        Some(Value::String(email)) => Some(email),
        _ => None,
    }
}

/// Whether an `exp` that is present, in seconds, lies after `now`; anything but a number does not.
fn is_in_future(exp: &Value, now: Timestamp) -> bool {
    // rule: tokens/exp-past, tokens/exp-now, tokens/exp-zero, tokens/exp-odd
    exp.as_f64().is_some_and(|exp_s| exp_s * 1000.0 > now.millis() as f64)
}

/// The bytes of a base64 text in the standard or the URL alphabet.
fn decode(segment: &str) -> Option<Vec<u8>> {
    let standard: String = segment
        .chars()
        .map(|c| match c {
            // rule: tokens/either-alphabet
            '-' => '+',
            '_' => '/',
            other => other,
        })
        .collect();
    // rule: tokens/either-alphabet
    LENIENT.decode(standard).ok()
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
    use proptest::prelude::*;

    use super::*;
    use crate::crypto::password::PasswordHash;

    const NOW: Timestamp = Timestamp(1_767_323_045_678);

    fn user(nombre: &str) -> User {
        let nombre = Some(json!(nombre));
        let hash = PasswordHash::from("kept".to_owned());
        User::new(3, format!("{nombre:?}@example.org"), hash, nombre, json!("moderator"), NOW)
    }

    fn with_payload(payload: &str) -> String {
        format!("x.{}.y", STANDARD.encode(payload))
    }

    fn check(token: &str, expected: Option<&str>) {
        assert_eq!(email(token, NOW).as_deref(), expected, "{token}");
    }

    #[test]
    fn an_issued_token_has_the_documents_segments() {
        let token = issue(&user("ñ"), NOW);
        let segments: Vec<&str> = token.split('.').collect();
        assert_eq!(segments.len(), 3);
        assert_eq!(STANDARD.decode(segments[0]).expect("base64"), br#"{"alg":"HS256","typ":"JWT"}"#);
        let payload: Value = serde_json::from_slice(&STANDARD.decode(segments[1]).expect("base64")).expect("json");
        assert_eq!(
            payload,
            json!({
                "email": user("ñ").email,
                "userId": "user_3",
                "role": "moderator",
                "permissions": ["read:libros", "write:libros", "delete:libros"],
                "iat": 1_767_323_045,
                "exp": 1_767_409_445,
            })
        );
    }

    #[test]
    fn an_issued_token_counts_until_its_exp() {
        let token = issue(&user("a"), NOW);
        let last = Timestamp((NOW.seconds() + LIFETIME_S) * 1000 - 1);
        assert!(email(&token, last).is_some());
        assert!(email(&token, last.plus_ms(1)).is_none());
    }

    #[test]
    fn either_alphabet_and_padding_is_read() {
        let payload = r#"{"email":"~~~???>>>@ü"}"#;
        for text in [STANDARD.encode(payload), URL_SAFE.encode(payload), URL_SAFE_NO_PAD.encode(payload)] {
            check(&format!(".{text}."), Some("~~~???>>>@ü"));
        }
    }

    #[test]
    fn neither_header_nor_signature_is_looked_at() {
        let good = with_payload(r#"{"email":"a"}"#);
        let payload = good.split('.').nth(1).expect("a payload");
        for (header, signature) in [("", ""), ("%%%", "forged"), ("e30=", " ")] {
            check(&format!("{header}.{payload}.{signature}"), Some("a"));
        }
    }

    #[test]
    fn exactly_three_segments_are_asked_for() {
        let payload = STANDARD.encode(r#"{"email":"a"}"#);
        for token in [String::new(), payload.clone(), format!("x.{payload}"), format!("x.{payload}.y.z")] {
            check(&token, None);
        }
    }

    #[test]
    fn a_payload_that_is_no_object_with_an_email_is_refused() {
        for payload in ["", "a", "null", "[]", "\"a\"", "{", "{}", r#"{"email":5}"#, r#"{"email":null}"#] {
            check(&with_payload(payload), None);
        }
        check("x.*.y", None);
        check(&format!("x.{}.y", STANDARD.encode([0xff, 0xfe])), None);
    }

    #[test]
    fn a_present_exp_must_be_a_future_number() {
        for (exp, counts) in [
            ("1767323045.679", true),
            ("1767323046", true),
            ("1e300", true),
            ("1767323045.678", false),
            ("1767323045", false),
            ("0", false),
            ("-1", false),
            ("null", false),
            ("\"9999999999\"", false),
            ("true", false),
            ("[9999999999]", false),
        ] {
            let token = with_payload(&format!(r#"{{"email":"a","exp":{exp}}}"#));
            check(&token, counts.then_some("a"));
        }
    }

    proptest! {
        #[test]
        fn any_user_reads_back_and_no_text_panics(nombre in ".*", junk in ".*") {
            let user = user(&nombre);
            let issued = email(&issue(&user, NOW), NOW);
            prop_assert_eq!(issued.as_deref(), Some(user.email.as_str()));
            let _ = email(&junk, NOW);
            let _ = email(&format!("a.{junk}.b"), NOW);
        }
    }
}
