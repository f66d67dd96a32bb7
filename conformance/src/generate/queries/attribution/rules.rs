//! The rules that generated queries can name, as constants.

/// Declares each rule as a constant, and all of them as a list: a rule that is never named is dead code.
macro_rules! rules {
    ($(#[$text:meta])* $all:ident: $($name:ident = $id:literal;)+) => {
        $(pub(super) const $name: &str = $id;)+

        $(#[$text])*
        pub const $all: [&str; [$($id),+].len()] = [$($id),+];
    };
}

rules! {
    /// Every rule that a generated difference may name where a filter and the fields that it meets are of one type.
    RULES:
    EQUAL_KEEPS = "list/equal-keeps";
    EQUAL_LACKING = "list/equal-lacking";
    EQUAL_OWN_FIELD = "list/equal-own-field";
    EQUAL_ALL_HOLD = "list/equal-all-hold";
    EQUAL_TEXT_EXACT = "list/equal-text-exact";
    FIELD_NAME_CASE = "list/field-name-case";
    PERCENT_DECODING = "list/percent-decoding";
    EMPTY_PAIRS = "list/empty-pairs";
    REPEATED = "list/repeated";
    COMMA_LIST = "list/comma-list";
    COMMA_LIST_CONVERTS = "list/comma-list-converts";
    CONVERT_NUMBER = "list/convert-number";
    CONVERT_BOOLEAN = "list/convert-boolean";
    CONVERT_BOOLEAN_CASE = "list/convert-boolean-case";
    DATE_OTHER_DAY = "list/date-other-day";
    Q_CONTAINS = "list/q-contains";
    Q_EMPTY = "list/q-empty";
    Q_CASE = "list/q-case";
    Q_TEXT_ONLY = "list/q-text-only";
    Q_LITERAL = "list/q-literal";
    Q_AS_SENT = "list/q-as-sent";
    RANGE_MIN_MAX_IGNORED = "list/range-min-max-ignored";
    MIN_KEEPS = "list/min-keeps";
    MIN_INCLUSIVE = "list/min-inclusive";
    MIN_FACES_EQUALITY = "list/min-faces-equality";
    MAX_KEEPS = "list/max-keeps";
    MAX_INCLUSIVE = "list/max-inclusive";
    MAX_FACES_EQUALITY = "list/max-faces-equality";
    BOUND_LACKING = "list/bound-lacking";
    EMPTY_NAMES = "list/empty-names";
    PREFIXED_EQUALITY_VALUE = "list/prefixed-equality-value";
    IS_TRUTHINESS = "list/is-truthiness";
    IS_LACKING = "list/is-lacking";
    IS_FACES_EQUALITY = "list/is-faces-equality";
    IS_OTHER_VALUES = "list/is-other-values";
    SORT_ASCENDING = "list/sort-ascending";
    SORT_DESCENDING = "list/sort-descending";
    SORT_SEVERAL = "list/sort-several";
    SORT_REPEATED = "list/sort-repeated";
    SORT_NUMBERS = "list/sort-numbers";
    SORT_TEXT_LOCALE = "list/sort-text-locale";
    SORT_MISSING = "list/sort-missing";
    SORT_UNKNOWN_FIELD = "list/sort-unknown-field";
    FIELDS_SELECT = "list/fields-select";
    FIELDS_REPEATED = "list/fields-repeated";
    FIELDS_LACKING = "list/fields-lacking";
    FIELDS_NO_ID_ADDED = "list/fields-no-id-added";
    ORDER_FILTER_BEFORE_PAGE = "list/order-filter-before-page";
    ORDER_SORT_BEFORE_PAGE = "list/order-sort-before-page";
    ORDER_FIELDS_LAST = "list/order-fields-last";
    PAGE_DEFAULT = "paging/page-default";
    PAGE_MINIMUM = "paging/page-minimum";
    PAGE_UNPARSABLE = "paging/page-unparsable";
    PAGE_SLICE = "paging/page-slice";
    PAGE_HUGE = "paging/page-huge";
    NUMBER_FRACTION = "paging/number-fraction";
    LIMIT_DEFAULT = "paging/limit-default";
    LIMIT_EXACT = "paging/limit-exact";
    LIMIT_MAXIMUM = "paging/limit-maximum";
    LIMIT_ZERO = "paging/limit-zero";
    LIMIT_UNPARSABLE = "paging/limit-unparsable";
    LIMIT_NEGATIVE = "paging/limit-negative";
    OBJECT_KEYS = "paging/object-keys";
    OBJECT_PAGE = "paging/object-page";
    OBJECT_LIMIT = "paging/object-limit";
    OBJECT_TOTAL = "paging/object-total";
    OBJECT_PAGES = "paging/object-pages";
    OBJECT_PAGES_EMPTY = "paging/object-pages-empty";
    OBJECT_HAS_NEXT = "paging/object-has-next";
    OBJECT_HAS_PREV = "paging/object-has-prev";
}

rules! {
    /// Every rule of loose equality and truthiness that a generated difference may name.
    LOOSE_RULES:
    LOOSE_NUMBER_TEXT = "list/loose-number-text";
    LOOSE_NUMBER_TEXT_FORMS = "list/loose-number-text-forms";
    LOOSE_NUMBER_OTHER_TEXT = "list/loose-number-other-text";
    LOOSE_BOOLEAN_NUMBER = "list/loose-boolean-number";
    LOOSE_BOOLEAN_NUMBER_TEXT = "list/loose-boolean-number-text";
    LOOSE_FALSE_EMPTY_TEXT = "list/loose-false-empty-text";
    LOOSE_TRUE_TEXT = "list/loose-true-text";
    LOOSE_NUMBER_BOOLEAN_FIELD = "list/loose-number-boolean-field";
    LOOSE_NULL = "list/loose-null";
    IS_FALSY_VALUES = "list/is-falsy-values";
    IS_FALSY_NOT_CONTAINERS = "list/is-falsy-not-containers";
}
