//! The report as TAP 14: a line a case, with a YAML block beneath what did not pass.

use askama::Template;
use askama::filters::Safe;
use serde_json::Value;

use crate::contract::edition;
use crate::printable::spelled;
use crate::runner::outcome::{RunOutcome, Verdict};

#[derive(Template)]
#[template(path = "report/report.tap")]
pub(super) struct Report<'o> {
    pub(super) outcome: &'o RunOutcome,
}

escaper! {
    /// `#` begins a directive.
    Tap by |text: &str| spelled(text).replace('#', "\\#")
}

fn quoted(text: &str) -> Safe<Value> {
    Safe(spelled(text).into())
}
