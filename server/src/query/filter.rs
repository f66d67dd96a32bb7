//! Which books a list keeps: text search, equality, bounds, truthiness. A book stays when every condition holds.

use std::cmp::Ordering;

use memchr::memmem::Finder;

use super::book::{self, Book};
use super::compare::Bound;
use super::datum::Datum;
use super::equal::AnyOf;
use super::value::Sent;

/// The conditions of one query.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Filter {
    /// Folded texts, one of which must be found; none when everything is.
    searches: Vec<String>,
    conditions: Vec<Condition>,
}

/// One condition on one field; a book that lacks the field never meets it.
#[derive(Debug, Clone, PartialEq)]
struct Condition {
    field: String,
    test: Test,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    Equals(AnyOf),
    AtLeast(Bound),
    AtMost(Bound),
    Truthy(bool),
}

impl Filter {
    /// Takes the texts of `q`, as sent: any of them suffices, and an empty one is found in every book.
    pub(super) fn search(&mut self, texts: &[impl AsRef<str>]) {
        // rule: list/q-empty
        if texts.iter().any(|text| text.as_ref().is_empty()) {
            return;
        }
        // rule: list/q-as-sent, list/q-comma, list/q-repeated
        self.searches = texts.iter().map(|text| book::fold(text.as_ref())).collect();
    }

    /// Takes a parameter of any name that has no meaning of its own.
    pub(super) fn field(&mut self, name: &str, sent: &Sent) {
        // rule: list/equal-keeps, list/prefixed-equality-value
        // rule: list/min-faces-equality, list/max-faces-equality, list/is-faces-equality
        self.demand(name, Test::Equals(AnyOf::new(sent)));
        // rule: list/bound-empty-name
        if let Some(field) = name.strip_prefix("min_") {
            self.demand(field, Test::AtLeast(Bound::new(sent)));
        } else if let Some(field) = name.strip_prefix("max_") {
            self.demand(field, Test::AtMost(Bound::new(sent)));
        } else if let Some(field) = name.strip_prefix("is_") {
            // rule: list/is-other-values
            self.demand(field, Test::Truthy(sent.is_truthy()));
        }
    }

    fn demand(&mut self, field: &str, test: Test) {
        self.conditions.push(Condition { field: field.to_owned(), test });
    }

    /// Whether nothing is asked, so that every book stays.
    pub(super) fn keeps_all(&self) -> bool {
        self.searches.is_empty() && self.conditions.is_empty()
    }

    /// The books that stay, in the order given.
    pub(super) fn keep<'a>(&self, books: impl Iterator<Item = &'a Book>) -> Vec<&'a Book> {
        // rule: list/q-contains, list/q-literal
        let finders: Vec<Finder<'_>> = self.searches.iter().map(Finder::new).collect();
        books
            .filter(|book| finders.is_empty() || finders.iter().any(|finder| finder.find(book.folded()).is_some()))
            // rule: list/equal-all-hold
            .filter(|book| self.conditions.iter().all(|condition| condition.holds(book)))
            .collect()
    }
}

impl Condition {
    fn holds(&self, book: &Book) -> bool {
        // rule: list/equal-lacking, list/bound-lacking, list/is-lacking
        book.field(&self.field).is_some_and(|field| self.test.passes(field.datum()))
    }
}

impl Test {
    fn passes(&self, stored: &Datum) -> bool {
        match self {
            Test::Equals(any) => any.equals(stored),
            // rule: list/min-keeps, list/min-inclusive
            Test::AtLeast(bound) => bound.order_of(stored).is_some_and(Ordering::is_ge),
            // rule: list/max-keeps, list/max-inclusive
            Test::AtMost(bound) => bound.order_of(stored).is_some_and(Ordering::is_le),
            // rule: list/is-truthiness
            Test::Truthy(truthy) => stored.is_truthy() == *truthy,
        }
    }
}
