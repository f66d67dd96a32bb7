//! The report as one page for a browser: no network, no server. The page reads the json report that stands in it.

use std::fmt;
use std::io::{self, Write};

use askama::Template;
use askama::filters::Escaper;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::contract::rule::Contract;
use crate::printable::Printable;
use crate::report::json;
use crate::runner::outcome::RunOutcome;

/// The page, with a mark where the report goes.
const PAGE: &str = include_str!("page.html");
const MARK: &str = "/*REPORT*/";
const TRACE: &str = include_str!("trace.js");

/// How pages look, light and dark, on a phone and on a desk.
pub(crate) const STYLE: &str = include_str!("style.css");

const PRELUDE: &str = include_str!("prelude.js");

/// Spells values in the templates of pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Markup;

impl Escaper for Markup {
    fn write_escaped_str<W: fmt::Write>(&self, mut out: W, text: &str) -> fmt::Result {
        out.write_str(&escaped(text))
    }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(crate) fn rendered(page: &impl Template) -> String {
    page.render().expect("text can be written to memory")
}

/// A page with what all of them share in its place.
pub(crate) fn assembled(page: &str) -> String {
    page.replacen("/*STYLE*/", STYLE, 1).replacen("/*PRELUDE*/", PRELUDE, 1)
}

pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let mut report = json::value(outcome);
    report["book"] = Value::from(outcome.book.as_deref().map(|book| book.trim_end_matches('/')));
    let contract = Contract::built_in();
    for rule in report["rules"].as_array_mut().into_iter().flatten() {
        if let Some(known) = rule["id"].as_str().and_then(|id| contract.rule(id)) {
            rule["text"] = Value::from(known.text.clone());
            rule["source"] = Value::from(known.source.clone());
        }
    }
    let page = assembled(PAGE).replacen("/*TRACE*/", TRACE, 1);
    let (before, after) = page.split_once(MARK).unwrap_or((&page, ""));
    write!(out, "{before}")?;
    serde_json::to_writer(Script(&mut *out), &Spelled(&report))?;
    writeln!(out, "{}", after.trim_end())
}

/// JSON as it may stand in a page: nothing in it can end the script that holds it, nor move or hide what the page shows.
pub(crate) fn embedded(value: &Value) -> String {
    let mut text = Vec::new();
    // Neither a value nor memory fails.
    _ = serde_json::to_writer(Script(&mut text), &Spelled(value));
    String::from_utf8_lossy(&text).into_owned()
}

struct Script<'w>(&'w mut dyn Write);

impl Write for Script<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (index, piece) in bytes.split(|byte| *byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(br"\u003c")?;
            }
            self.0.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A value whose texts are printable; their lines stay, since a page shows them as such.
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
