//! What the four filters of the naive list do wherever an implementer may err or choose. The default is right.

use std::cmp::Ordering;

use serde_json::Value;

use crate::impostor::model::list::converted::Converted;

/// How `q` searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchPolicy {
    /// From the values of `q` to the texts searched.
    pub(crate) texts: Option<fn(&[String]) -> Vec<String>>,
    /// Whether a text makes `q` filter nothing.
    pub(crate) filters_nothing: Option<fn(&str) -> bool>,
    /// Whether a book must contain all texts, or one of them.
    pub(crate) all_texts_must_hold: bool,
    /// The texts of a field, given its name.
    pub(crate) field_texts: Option<fn(&str, &Value) -> Vec<String>>,
    /// What of two texts that differ in letter case is the same.
    pub(crate) fold: Option<fn(&str) -> String>,
    /// Whether a folded text of a field holds the folded text searched.
    pub(crate) contains: Option<fn(&str, &str) -> bool>,
}

/// How the equality step filters.
#[derive(Clone, Debug, Default)]
pub(crate) struct EqualityPolicy {
    /// Whether a parameter of this name is an equality filter.
    pub(crate) is_filter: Option<fn(&str) -> bool>,
    /// Whether a book must pass all equality filters, or one of them.
    pub(crate) one_filter_suffices: bool,
    pub(crate) empty_value_filters_nothing: bool,
    /// The field of a book that a name means.
    pub(crate) field: Option<for<'a> fn(&'a Value, &str) -> Option<&'a Value>>,
    pub(crate) lacking: Lacking,
    pub(crate) test: EqualityTest,
    /// Whether a field must equal all items of a list, or one of them.
    pub(crate) all_items_must_equal: bool,
    pub(crate) list_field: ListField,
    /// Whether a field equals a value that is no list.
    pub(crate) equals: Option<fn(&Value, &Converted) -> bool>,
}

/// What the equality step does with a book that lacks the field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Lacking {
    #[default]
    Dropped,
    Kept,
    KeptForEmptyValue,
}

/// What the equality step asks of a field that is there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum EqualityTest {
    /// That it equals the value.
    #[default]
    Value,
    /// Nothing more.
    Presence,
    /// Nothing more where the name begins with `min_`, `max_` or `is_`.
    PresenceIfPrefixed,
}

/// When a field that is a list or an object equals a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ListField {
    /// When its text does.
    #[default]
    AsText,
    /// When one of its items does.
    AnyItem,
    Never,
}

/// How `min_` and `max_` filter.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoundsPolicy {
    pub(crate) min: Bound,
    pub(crate) max: Bound,
    pub(crate) min_keeps_lacking: bool,
    pub(crate) max_keeps_lacking: bool,
    /// How a field stands to a value; `None` keeps it neither within `min_` nor within `max_`.
    pub(crate) relation: Option<fn(&Value, &Converted) -> Option<Ordering>>,
    /// Pairs that are never within bounds.
    pub(crate) never: Vec<fn(&Value, &Converted) -> bool>,
    pub(crate) bare: BareBounds,
}

/// What `min_` and `max_` with nothing after them do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum BareBounds {
    /// They bound the field of the empty name.
    #[default]
    NameTheEmptyField,
    /// They bound nothing, and are equality filters all the same.
    BoundNothing,
    /// They filter nothing.
    Skipped,
}

/// What a bound does with a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Bound {
    /// Keeps what is equal to it.
    #[default]
    Inclusive,
    /// Drops what is equal to it.
    Exclusive,
    /// Keeps what is beyond it too.
    Ignored,
}

/// How `is_` filters.
#[derive(Clone, Debug, Default)]
pub(crate) struct IsPolicy {
    /// From the value to the truth asked for.
    pub(crate) wanted: Option<fn(&Converted) -> bool>,
    /// Whether a field has the truth asked for.
    pub(crate) has_truth: Option<fn(&Value, bool) -> bool>,
    /// Whether a book that lacks the field has the truth `false`.
    pub(crate) lacking_is_false: bool,
}
