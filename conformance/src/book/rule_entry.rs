//! A rule in the book: level, sentence, argument, accepted readings, an example, its cases, and the implementation's
//! answers.

use crate::book::contents::{Contents, link_to};
use crate::book::examples::Example;
use crate::book::markup::{escaped, prose};
use crate::contract::rule::Rule;
use crate::report::parsed::Standing;
use crate::report::plural::plural;

const CASES_OPEN: usize = 3;

/// The whole entry; its anchor is the rule's name without the chapter.
pub(super) fn whole(book: &Contents<'_>, rule: &Rule) -> String {
    let name = rule.id.split_once('/').map_or("", |(_, name)| name);
    let red = red(book, rule);
    let mut entry = format!("<article class=\"card\" data-entry=\"\"{red} id=\"{name}\">\n");
    entry.push_str(&head(book, rule, &format!("#{name}")));
    entry.push_str(&target(book, rule));
    entry.push_str(&cases(book, rule));
    entry.push_str(&argument(rule));
    entry.push_str(&accepted(book, rule));
    entry.push_str(&book.examples.of(&rule.id).map(example).unwrap_or_default());
    entry + "</article>\n"
}

/// The entry on a page of other chapters: it links to the whole one and gives the reason.
pub(super) fn brief(book: &Contents<'_>, rule: &Rule, why: &str) -> String {
    let head = head(book, rule, &link_to(&rule.id));
    let red = red(book, rule);
    format!("<article class=\"card\" data-entry=\"\"{red}>\n{head}{why}{}</article>\n", target(book, rule))
}

pub(super) fn row(book: &Contents<'_>, rule: &Rule) -> String {
    let (link, level, verdict, red) = (link_to(&rule.id), rule.level.word(), verdict(book, rule), red(book, rule));
    let (id, text) = (escaped(&rule.id), prose(&rule.text));
    format!(
        "<tr data-entry=\"\"{red}><td><a class=\"id\" href=\"{link}\">{id}</a> <span class=\"badge {level}\">{level}</span> {verdict}<br />{text}</td></tr>\n"
    )
}

fn head(book: &Contents<'_>, rule: &Rule, link: &str) -> String {
    let (level, verdict) = (rule.level.word(), verdict(book, rule));
    let (id, text, source) = (escaped(&rule.id), prose(&rule.text), escaped(&rule.source));
    format!(
        "<h2><a class=\"id\" href=\"{link}\">{id}</a> <span class=\"badge {level}\">{level}</span> {verdict}</h2>\n\
         <p>{text}</p>\n<p class=\"faint\">{source}</p>\n"
    )
}

fn verdict(book: &Contents<'_>, rule: &Rule) -> String {
    let word = book.report.and_then(|report| report.verdict(&rule.id));
    word.map_or_else(String::new, |word| format!("<span class=\"word {word}\">{}</span>", word.replace('_', "-")))
}

fn red(book: &Contents<'_>, rule: &Rule) -> &'static str {
    let verdict = book.report.and_then(|report| report.verdict(&rule.id));
    if verdict.is_some_and(|verdict| Standing::of(verdict) == Standing::Red) { " data-red=\"\"" } else { "" }
}

/// Why the rule follows, why it cannot be observed, why no line of the reference decides it.
fn argument(rule: &Rule) -> String {
    let reasons = [
        ("It follows", &rule.because),
        ("Reported, not judged", &rule.told),
        ("It cannot be seen", &rule.hidden),
        ("No line of the reference decides it", &rule.unbuilt),
    ];
    let told =
        reasons.into_iter().filter_map(|(what, why)| Some(format!("<p><b>{what}:</b> {}</p>\n", prose(why.as_ref()?))));
    told.collect()
}

/// The readings of an open rule, the reference's first; marks those of the implementation.
fn accepted(book: &Contents<'_>, rule: &Rule) -> String {
    if rule.accepts.is_empty() {
        return String::new();
    }
    let readings = rule.accepts.iter().enumerate().map(|(index, reading)| {
        let seen = seen_of(book, rule).contains(&reading.id.as_str());
        let class = if seen { " class=\"seen\"" } else { "" };
        let mut marks = Vec::new();
        if index == 0 {
            marks.push("the reference");
        }
        if seen {
            marks.push(book.report.map_or("", |report| report.target.name.as_str()));
        }
        let marks = if marks.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"faint\">({})</span>", escaped(&marks.join(", ")))
        };
        format!("<li{class}>{}{marks}</li>", prose(&reading.text))
    });
    format!("<p>Accepted:</p>\n<ul>{}</ul>\n", readings.collect::<String>())
}

fn seen_of<'b>(book: &'b Contents<'_>, rule: &Rule) -> Vec<&'b str> {
    book.report.map(|report| report.readings().remove(rule.id.as_str()).unwrap_or_default()).unwrap_or_default()
}

fn target(book: &Contents<'_>, rule: &Rule) -> String {
    let Some(report) = book.report else { return String::new() };
    let name = escaped(&report.target.name);
    let mut told = String::new();
    if let Some(mismatch) = report.mismatch(&rule.id) {
        let (want, got) = (escaped(&mismatch.want), escaped(&mismatch.got));
        told.push_str(&format!(
            "<p class=\"target\"><b>{name}:</b> want {want}, <span class=\"fail\">got {got}</span></p>\n"
        ));
    }
    let others: Vec<_> = seen_of(book, rule);
    let others: Vec<_> =
        others.into_iter().filter(|seen| !rule.accepts.iter().any(|known| known.id == **seen)).collect();
    if !others.is_empty() {
        told.push_str(&format!("<p class=\"target\"><b>{name}:</b> {}</p>\n", escaped(&others.join("; "))));
    }
    told
}

fn example(example: &Example) -> String {
    let mark = example.header.map(|header| format!("< {header}: "));
    let lines = example.step.exchange();
    let lines = lines.lines().map(|line| match &mark {
        Some(mark) if line.starts_with(mark.as_str()) => format!("<mark>{}</mark>", escaped(line)),
        _ => escaped(line),
    });
    let text: Vec<_> = lines.collect();
    format!(
        "<details><summary>Example: {}</summary><pre tabindex=\"0\">{}</pre></details>\n",
        escaped(&example.name),
        text.join("\n")
    )
}

fn cases(book: &Contents<'_>, rule: &Rule) -> String {
    let judging: Vec<_> = book.cases.iter().filter(|case| case.rules.contains(&rule.id.as_str())).collect();
    if judging.is_empty() {
        return String::new();
    }
    let verdict = |id: &str| {
        let case = book.report.and_then(|report| report.cases.iter().find(|case| case.id == id));
        case.map_or_else(String::new, |case| {
            format!(" <span class=\"word {0}\">{1}</span>", case.verdict, case.verdict.replace('_', "-"))
        })
    };
    let items = judging.iter().map(|case| {
        let id = case.id();
        format!("<li><span class=\"id\">{}</span>{}<br />{}</li>", escaped(&id), verdict(&id), prose(case.about.trim()))
    });
    let (items, count) = (items.collect::<String>(), plural(judging.len(), "case"));
    let open = if judging.len() <= CASES_OPEN { " open=\"\"" } else { "" };
    format!("<details{open}><summary>Judged by {count}</summary><ul>{items}</ul></details>\n")
}
