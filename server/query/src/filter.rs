//! Which books a list keeps: text search, equality, bounds, truthiness. A book stays when every condition holds.
//!
//! Each condition becomes a set of codes, which gives the number of rows that it keeps. The condition that keeps fewest gives its rows
//! from its posting lists, and the others test them; only if they are many, whole columns are scanned.

use std::borrow::Cow;

use super::bits::Bits;
use super::book::FieldName;
use super::codes::CodeSet;
use super::column::Column;
use super::compare::{Bound, Side};
use super::dictionary::Dictionary;
use super::equal::AnyOf;
use super::hits::Hits;
use super::query_value::QueryValue;
use super::search::Search;
use super::view::View;

/// Above this fraction (1/n) of rows, a scan of the columns costs less than looking at each row by itself.
const SCANNED: usize = 16;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Filter {
    pub(super) search: Search,
    /// A book that lacks the field never meets its test.
    conditions: Vec<(FieldName, Test)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    Equals(AnyOf),
    Bound(Side, Bound),
    Truthy(bool),
}

/// A condition on the column of a segment.
struct Demand<'a> {
    column: &'a Column,
    codes: CodeSet,
    rows: usize,
}

impl Filter {
    /// Takes a parameter that is not reserved.
    pub(super) fn field(&mut self, name: &str, sent: &QueryValue) {
        // rule: list/equal-keeps, list/prefixed-equality-value, list/min-faces-equality, list/max-faces-equality, list/is-faces-equality
        self.demand(name, Test::Equals(AnyOf::new(sent)));
        // rule: list/empty-names
        if let Some(field) = name.strip_prefix("min_") {
            self.demand(field, Test::Bound(Side::AtLeast, Bound::new(sent)));
        } else if let Some(field) = name.strip_prefix("max_") {
            self.demand(field, Test::Bound(Side::AtMost, Bound::new(sent)));
        } else if let Some(field) = name.strip_prefix("is_") {
            // rule: list/is-other-values
            self.demand(field, Test::Truthy(sent.is_truthy()));
        }
    }

    /// Whether a condition looks at every text of its field.
    pub(super) fn reads_texts(&self) -> bool {
        self.conditions.iter().any(|(_, test)| matches!(test, Test::Bound(_, Bound::Text(..))))
    }

    fn demand(&mut self, field: &str, test: Test) {
        self.conditions.push((FieldName::new(field), test));
    }

    /// Whether there is no condition, so that every book stays.
    pub(super) fn keeps_all(&self) -> bool {
        self.search.finds_all() && self.conditions.is_empty()
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &FieldName> {
        self.conditions.iter().map(|(field, _)| field)
    }

    pub(super) fn hits<'a>(&self, segment: &'a View<'a>) -> Hits<'a> {
        let Some(demands) = self.demands(segment) else { return Hits::Rows(Cow::Borrowed(&[])) };
        let hits = match demands.split_first() {
            None => Hits::All(segment.len()),
            Some((first, others)) if first.rows <= segment.len() / SCANNED => read_off(first, others),
            Some(_) => scan(&demands, segment.len()),
        };
        self.search.among(hits, segment)
    }

    /// The conditions on the segment's columns, the most selective first; `None` if one of them keeps no row.
    fn demands<'a>(&self, segment: &'a View<'a>) -> Option<Vec<Demand<'a>>> {
        let mut demands = Vec::with_capacity(self.conditions.len());
        for (field, test) in &self.conditions {
            // rule: list/equal-lacking, list/bound-lacking, list/is-lacking
            let column = segment.column(field)?;
            let codes = test.codes(&column.dictionary);
            match column.count(&codes) {
                0 => return None,
                rows if rows == segment.len() => {}
                rows => demands.push(Demand { column, codes, rows }),
            }
        }
        demands.sort_by_key(|demand| demand.rows);
        Some(demands)
    }
}

fn read_off<'a>(first: &Demand<'a>, others: &[Demand<'a>]) -> Hits<'a> {
    let rows = first.column.gather(&first.codes);
    if others.is_empty() {
        return Hits::Rows(rows);
    }
    // rule: list/equal-all-hold
    let is_met = |demand: &Demand<'_>, row| demand.column.code(row).is_some_and(|code| demand.codes.contains(code));
    let meets = |row: &u32| others.iter().all(|other| is_met(other, *row));
    Hits::Rows(Cow::Owned(rows.iter().copied().filter(meets).collect()))
}

fn scan(demands: &[Demand<'_>], rows: usize) -> Hits<'static> {
    let mut bits = Bits::all(rows);
    for demand in demands {
        demand.column.keep(&demand.codes, &mut bits);
    }
    Hits::of_bits(bits)
}

impl Test {
    pub(super) fn codes(&self, dictionary: &Dictionary) -> CodeSet {
        match self {
            Test::Equals(any) => any.codes(dictionary),
            Test::Bound(side, bound) => bound.codes(*side, dictionary),
            Test::Truthy(truthy) => truthiness(*truthy, dictionary),
        }
    }
}

/// The codes of the values whose `Boolean(value)` is `truthy`.
fn truthiness(truthy: bool, dictionary: &Dictionary) -> CodeSet {
    // rule: list/is-null-field, list/is-falsy-values
    let zeros = dictionary.codes_of_number(0.0);
    let texts = dictionary.texts();
    // An empty list is true, whatever its text.
    // rule: list/is-falsy-not-containers
    let empty = dictionary.codes_of_text("").find(|code| texts.contains(code));
    let empty = empty.map_or(texts.start..texts.start, |code| code..code + 1);
    // rule: list/is-truthiness
    CodeSet::of_ranges(if truthy {
        vec![0..zeros.start, zeros.end..texts.start, texts.start..empty.start, empty.end..dictionary.len()]
    } else {
        vec![zeros, empty]
    })
}
