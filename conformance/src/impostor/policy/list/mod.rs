//! What the naive list does wherever an implementer may err or choose: how it reads the query, filters, sorts and selects. The
//! default is right. Does no step itself.
//!
//! A step that may be done in another way has an `Option`: `None` is the model's own way.

mod filter;

use std::cmp::Ordering;

use serde_json::{Map, Value};

pub(crate) use filter::{
    BareBounds, Bound, BoundsPolicy, EqualityPolicy, EqualityTest, IsPolicy, Lacking, ListField, SearchPolicy,
};

/// Its values, step by step.
#[derive(Clone, Debug, Default)]
pub struct ListPolicy {
    /// The order of the steps.
    pub(crate) steps: Option<[Step; 4]>,
    pub(crate) query: QueryPolicy,
    pub(crate) convert: ConvertPolicy,
    pub(crate) search: SearchPolicy,
    pub(crate) equality: EqualityPolicy,
    pub(crate) bounds: BoundsPolicy,
    pub(crate) is: IsPolicy,
    pub(crate) sort: SortPolicy,
    pub(crate) fields: FieldsPolicy,
}

/// What a list does, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Filter,
    Sort,
    /// Cuts the page.
    Page,
    /// Leaves the listed fields.
    Select,
}

/// How a query string is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryPolicy {
    /// From a name or a value as sent to the text it stands for.
    pub(crate) decode: Option<fn(&str) -> String>,
    pub(crate) keeps_empty_pairs: bool,
    pub(crate) ignores_case_of_names: bool,
    /// From a decoded name to the one that counts.
    pub(crate) name: Option<fn(&str) -> &str>,
}

/// How a query value becomes what a field is compared with.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvertPolicy {
    pub(crate) repeated: Repeated,
    /// The items of a value with a comma.
    pub(crate) split: Option<fn(&str) -> Vec<&str>>,
    /// Whether the items of a comma list stay texts.
    pub(crate) items_stay_text: bool,
    pub(crate) boolean: Option<fn(&str) -> Option<bool>>,
    pub(crate) number: Option<fn(&str) -> Option<f64>>,
    pub(crate) date: Option<fn(&str) -> Option<f64>>,
}

/// What the values of a repeated parameter become.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Repeated {
    /// One flat list of converted items.
    #[default]
    Flattened,
    /// A list that holds a list where a value has commas.
    Nested,
    /// A list of texts.
    Texts,
    FirstAlone,
    LastAlone,
}

/// How books are ordered.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortPolicy {
    /// From the values of `sort` to names, each with its minus.
    pub(crate) names: Option<fn(&[String]) -> Vec<String>>,
    pub(crate) locale: SortLocale,
    /// Whether digits in texts are ordered by their number.
    pub(crate) digits_by_number: bool,
    pub(crate) compare_texts: Option<fn(&str, &str) -> Ordering>,
    /// Two values of which one at least is no text.
    pub(crate) compare_values: Option<fn(&Value, &Value) -> Ordering>,
    pub(crate) missing: Missing,
    pub(crate) null_is_missing: bool,
    pub(crate) drops_lacking: bool,
    pub(crate) ties: Ties,
    /// How more than a hundred books are ordered.
    pub(crate) many: Many,
}

/// Whose collation orders texts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum SortLocale {
    #[default]
    English,
    Spanish,
}

/// What a name says about two books of which one lacks the field, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Missing {
    /// Nothing: the next name decides.
    #[default]
    SaysNothing,
    /// The book that lacks it comes first.
    ComesFirst,
    /// They are equal, whatever the names that follow.
    EndsComparison,
}

/// How more than a hundred books are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Many {
    #[default]
    AsFew,
    /// The first hundred are, and the others follow as they were.
    FirstHundred,
    /// By an algorithm for which books that lack a field come first.
    LackingFirst,
}

/// In which order books come that sort leaves equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Ties {
    #[default]
    AsBefore,
    Reversed,
}

/// How fields are selected.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldsPolicy {
    /// From the values of `fields` to names.
    pub(crate) names: Option<fn(&[String]) -> Vec<String>>,
    /// What is left of an item.
    pub(crate) select: Option<fn(&Value, &[String]) -> Map<String, Value>>,
    /// Whether a `fields` without any name leaves empty items.
    pub(crate) no_name_leaves_nothing: bool,
}
