//! Which rule a wrong list breaks: that of the first step of the naive list whose outcome the answer cannot have had. Knows no fault.
//!
//! The steps, in the order of the documents: the filters decide about each book, page and limit are numbers, the sort orders, the page
//! is cut, fields are selected, the page is told.

mod filters;
mod order;
mod paging;
mod rules;
mod selection;

use serde_json::Value;

use super::query::Query;
use super::sample_books::MARKER;
use crate::http::reply::same;
use crate::impostor::model::list::{list, query};
use crate::impostor::policy::Policy;

pub use rules::{LOOSE_RULES, RULES};

/// The rule that an answer breaks which is not the one wanted.
pub(super) fn rule(books: &[Value], query: &Query, want: &Value, got: &Value) -> &'static str {
    let answer = Answer { books, asked: Asked::of(query), want, got };
    let steps = [filters::broken_rule, paging::broken_number, order::broken_rule, selection::broken_rule];
    steps.iter().find_map(|broken| broken(&answer)).unwrap_or_else(|| paging::broken_key(&answer))
}

/// A wrong answer: what was asked of which books, what should have come and what did.
struct Answer<'a> {
    books: &'a [Value],
    asked: Asked,
    want: &'a Value,
    got: &'a Value,
}

impl Answer<'_> {
    /// The books that all filters keep, in the order of the sort, with all fields.
    fn kept(&self) -> Vec<Value> {
        self.without(&["page", "limit", "fields"], "&limit=100")
    }

    /// The books of the page, with all fields.
    fn unselected(&self) -> Vec<Value> {
        self.without(&["fields"], "")
    }

    fn without(&self, names: &[&str], more: &str) -> Vec<Value> {
        let text = format!("{}{more}", self.asked.query.without(names));
        list(self.books, &text, &Policy::default()).datos
    }

    /// The items that came; none where there is no list of them.
    fn items(&self) -> &[Value] {
        items(self.got)
    }

    /// Whether the same items came in the same order.
    fn has_same_items(&self) -> bool {
        same(&self.want["datos"], &self.got["datos"])
    }

    /// A value of the page object that came, and the one wanted.
    fn told(&self, key: &str) -> (&Value, &Value) {
        (&self.got["metadata"]["paginacion"][key], &self.want["metadata"]["paginacion"][key])
    }

    /// Whether a key of the page object is there with another value.
    fn tells_otherwise(&self, key: &str) -> bool {
        let (got, want) = self.told(key);
        !got.is_null() && !same(got, want)
    }
}

fn items(body: &Value) -> &[Value] {
    body["datos"].as_array().map_or(&[], Vec::as_slice)
}

/// A question as the naive list reads it.
struct Asked {
    query: Query,
    /// Every parameter with its values, but the marker of the books.
    parameters: Vec<(String, Vec<String>)>,
}

impl Asked {
    fn of(query: &Query) -> Self {
        let read = query::Query::parse(&query.to_string(), &Policy::default().list.query);
        let own = read.iter().filter(|(name, _)| *name != MARKER);
        Self {
            query: query.clone(),
            parameters: own.map(|(name, values)| (name.to_owned(), values.to_vec())).collect(),
        }
    }

    /// The values of a parameter; none where it was not sent.
    fn values(&self, name: &str) -> &[String] {
        self.parameters.iter().find(|(known, _)| known == name).map_or(&[], |(_, values)| values)
    }

    fn has(&self, name: &str) -> bool {
        !self.values(name).is_empty()
    }

    fn has_empty_pair(&self) -> bool {
        self.query.0.iter().any(|parameter| parameter.values.is_empty())
    }
}
