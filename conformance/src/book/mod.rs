//! The book of the contract: a page per chapter, made from rules, cases and snapshots, with the verdicts of a report if one is given.
//!
//! Quotes no word of the documents. Returns pages and writes none. Their markup is that of the templates in this folder, XML as well as
//! HTML, so that any XML parser reads it. Pages need no network; without JavaScript only the search is missing.

mod contents;
mod examples;

use askama::Template;
use askama::filters::Safe;

use crate::book::contents::{CASES_OPEN, Contents, Kind, LEVELS, Page, file_of, link_to};
use crate::case::Case;
use crate::contract::edition;
use crate::contract::ledger::Ledger;
use crate::contract::rule::Contract;
use crate::report::html::{STYLE, escaped, rendered};
use crate::report::parsed::{ParsedReport, Standing};
use crate::report::plural::plural;

const OWN_STYLE: &str = include_str!("book.css");
const STYLE_FILE: &str = "style.css";

/// Searches and filters the entries of a page. It avoids ampersands and angle brackets, which XML would parse.
const SCRIPT: &str = include_str!("search.js");

#[derive(Template)]
#[template(path = "book/page.html")]
struct Text<'b> {
    book: &'b Contents<'b>,
    page: &'b Page<'b>,
    before: Option<&'b Page<'b>>,
    after: Option<&'b Page<'b>>,
}

/// File and text of each page, and at the end of the style that they share.
pub(crate) fn pages(contract: &Contract, cases: &[&Case], report: Option<&ParsedReport>) -> Vec<(String, String)> {
    let book = &Contents::new(contract, cases, report);
    let text = |(at, page): (usize, &Page<'_>)| {
        let [before, after] = [at.checked_sub(1), Some(at + 1)].map(|at| book.pages.get(at?));
        (page.file.clone(), rendered(&Text { book, page, before, after }))
    };
    let style = (STYLE_FILE.to_owned(), format!("{STYLE}\n{OWN_STYLE}"));
    book.pages.iter().enumerate().map(text).chain([style]).collect()
}

fn prose(text: &str) -> Safe<String> {
    let marked = |(index, part): (usize, &str)| {
        if index % 2 == 0 { part.to_owned() } else { format!("<code>{part}</code>") }
    };
    Safe(escaped(text).split('`').enumerate().map(marked).collect())
}

/// The purpose of a chapter, with links to the chapters that it names.
fn linked(book: &Contents<'_>, about: &str) -> Safe<String> {
    let prose = prose(about).0;
    let words = prose.split(' ').map(|word| match word.split_once(".toml") {
        Some((chapter, rest)) if book.chapters().any(|known| known.title == chapter) => {
            format!("<a href=\"{}\">{chapter}</a>{rest}", file_of(chapter))
        }
        _ => word.to_owned(),
    });
    Safe(words.collect::<Vec<_>>().join(" "))
}
