//! The report as one page for a browser: no network, no server. The page reads the json report that stands in it.

use serde_json::Value;

use crate::contract::rule::Contract;
use crate::printable::Printable;
use crate::report::json;
use crate::runner::outcome::RunOutcome;

/// The page, with a mark where the report goes.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "/*REPORT*/";

/// How pages look, light and dark, on a phone and on a desk.
pub(crate) const STYLE: &str = include_str!("style.css");

/// What the scripts of pages begin with.
const PRELUDE: &str = include_str!("prelude.js");

/// A page with what all of them share in its place.
pub(crate) fn assembled(page: &str) -> String {
    page.replacen("/*STYLE*/", STYLE, 1).replacen("/*PRELUDE*/", PRELUDE, 1)
}

/// The page.
pub(super) fn page(outcome: &RunOutcome) -> String {
    let mut report = json::value(outcome);
    report["book"] = Value::from(outcome.book.as_deref().map(|book| book.trim_end_matches('/')));
    let contract = Contract::built_in();
    for rule in report["rules"].as_array_mut().into_iter().flatten() {
        if let Some(known) = rule["id"].as_str().and_then(|id| contract.rule(id)) {
            rule["text"] = Value::from(known.text.clone());
            rule["source"] = Value::from(known.source.clone());
        }
    }
    let page = assembled(PAGE);
    let (before, after) = page.split_once(MARK).unwrap_or((&page, ""));
    format!("{before}{}{}\n", embedded(report), after.trim_end())
}

/// JSON as it may stand in a page: nothing in it can end the script that holds it, nor move or hide what the page shows.
pub(crate) fn embedded(mut value: Value) -> String {
    spell(&mut value);
    value.to_string().replace('<', "\\u003c")
}

/// Makes each text of it printable; lines stay, since a page shows them as such.
fn spell(value: &mut Value) {
    match value {
        Value::String(text) => *text = Printable::of_lines(text).to_string(),
        Value::Array(items) => items.iter_mut().for_each(spell),
        Value::Object(object) => object.values_mut().for_each(spell),
        _ => {}
    }
}
