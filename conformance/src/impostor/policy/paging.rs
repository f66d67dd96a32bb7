//! What the naive list does wherever an implementer may err or choose: how page and limit are read, and how a page is shown. The
//! default is right. Cuts no page.

use serde_json::Value;

use crate::impostor::model::list::page::Page;

/// Its values.
#[derive(Clone, Debug, Default)]
pub struct PagingPolicy {
    pub(crate) page: PageNumber,
    pub(crate) limit: LimitNumber,
    /// Which of several values of page and limit counts; `None` is the first.
    pub(crate) counted: Option<fn(&[String]) -> Option<&str>>,
    /// Values of page and limit that are unparsable although parseInt reads them.
    pub(crate) unparsable: Vec<fn(&[String]) -> bool>,
    pub(crate) beyond_end: BeyondEnd,
    /// How many items come before a page of so many.
    pub(crate) start: Option<fn(f64, u64) -> f64>,
    pub(crate) total: Total,
    /// How many pages a total has at so many items a page.
    pub(crate) pages: Option<fn(u64, u64) -> u64>,
    /// From page, limit and total.
    pub(crate) has_next: Option<fn(f64, u64, u64) -> bool>,
    /// From page and total.
    pub(crate) has_prev: Option<fn(f64, u64) -> bool>,
    pub(crate) object: Option<fn(&Page) -> Value>,
    pub(crate) body: ListBody,
}

/// Which page is asked for.
#[derive(Clone, Debug)]
pub(crate) struct PageNumber {
    /// Without the parameter.
    pub(crate) default: f64,
    /// Where its value is no number.
    pub(crate) unparsable: f64,
    /// From a number to a page.
    pub(crate) of_number: Option<fn(f64) -> f64>,
    pub(crate) parse: Option<fn(&str) -> Option<f64>>,
}

impl Default for PageNumber {
    fn default() -> Self {
        Self { default: 1.0, unparsable: 1.0, of_number: None, parse: None }
    }
}

/// How many items a page holds.
#[derive(Clone, Debug)]
pub(crate) struct LimitNumber {
    /// Without the parameter.
    pub(crate) default: u64,
    /// Where its value is no number.
    pub(crate) unparsable: u64,
    pub(crate) zero: u64,
    /// Where its value is less than zero.
    pub(crate) negative: u64,
    pub(crate) min: u64,
    pub(crate) max: u64,
    /// Where its value is more than `max`; `None` is `max`.
    pub(crate) above_max: Option<u64>,
    pub(crate) parse: Option<fn(&str) -> Option<f64>>,
}

impl Default for LimitNumber {
    fn default() -> Self {
        Self { default: 10, unparsable: 10, zero: 10, negative: 1, min: 1, max: 100, above_max: None, parse: None }
    }
}

/// What a page beyond the end is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum BeyondEnd {
    #[default]
    Empty,
    LastPage,
}

/// What the total counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Total {
    /// What the filters kept.
    #[default]
    Filtered,
    AllBooks,
    ItemsOfThePage,
}

/// What stands around the items and the page object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ListBody {
    /// `datos`, and `paginacion` within `metadata`.
    #[default]
    DatosAndMetadata,
    BareArray,
    PaginacionBesideDatos,
    TotalBesideDatos,
}
