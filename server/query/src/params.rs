//! The query string, read as `URLSearchParams` reads it, and its parameters, each handed to the stage it means.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::book::FieldName;
use super::collection::Collection;
use super::filter::Filter;
use super::page::PageSpec;
use super::query_value::QueryValue;
use super::search::Search;
use super::select::Selection;
use super::sort_key::SortKey;

/// Books times texts searched for, below which no query takes long.
const LONG: usize = 50_000;

/// A list query, ready to be applied to any number of snapshots.
#[derive(Debug, Clone, PartialEq)]
pub struct ListQuery {
    pub(super) filter: Filter,
    pub(super) sort: Vec<SortKey>,
    pub(super) page: PageSpec,
    pub(super) selection: Selection,
}

impl ListQuery {
    /// Reads a raw query string, without its question mark. Cannot fail: what makes no sense has no effect.
    pub fn parse(raw: &str) -> ListQuery {
        let mut by_name = BTreeMap::<_, Vec<_>>::new();
        for (name, value) in pairs(raw) {
            by_name.entry(name).or_default().push(value);
        }
        let mut take = |name: &str| by_name.remove(name).unwrap_or_default();
        let mut query = ListQuery {
            filter: Filter::default(),
            // rule: list/reserved-no-filters, list/reserved-name-case
            sort: SortKey::parse(&take("sort")),
            page: PageSpec::parse(&take("page"), &take("limit")),
            selection: Selection::parse(&take("fields")),
        };
        query.filter.search = Search::new(&take("q"));
        // rule: list/range-min-max-ignored
        for name in ["range", "min", "max"] {
            take(name);
        }
        for (name, values) in &by_name {
            query.filter.field(name, &QueryValue::convert(values.iter().map(AsRef::as_ref)));
        }
        query
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &FieldName> {
        self.filter.fields().chain(self.sort.iter().map(|key| &key.field))
    }

    /// Whether this may take a good part of a millisecond or more: a text search, a bound that is a text, or a sort, over many books.
    pub fn may_take_long_over(&self, books: &Collection) -> bool {
        let Self { filter, sort, .. } = self;
        books.len().saturating_mul(filter.search.count().max(1)) >= LONG
            && (!filter.search.finds_all() || filter.reads_texts() || !sort.is_empty())
    }
}

/// Names and values in the order sent. A bad percent escape stays as it is, and bytes that are not UTF-8 become U+FFFD.
pub(super) fn pairs(raw: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    // rule: list/percent-decoding, list/form-decoding, list/empty-pairs
    form_urlencoded::parse(raw.as_bytes())
}
