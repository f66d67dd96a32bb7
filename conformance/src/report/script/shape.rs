//! The shape of an answer: what it says, but for ids, tokens and times, which differ from run to run.
//!
//! The script's own program says the same of an answer, word for word.

use crate::oracle::jwt;

/// Values that the script knows, each with its name: they are told by it, so that the same one is seen to come again.
type Known = [(String, String)];

/// The shape of a text.
pub(super) fn of(text: &str, known: &Known) -> String {
    let mut shape = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if is_part(first) {
            let (word, after) = rest.split_at(word_end(rest));
            let is_id = shape.ends_with("\"id\":") || shape.ends_with("\"id\":\"");
            shape.push_str(&word_shape(word, is_id, known));
            rest = after;
        } else {
            shape.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    shape
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || "_.@-".contains(c)
}

/// Where the word ends that a text begins with; a time of day is one word.
fn word_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_in_time = |at: usize| bytes[at] == b':' && is_digit(at.wrapping_sub(1)) && is_digit(at + 1);
    text.char_indices().find(|(at, c)| !is_part(*c) && !is_in_time(*at)).map_or(text.len(), |(at, _)| at)
}

fn word_shape(word: &str, is_id: bool, known: &Known) -> String {
    let length = word.chars().count();
    let has_digits = word.contains(|c: char| c.is_ascii_digit());
    if (is_id || length >= 6)
        && let Some((_, name)) = known.iter().find(|(value, _)| value == word)
    {
        return format!("<{name}>");
    }
    if let Some(payload) = word.strip_prefix("eyJ").and_then(|_| payload(word)) {
        return format!("<{}>", of(&payload, &[]));
    }
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if !has_digits || !is_id && (digits == length && length <= 5 || is_name(word)) {
        return word.to_owned();
    }
    if length < 10 {
        return "#".to_owned();
    }
    let is_hex = word.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    let has_capitals = word.contains(|c: char| c.is_ascii_uppercase());
    format!(
        "#{length}{}",
        if is_hex {
            "x"
        } else if has_capitals {
            ""
        } else {
            "s"
        }
    )
}

/// Capitals and up to three digits, as in SHA1.
fn is_name(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    digits.len() < word.len() && digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit())
}

/// What a JWT holds.
fn payload(token: &str) -> Option<String> {
    String::from_utf8(jwt::decoded(token.split('.').nth(1)?)?).ok()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn ids_tokens_and_times_are_alike_and_what_an_answer_says_is_not() {
        let token = "0123456789abcdef";
        let text = format!(r#"{{"id":17,"n":1700,"at":"2026-11-22T10:00:00.000Z","t":"{token}","a":"SHA256"}}"#);
        assert_eq!(of(&text, &[]), r##"{"id":#,"n":1700,"at":"#24","t":"#16x","a":"SHA256"}"##);
        let known = [(token.to_owned(), "t_1".to_owned()), ("17".to_owned(), "id_2".to_owned())];
        assert_eq!(of(&text, &known), r##"{"id":<id_2>,"n":1700,"at":"#24","t":"<t_1>","a":"SHA256"}"##);
        assert_ne!(of("titulo", &[]), of("autor", &[]));
    }

    #[test]
    fn a_token_says_what_it_holds() {
        // {"iat":1795366192,"role":"user"}
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE3OTUzNjYxOTIsInJvbGUiOiJ1c2VyIn0.x";
        assert_eq!(of(token, &[]), r##"<{"iat":#10x,"role":"user"}>"##);
    }
}
