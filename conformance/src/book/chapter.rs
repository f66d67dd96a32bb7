//! The pages of the chapters, and the first page.

use crate::book::contents::{Contents, INDEX, file_of};
use crate::book::markup::{escaped, page as framed, prose};
use crate::book::navigation::navigation;
use crate::book::rule_entry;
use crate::contract::rule::Rule;
use crate::contract::{edition, rule};
use crate::report::parsed::Standing;
use crate::report::plural::plural;

pub(super) fn page(book: &Contents<'_>, chapter: &str) -> String {
    let rules = &book.chapters[chapter];
    let entries: String = rules.iter().map(|rule| rule_entry::whole(book, rule)).collect();
    let about = rule::about_chapter(chapter)
        .map_or_else(String::new, |about| format!("<p>{}</p>\n", linked(book, &prose(&about))));
    let title = escaped(chapter);
    let body = format!("<h1>{title}</h1>\n{about}<p class=\"faint\">{}</p>\n{entries}", counts(rules));
    framed(&format!("{chapter}: the contract"), &navigation(book, &file_of(chapter)), &body)
}

/// A link for each chapter that a text names by its file.
fn linked(book: &Contents<'_>, text: &str) -> String {
    let words = text.split(' ').map(|word| match word.split_once(".toml") {
        Some((chapter, rest)) if book.chapters.contains_key(chapter) => {
            format!("<a href=\"{}\">{chapter}</a>{rest}", file_of(chapter))
        }
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The first page: how to read the book, the chapters, every rule in a line.
pub(super) fn index(book: &Contents<'_>) -> String {
    let rules = book.contract.rules().count();
    let beside = book.report.map_or_else(String::new, |report| {
        format!(
            "<p>Beside them: {}, <span class=\"word {1}\">{1}</span>, {2}, {3}.</p>\n",
            escaped(&report.target.name),
            escaped(&report.result),
            escaped(&report.started_at),
            escaped(&report.suite.told())
        )
    });
    let groups: String = book.chapters.iter().map(|(chapter, rules)| group(book, chapter, rules)).collect();
    let body = format!(
        "<h1>The contract of the Library Catalogue Service, rule by rule</h1>\n\
         <p>{rules} rules in {} chapters, in words of their own; {}.</p>\n{beside}{LEVELS}{groups}",
        book.chapters.len(),
        edition::told()
    );
    framed("The contract, rule by rule", &navigation(book, INDEX), &body)
}

const LEVELS: &str = "<ul>\
<li><span class=\"badge stated\">stated</span> the documents say so</li>\
<li><span class=\"badge quirk\">quirk</span> odd, but written so</li>\
<li><span class=\"badge derived\">derived</span> follows by an argument</li>\
<li><span class=\"badge open\">open</span> silent or unclear: each accepted reading is as good as another</li></ul>\n";

fn group(book: &Contents<'_>, chapter: &str, rules: &[&Rule]) -> String {
    let standing = |wanted| {
        let report = book.report?;
        let found = rules.iter().filter_map(|rule| report.verdict(&rule.id));
        Some(found.filter(|verdict| Standing::of(verdict) == wanted).count())
    };
    let held = match (standing(Standing::Holds), standing(Standing::Red)) {
        (Some(0), Some(0)) => " <span class=\"skipped\">not judged</span>".to_owned(),
        (Some(holds), Some(red)) => {
            let class = if red > 0 { "fail" } else { "pass" };
            format!(" <span class=\"{class}\">{holds} of {} hold</span>", holds + red)
        }
        _ => String::new(),
    };
    let rows: String = rules.iter().map(|rule| rule_entry::row(book, rule)).collect();
    let (file, name) = (file_of(chapter), escaped(chapter));
    format!(
        "<section data-group=\"\"><h2><a href=\"{file}\">{name}</a>{held}</h2>\n<table><tbody>{rows}</tbody></table></section>\n"
    )
}

fn counts(rules: &[&Rule]) -> String {
    let words = ["stated", "quirk", "derived", "open"];
    let counts = words.map(|word| (rules.iter().filter(|rule| rule.level.word() == word).count(), word));
    let told: Vec<_> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    format!("{}: {}", plural(rules.len(), "rule"), told.join(", "))
}
