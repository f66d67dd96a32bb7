//! Compares header values that are lists (directives, methods, names of headers), whose order and letter case do not
//! matter. Knows no case.

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

pub fn same(one: &str, other: &str) -> bool {
    items(one) == items(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_mean_the_same_in_any_order_and_none_may_be_added() {
        assert!(same("max-age=300,Public", "public, max-age=300"));
        assert!(!same("public, max-age=300, private", "public, max-age=300"));
        assert!(!same("public, max-age=30", "public, max-age=300"));
    }
}
