//! A badge: an SVG without external fonts or images, or the JSON of a shields.io endpoint.

use std::path::Path;

use askama::Template;
use serde_json::json;

use crate::report::html::rendered;
use crate::report::parsed::{ParsedReport, Standing};

const LABEL: &str = "libros";
const GREEN: &str = "#1a7a3c";
const RED: &str = "#b3261e";
const KNOWN: [&str; 3] = ["nothing-judged", "interrupted", "unreachable"];
/// The mean width of a character of 11 px, and the padding on each side of a text.
const CHAR_PX: f64 = 6.6;
const PADDING_PX: f64 = 12.0;

#[derive(Template)]
#[template(path = "compare/badge.svg")]
pub(crate) struct Badge {
    text: String,
    color: &'static str,
}

impl Badge {
    pub(crate) fn for_report(report: &ParsedReport) -> Self {
        let standing = |wanted| report.rules.iter().filter(|rule| Standing::of(&rule.verdict) == wanted).count();
        let (holds, red) = (standing(Standing::Holds), standing(Standing::Red));
        let (text, color) = match report.result.as_str() {
            "conformant" => (format!("conformant, {holds} rules"), GREEN),
            "partial" => (format!("partial, {holds} rules hold"), "#8a6100"),
            "undecided" => (format!("undecided, {holds} rules hold"), "#8a6100"),
            "not-conformant" => (format!("not conformant, {red} of {} rules broken", holds + red), RED),
            other if KNOWN.contains(&other) => (other.replace('-', " "), "#5c666e"),
            _ => ("unknown".to_owned(), "#5c666e"),
        };
        Self { text, color }
    }

    pub(crate) fn for_faults(killed: usize, all: usize) -> Self {
        let color = if killed == all { GREEN } else { RED };
        Self { text: format!("{killed} of {all} faults caught"), color }
    }

    /// The content of this file: for `.json` that of a shields.io endpoint, else the image.
    pub(crate) fn written_as(&self, path: &Path) -> String {
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        if !is_json {
            return rendered(self);
        }
        let Self { text, color } = self;
        let color = color.trim_start_matches('#');
        format!("{}\n", json!({ "schemaVersion": 1, "label": LABEL, "message": text, "color": color }))
    }
}

fn px(text: &str) -> f64 {
    (text.chars().count() as f64).mul_add(CHAR_PX, PADDING_PX).round()
}
