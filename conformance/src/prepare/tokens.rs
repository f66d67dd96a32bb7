//! JWT-style tokens: taking issued ones apart, and making ones of a case's own.
//!
//! A made token stays clear of what is open: its payload has no character on which base64 and base64url differ, and a length
//! that needs no padding, so that every accepted reading decodes it alike.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde_json::Value;

use crate::case::Stop;

/// `{"alg":"HS256","typ":"JWT"}` in base64 of any kind.
pub const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/// Makes tokens that end as the target's own do.
#[derive(Debug, Clone)]
pub struct Mint {
    /// The final segment of issued tokens.
    pub last: String,
}

impl Mint {
    /// From an issued token.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when that has no three segments.
    pub fn of(issued: &str) -> Result<Self, Stop> {
        let (_, last) = cut(issued)?;
        Ok(Self { last })
    }

    /// A token with that payload.
    pub fn token(&self, payload: &Value) -> String {
        self.token_of_text(&payload.to_string())
    }

    /// A token whose payload is that text, JSON or not; spaces are added to it so that no padding is needed.
    pub fn token_of_text(&self, payload: &str) -> String {
        self.token_of_segment(&segment_of_text(payload))
    }

    /// A token whose second segment is that text, base64 or not.
    pub fn token_of_segment(&self, segment: &str) -> String {
        format!("{HEADER}.{segment}.{}", self.last)
    }
}

/// A text in base64, spaces added so that no padding is needed.
pub fn segment_of_text(text: &str) -> String {
    let spaces = (3 - text.len() % 3) % 3;
    STANDARD.encode(format!("{text}{}", " ".repeat(spaces)))
}

/// An issued token without its final segment, and that segment.
///
/// # Errors
/// [`Stop::Blocked`] when it has no three segments.
pub fn cut(issued: &str) -> Result<(String, String), Stop> {
    match issued.split('.').collect::<Vec<_>>()[..] {
        [header, payload, last] => Ok((format!("{header}.{payload}"), last.to_owned())),
        _ => Err(unreadable(issued)),
    }
}

/// The bytes of a segment in base64 or base64url, padded or not; `None` when it is neither.
pub fn decoded(segment: &str) -> Option<Vec<u8>> {
    let standard: String = segment
        .trim_end_matches('=')
        .chars()
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            other => other,
        })
        .collect();
    STANDARD_NO_PAD.decode(standard).ok()
}

/// The JSON of an issued token's segment, counted from 0; `None` when there is none.
pub fn json_of_segment(token: &str, index: usize) -> Option<Value> {
    serde_json::from_slice(&decoded(token.split('.').nth(index)?)?).ok()
}

/// The payload of an issued token, which is an object.
///
/// # Errors
/// [`Stop::Blocked`] when it is none.
pub fn claims(token: &str) -> Result<Value, Stop> {
    let payload = json_of_segment(token, 1).filter(Value::is_object);
    payload.ok_or_else(|| unreadable(token))
}

fn unreadable(token: &str) -> Stop {
    Stop::Blocked {
        step: "reading an issued JWT".into(),
        why: format!("want three segments with a JSON object in the second, got {token}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_made_token_reads_back_and_is_the_same_in_every_alphabet() {
        let mint = Mint { last: "x".into() };
        for email in ["a@b", "ab@b", "abc@b"] {
            let payload = json!({ "email": email, "exp": 1 });
            let token = mint.token(&payload);
            assert!(!token.contains(['=', '+', '/', '-', '_']), "{token}");
            assert_eq!(claims(&token).unwrap(), payload);
            assert_eq!(Mint::of(&token).unwrap().last, "x");
        }
        let header: Value = json_of_segment(&mint.token(&json!({})), 0).unwrap();
        assert_eq!(header, json!({ "alg": "HS256", "typ": "JWT" }));
    }

    #[test]
    fn either_alphabet_is_decoded() {
        assert_eq!(decoded("Pz8_"), decoded("Pz8/"));
        assert_eq!(decoded("PQ=="), Some(b"=".to_vec()));
        assert_eq!(decoded("%%%"), None);
    }
}
