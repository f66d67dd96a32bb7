//! Compares header values that have several spellings: lists (directives, methods, names), media types, challenges. Knows no case.

const LISTS: [&str; 4] =
    ["Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Expose-Headers", "Cache-Control"];

pub fn is_list(name: &str) -> bool {
    LISTS.iter().any(|list| list.eq_ignore_ascii_case(name))
}

fn items(value: &str) -> Vec<String> {
    let mut items: Vec<String> =
        value.split(',').map(|item| item.trim().to_ascii_lowercase()).filter(|text| !text.is_empty()).collect();
    items.sort_unstable();
    items
}

/// Whether two lists have the same items, in whatever order and letter case.
pub fn is_same_list(one: &str, other: &str) -> bool {
    items(one) == items(other)
}

/// The media type in lower case, with a space after each semicolon and without quotes.
pub fn usual_media_type(spelled: &str) -> String {
    spelled.to_ascii_lowercase().replace(['"', ' ', '\t'], "").replace(';', "; ")
}

pub fn is_json(spelled: &str) -> bool {
    matches!(usual_media_type(spelled).as_str(), "application/json" | "application/json; charset=utf-8")
}

/// The realm of the `Bearer` challenge as it is spelled, quotes included; other parameters and challenges may surround it.
pub fn bearer_realm(value: &str) -> Option<&str> {
    const SCHEME: &str = "bearer ";
    let lower = value.to_ascii_lowercase();
    let starts_there = |at: usize| at == 0 || lower[..at].trim_end().ends_with(',');
    let (at, _) = lower.match_indices(SCHEME).find(|(at, _)| starts_there(*at))?;
    let mut rest = value.get(at + SCHEME.len()..)?;
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quoted = after.strip_prefix('"').and_then(|text| text.find('"')).map(|end| end + 2);
        let end = quoted.or_else(|| after.find(',')).unwrap_or(after.len());
        let (value, left) = after.split_at(end);
        if name.trim().eq_ignore_ascii_case("realm") {
            let value = value.trim();
            return (!value.trim_matches(['"', ' ']).is_empty()).then_some(value);
        }
        rest = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_mean_the_same_in_any_order_and_none_may_be_added() {
        assert!(is_same_list("max-age=300,Public", "public, max-age=300"));
        assert!(!is_same_list("public, max-age=300, private", "public, max-age=300"));
        assert!(!is_same_list("public, max-age=30", "public, max-age=300"));
    }

    #[test]
    fn a_charset_is_the_same_in_any_letter_case_with_and_without_quotes_and_spaces() {
        for spelled in ["application/json;charset=UTF-8", "Application/JSON ; charset=\"utf-8\""] {
            assert_eq!(usual_media_type(spelled), "application/json; charset=utf-8");
        }
        assert_ne!(usual_media_type("application/json"), usual_media_type("application/json; charset=utf-8"));
    }

    #[test]
    fn a_realm_is_found_beside_other_parameters_and_challenges() {
        for (value, realm) in [
            ("Bearer realm=Biblioteca", "Biblioteca"),
            ("Bearer realm=La Biblioteca, error=\"invalid_token\"", "La Biblioteca"),
            ("bearer error=\"a, b\", Realm=\"La, Biblioteca\"", "\"La, Biblioteca\""),
            ("JWT realm=otra, Bearer realm=Biblioteca", "Biblioteca"),
        ] {
            assert_eq!(bearer_realm(value), Some(realm), "{value}");
        }
        for value in [
            "Bearer",
            "Bearer realm=",
            "Bearer realm=\"\"",
            "Basic realm=Biblioteca",
            "Bearer error=x",
            "NoBearer realm=x",
        ] {
            assert_eq!(bearer_realm(value), None, "{value}");
        }
    }
}
