//! The query string, read as `URLSearchParams` reads it and sorted into the stages of a list.

use std::borrow::Cow;

use super::page::PageSpec;

/// A list query, ready to be applied to any number of snapshots.
#[derive(Debug, Clone, PartialEq)]
pub struct ListQuery {
    pub(super) window: PageSpec,
}

impl ListQuery {
    /// Reads a raw query string (without the question mark). Cannot fail: what makes no sense has no effect.
    pub fn parse(raw: &str) -> ListQuery {
        let pairs: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            form_urlencoded::parse(raw.as_bytes()).collect();
        let first = |name: &str| {
            pairs
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.as_ref())
        };
        ListQuery {
            window: PageSpec::parse(first("page"), first("limit")),
        }
    }
}
