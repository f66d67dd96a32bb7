//! Names the rule that a wrong list breaks: the rule of the first step of the naive list that contradicts the answer. Knows no fault.
//!
//! The steps in the documents' order: filters, page and limit, sort, the cut of the page, fields, the page object.

mod filters;
mod order;
mod paging;
mod rules;
mod selection;

use std::borrow::Cow;

use serde_json::Value;

use super::query::Query;
use super::sample_books::MARKER;
use crate::http::reply::same;
use libros_conformance_model::list::steps::ListSteps;
use libros_conformance_model::list::{list, query};

pub use rules::{LOOSE_RULES, RULES};

pub(super) fn rule(books: &[Value], query: &Query, want: &Value, got: &Value) -> &'static str {
    let read = query::Query::parse(&query.to_string(), &ListSteps::default());
    let own = read.iter().filter(|(name, _)| *name != MARKER);
    let parameters = own.map(|(name, values)| (name.to_owned(), values.to_vec())).collect();
    let answer = Answer { books, query, parameters, want, got };
    let steps = [filters::broken_rule, paging::broken_number, order::broken_rule, selection::broken_rule];
    steps.iter().find_map(|broken| broken(&answer)).unwrap_or_else(|| paging::broken_key(&answer))
}

/// A wrong answer: the query, the books, the wanted body and the received one.
struct Answer<'a> {
    books: &'a [Value],
    query: &'a Query,
    /// Every parameter with its values as the naive list reads them, except the marker of the books.
    parameters: Vec<(String, Vec<String>)>,
    want: &'a Value,
    got: &'a Value,
}

impl Answer<'_> {
    /// The books that pass all filters, sorted, with all fields.
    fn kept(&self) -> Vec<Value> {
        self.without(&["page", "limit", "fields"], "&limit=100")
    }

    /// The books of the page, with all fields.
    fn unselected(&self) -> Vec<Value> {
        self.without(&["fields"], "")
    }

    fn without(&self, names: &[&str], more: &str) -> Vec<Value> {
        let text = format!("{}{more}", self.query.without(names));
        list(self.books, &text, &ListSteps::default()).datos.into_iter().map(Cow::into_owned).collect()
    }

    fn items(&self) -> &[Value] {
        items(self.got)
    }

    fn has_same_items(&self) -> bool {
        same(&self.want["datos"], &self.got["datos"])
    }

    fn page_value(&self, key: &str) -> (&Value, &Value) {
        (&self.got["metadata"]["paginacion"][key], &self.want["metadata"]["paginacion"][key])
    }

    fn contradicts(&self, key: &str) -> bool {
        let (got, want) = self.page_value(key);
        !got.is_null() && !same(got, want)
    }

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

fn items(body: &Value) -> &[Value] {
    body["datos"].as_array().map_or(&[], Vec::as_slice)
}
