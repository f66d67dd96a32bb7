//! The rules that generated queries can name.

/// Declares a list of rules: those of each chapter after its name.
macro_rules! rules {
    ($(#[$text:meta])* $all:ident: $($chapter:literal: $($name:literal)+;)+) => {
        $(#[$text])*
        pub const $all: [&str; [$($($name),+),+].len()] = [$($(concat!($chapter, "/", $name)),+),+];
    };
}

rules! {
    /// Every rule that a generated difference may name where a filter and the fields that it meets are of one type.
    RULES:
    "list":
        "equal-keeps" "equal-lacking" "equal-own-field" "equal-all-hold" "equal-text-exact" "field-name-case"
        "percent-decoding" "empty-pairs" "repeated" "comma-list" "comma-list-converts" "convert-number"
        "convert-boolean" "convert-boolean-case" "date-other-day" "q-contains" "q-empty" "q-case" "q-text-only"
        "q-literal" "q-as-sent" "range-min-max-ignored" "min-keeps" "min-inclusive" "min-faces-equality" "max-keeps"
        "max-inclusive" "max-faces-equality" "bound-lacking" "empty-names" "prefixed-equality-value" "is-truthiness"
        "is-lacking" "is-faces-equality" "is-other-values" "sort-ascending" "sort-descending" "sort-several"
        "sort-repeated" "sort-numbers" "sort-text-locale" "sort-missing" "sort-unknown-field" "fields-select"
        "fields-repeated" "fields-lacking" "fields-no-id-added" "order-filter-before-page" "order-sort-before-page"
        "order-fields-last";
    "paging":
        "page-default" "page-minimum" "page-unparsable" "page-slice" "page-huge" "number-fraction" "limit-default"
        "limit-exact" "limit-maximum" "limit-zero" "limit-unparsable" "limit-negative" "object-keys" "object-page"
        "object-limit" "object-total" "object-pages" "object-pages-empty" "object-has-next" "object-has-prev";
}

rules! {
    /// Every rule of loose equality and truthiness that a generated difference may name.
    LOOSE_RULES:
    "list":
        "loose-number-text" "loose-number-text-forms" "loose-number-other-text" "loose-boolean-number"
        "loose-boolean-number-text" "loose-false-empty-text" "loose-true-text" "loose-number-boolean-field"
        "loose-null" "is-falsy-values" "is-falsy-not-containers";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_lists_have_what_attribution_names() {
        let sources = [
            include_str!("filters.rs"),
            include_str!("order.rs"),
            include_str!("paging.rs"),
            include_str!("selection.rs"),
        ];
        let quoted = sources.iter().flat_map(|source| source.split('"').skip(1).step_by(2));
        let named: BTreeSet<_> = quoted.filter(|text| text.contains('/')).collect();
        assert_eq!(named, RULES.into_iter().chain(LOOSE_RULES).collect());
    }
}
