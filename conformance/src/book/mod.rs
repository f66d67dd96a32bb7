//! The book of the contract: a page per chapter, made from the rules, the cases and the snapshots, and the verdicts of
//! a report, if one is given.
//!
//! Quotes no word of the documents. Returns pages and writes none.

mod chapter;
mod contents;
mod ending;
mod examples;
mod ledger;
pub(crate) mod markup;
mod navigation;
mod overview;
mod rule_entry;

use crate::book::contents::{Contents, INDEX, STYLE_FILE, file_of};
use crate::case::Case;
use crate::contract::rule::Contract;
use crate::report::parsed::ParsedReport;

/// File and text of each page, and at the end of the style that they share.
pub(crate) fn pages(contract: &Contract, cases: &[&Case], report: Option<&ParsedReport>) -> Vec<(String, String)> {
    let endings = ending::ALL.iter().map(|ending| (ending.file, ending.title)).chain([ledger::PAGE]);
    let book = Contents::new(contract, cases, report, endings);
    let chapters =
        book.chapters.iter().map(|(chapter, rules)| (file_of(chapter), chapter::page(&book, chapter, rules)));
    let endings = ending::ALL.iter().map(|ending| (ending.file.to_owned(), ending::page(&book, ending)));
    let ledger = (ledger::PAGE.0.to_owned(), ledger::page(&book));
    let style = (STYLE_FILE.to_owned(), markup::style());
    let first = (INDEX.to_owned(), overview::page(&book));
    [first].into_iter().chain(chapters).chain(endings).chain([ledger, style]).collect()
}
