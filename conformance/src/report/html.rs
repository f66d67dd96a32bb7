//! The report as one page for a browser, which needs no network and no server: it contains the json report, and reads it.

use std::fmt;
use std::io::{self, Write};

use askama::Template;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::contract::rule::Contract;
use crate::printable::Printable;
use crate::report::json;
use crate::runner::outcome::RunOutcome;

const TRACE: &str = include_str!("trace.js");

pub(crate) const STYLE: &str = include_str!("style.css");

/// The script that pages share.
pub(crate) const PRELUDE: &str = include_str!("prelude.js");

escaper! {
    /// Spells values in the templates of pages.
    Markup by escaped
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(crate) fn rendered(page: &impl Template) -> String {
    page.render().expect("text can be written to memory")
}

#[derive(Template)]
#[template(path = "report/page.html")]
pub(super) struct Page {
    report: Embedded,
}

impl Page {
    pub(super) fn of(outcome: &RunOutcome) -> Self {
        let mut report = json::value(outcome);
        report["book"] = Value::from(outcome.book.as_deref().map(|book| book.trim_end_matches('/')));
        let contract = Contract::built_in();
        for rule in report["rules"].as_array_mut().into_iter().flatten() {
            if let Some(known) = rule["id"].as_str().and_then(|id| contract.rule(id)) {
                rule["text"] = Value::from(known.text.clone());
                rule["source"] = Value::from(known.source.clone());
            }
        }
        Self { report: Embedded(report) }
    }
}

/// JSON inside a page: can neither end its script nor move or hide what the page shows. Written piece by piece, since traffic is long.
pub(crate) struct Embedded(pub(crate) Value);

impl fmt::Display for Embedded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        serde_json::to_writer(Script(out), &Spelled(&self.0)).map_err(|_| fmt::Error)
    }
}

struct Script<'o, 'f>(&'o mut fmt::Formatter<'f>);

impl Write for Script<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(&text.replace('<', r"\u003c")).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value whose texts are made printable; keeps their line ends, which a page shows.
struct Spelled<'v>(&'v Value);

impl Serialize for Spelled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) => serializer.serialize_str(Printable::of_lines(text).as_str()),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Spelled)),
            Value::Object(object) => serializer.collect_map(object.iter().map(|(key, value)| (key, Spelled(value)))),
            other => other.serialize(serializer),
        }
    }
}
