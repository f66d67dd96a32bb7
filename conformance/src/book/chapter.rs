//! The page of a chapter in the book.

use crate::book::contents::{Contents, file_of};
use crate::book::markup::{escaped, page as framed, prose};
use crate::book::navigation::navigation;
use crate::book::rule_entry;
use crate::contract::rule;
use crate::contract::rule::Rule;
use crate::report::plural::plural;

pub(super) fn page(book: &Contents<'_>, chapter: &str, rules: &[&Rule]) -> String {
    let entries: String = rules.iter().map(|rule| rule_entry::whole(book, rule)).collect();
    let about = about(book, chapter).map_or_else(String::new, |about| format!("<p>{about}</p>\n"));
    let title = escaped(chapter);
    let body = format!("<h1>{title}</h1>\n{about}<p class=\"faint\">{}</p>\n{entries}", counts(rules));
    framed(&format!("{chapter}: the contract"), &navigation(book, &file_of(chapter)), &body)
}

/// The purpose of a chapter, with links to the chapters that it names.
pub(super) fn about(book: &Contents<'_>, chapter: &str) -> Option<String> {
    rule::about_chapter(chapter).map(|about| linked(book, &prose(&about)))
}

fn linked(book: &Contents<'_>, text: &str) -> String {
    let words = text.split(' ').map(|word| match word.split_once(".toml") {
        Some((chapter, rest)) if book.chapters.iter().any(|(known, _)| *known == chapter) => {
            format!("<a href=\"{}\">{chapter}</a>{rest}", file_of(chapter))
        }
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn counts(rules: &[&Rule]) -> String {
    let words = ["stated", "quirk", "derived", "open"];
    let counts = words.map(|word| (rules.iter().filter(|rule| rule.level.word() == word).count(), word));
    let told: Vec<_> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    format!("{}: {}", plural(rules.len(), "rule"), told.join(", "))
}
