//! Finds a known fault that answers as the implementation does: a hint beside the broken rule, never the reason for naming it.

use serde_json::Value;

use super::naive_body;
use super::query::Query;
use crate::http::reply::same;
use crate::impostor::faults::{self, Faults};

/// The first fault in lists that gives exactly this answer.
pub fn resembling_fault(books: &[Value], query: &Query, got: &Value) -> Option<&'static str> {
    let answers_so = |faults: &Faults| same(&naive_body(books, query, &faults.steps.list), got);
    let mut of_lists = faults::all().filter(|fault| is_of_lists(fault.rule()));
    of_lists.find(|fault| Faults::one(fault.id).is_some_and(|faults| answers_so(&faults))).map(|fault| fault.id)
}

/// Whether a rule is of the chapters that generated queries judge.
pub fn is_of_lists(rule: &str) -> bool {
    rule.starts_with("list/") || rule.starts_with("paging/")
}
