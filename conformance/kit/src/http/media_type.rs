//! Compares media types, which have several spellings. Knows no case.

/// The media type in lower case, with a space after each semicolon and without quotes.
pub fn usual(spelled: &str) -> String {
    spelled.to_ascii_lowercase().replace(['"', ' ', '\t'], "").replace(';', "; ")
}

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
