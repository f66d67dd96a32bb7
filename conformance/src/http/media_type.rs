//! Media types, which may be spelled in several ways. Knows no case.

/// The media type in its usual spelling: lower case, a space after each semicolon, no quotes.
pub fn usual(spelled: &str) -> String {
    spelled.to_ascii_lowercase().replace(['"', ' ', '\t'], "").replace(';', "; ")
}

/// Whether it is that of JSON, with no charset or UTF-8.
pub fn is_json(spelled: &str) -> bool {
    matches!(usual(spelled).as_str(), "application/json" | "application/json; charset=utf-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charset_is_the_same_in_any_letter_case_with_and_without_quotes_and_spaces() {
        for spelled in ["application/json;charset=UTF-8", "Application/JSON ; charset=\"utf-8\""] {
            assert_eq!(usual(spelled), "application/json; charset=utf-8");
        }
        assert_ne!(usual("application/json"), usual("application/json; charset=utf-8"));
    }
}
