//! The first page: a table of the chapters in the order of the documents, with the counts of a report, and a list of
//! all rules.

use crate::book::chapter;
use crate::book::contents::{Contents, INDEX, file_of};
use crate::book::ending;
use crate::book::ledger;
use crate::book::markup::{escaped, page as framed};
use crate::book::navigation::navigation;
use crate::book::rule_entry;
use crate::contract::edition;
use crate::contract::rule::Rule;
use crate::report::parsed::Standing;

const LEVELS: [(&str, &str); 4] = [
    ("stated", "the documents say so"),
    ("quirk", "odd, but written so"),
    ("derived", "follows by an argument"),
    ("open", "silent or unclear: each accepted reading is as good as another"),
];

pub(super) fn page(book: &Contents<'_>) -> String {
    let all: Vec<&Rule> = book.chapters.iter().flat_map(|(_, rules)| rules.iter().copied()).collect();
    let target = book.report.map_or_else(String::new, |report| {
        format!(
            "<p>Judged: {}, <span class=\"word {1}\">{1}</span>, {2}, {3}.</p>\n",
            escaped(&report.target.name),
            escaped(&report.result),
            escaped(&report.started_at),
            escaped(&report.suite.in_words())
        )
    });
    let body = format!(
        "<h1>The contract of the Library Catalogue Service</h1>\n\
         <p>{} rules in {} chapters, in words of their own; {}.</p>\n{target}{}{}{}{}",
        all.len(),
        book.chapters.len(),
        edition::in_words(),
        levels(),
        chapters(book),
        endings(),
        rules(book, &all)
    );
    framed("The contract", &navigation(book, INDEX), &body)
}

fn levels() -> String {
    let item = |(level, meaning)| format!("<li><span class=\"badge {level}\">{level}</span> {meaning}</li>");
    format!("<ul>{}</ul>\n", LEVELS.map(item).concat())
}

/// A row per chapter: how many rules of each level, and how many of the judged ones hold.
fn chapters(book: &Contents<'_>) -> String {
    let level_heads = LEVELS.map(|(level, _)| format!("<th class=\"n\">{level}</th>")).concat();
    let report_heads = if book.report.is_some() {
        "<th class=\"n\">hold</th><th class=\"n\">broken</th><th class=\"n\">not judged</th>"
    } else {
        ""
    };
    let rows: String = book.chapters.iter().map(|(chapter, rules)| row(book, chapter, rules)).collect();
    format!(
        "<table class=\"chapters\"><thead><tr><th>chapter</th>{report_heads}{level_heads}</tr></thead>\n<tbody>{rows}</tbody></table>\n"
    )
}

fn row(book: &Contents<'_>, chapter: &str, rules: &[&Rule]) -> String {
    let cell = |count: usize, class: &str| match count {
        0 => "<td class=\"n\"></td>".to_owned(),
        _ => format!("<td class=\"n {class}\">{count}</td>"),
    };
    let levels = LEVELS.map(|(level, _)| cell(rules.iter().filter(|rule| rule.level.word() == level).count(), ""));
    let [holds, broken] = [Standing::Holds, Standing::Red].map(|standing| book.count(rules, standing));
    let verdicts = holds.zip(broken).map_or_else(String::new, |(holds, broken)| {
        let left = rules.len() - holds - broken;
        [cell(holds, "pass"), cell(broken, "fail"), cell(left, "skipped")].concat()
    });
    let about = chapter::about(book, chapter).unwrap_or_default();
    let is_red = if broken.unwrap_or_default() > 0 { " data-red=\"\"" } else { "" };
    format!(
        "<tr{is_red}><td><a href=\"{}\">{}</a><div class=\"faint about\">{about}</div></td>{verdicts}{}</tr>\n",
        file_of(chapter),
        escaped(chapter),
        levels.concat()
    )
}

fn endings() -> String {
    let pages = ending::ALL.iter().map(|ending| (ending.file, ending.title)).chain([ledger::PAGE]);
    let links: Vec<_> = pages.map(|(file, title)| format!("<a href=\"{file}\">{title}</a>")).collect();
    format!("<p>Across the chapters: {}.</p>\n", links.join(", "))
}

/// A line per rule; folded until the page is searched or filtered.
fn rules(book: &Contents<'_>, all: &[&Rule]) -> String {
    let rows: String = all.iter().map(|rule| rule_entry::row(book, rule)).collect();
    format!(
        "<details id=\"rules\"><summary class=\"plain\">All {} rules, a line each</summary>\n\
         <table><tbody>{rows}</tbody></table></details>\n",
        all.len()
    )
}
