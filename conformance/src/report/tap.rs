//! The report as TAP 14: a line a case, with a YAML block beneath what did not pass.

use std::fmt;

use askama::Template;
use askama::filters::{Escaper, Safe};
use serde_json::Value;

use crate::contract::edition;
use crate::printable::spelled;
use crate::runner::outcome::RunOutcome;
use crate::runner::verdict::Verdict;

#[derive(Template)]
#[template(path = "report/report.tap")]
pub(super) struct Report<'o> {
    pub(super) outcome: &'o RunOutcome,
}

/// `#` begins a directive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tap;

impl Escaper for Tap {
    fn write_escaped_str<W: fmt::Write>(&self, mut out: W, text: &str) -> fmt::Result {
        out.write_str(&spelled(text).replace('#', "\\#"))
    }
}

fn quoted(text: &str) -> Safe<Value> {
    Safe(spelled(text).into())
}
