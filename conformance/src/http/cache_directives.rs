//! Cache-Control, whose directives mean the same in any order and letter case. Knows no case.

/// The directives of a value, each once, in an order that says nothing.
fn directives(value: &str) -> Vec<String> {
    let mut directives: Vec<String> = value
        .split(',')
        .map(|directive| directive.trim().to_ascii_lowercase())
        .filter(|text| !text.is_empty())
        .collect();
    directives.sort_unstable();
    directives
}

/// Whether two values of Cache-Control mean the same.
pub fn same(one: &str, other: &str) -> bool {
    directives(one) == directives(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_mean_the_same_in_any_order_and_none_may_be_added() {
        assert!(same("max-age=300,Public", "public, max-age=300"));
        assert!(!same("public, max-age=300, private", "public, max-age=300"));
        assert!(!same("public, max-age=30", "public, max-age=300"));
    }
}
