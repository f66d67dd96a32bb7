//! Which known fault answers as a target does: a hint beside the rule that is broken, never the reason for naming it.

use serde_json::Value;

use super::query::Query;
use crate::http::reply::same;
use crate::impostor::faults::{self, Fault, Faults};
use crate::impostor::model::list::{body, list};

/// The id of the first fault in lists that answers just so.
pub fn resembling_fault(books: &[Value], query: &Query, got: &Value) -> Option<&'static str> {
    let query = query.to_string();
    let answers_so = |faults: &Faults| same(&body(&list(books, &query, faults.policy()), faults.policy()), got);
    let mut of_lists = faults::all().filter(|fault| is_of_lists(fault));
    of_lists.find(|fault| Faults::one(fault.id).is_some_and(|faults| answers_so(&faults))).map(|fault| fault.id)
}

/// Whether a fault breaks a rule of the chapters that generated queries are about.
pub fn is_of_lists(fault: &Fault) -> bool {
    ["list", "paging"].contains(&fault.rule.split('/').next().unwrap_or_default())
}
