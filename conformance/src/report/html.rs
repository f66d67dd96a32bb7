//! The report as one page for a browser: no network, no server. The page reads the json report that stands in it.

use std::io::{self, Write};

use serde_json::Value;

use crate::contract::rule::Contract;
use crate::report::json;
use crate::runner::outcome::RunOutcome;

/// The page, with a mark where the report goes.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "/*REPORT*/";

/// Writes it.
///
/// # Errors
/// When the writer fails.
pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let mut report = json::value(outcome);
    let contract = Contract::built_in();
    for rule in report["rules"].as_array_mut().into_iter().flatten() {
        if let Some(known) = rule["id"].as_str().and_then(|id| contract.rule(id)) {
            rule["text"] = Value::from(known.text.clone());
            rule["source"] = Value::from(known.source.clone());
        }
    }
    // Nothing in the report can end the script that holds it.
    let report = report.to_string().replace('<', "\\u003c");
    let (before, after) = PAGE.split_once(MARK).unwrap_or((PAGE, ""));
    writeln!(out, "{before}{report}{}", after.trim_end())
}
