//! Pages that gather rules of all chapters: surprises, rules that cannot be observed, derived rules.

use crate::book::contents::Contents;
use crate::book::markup::{page as framed, prose};
use crate::book::navigation::navigation;
use crate::book::rule_entry;
use crate::contract::rule::Rule;
use crate::report::plural::plural;

pub(super) struct Ending {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    about: &'static str,
    gathers: fn(&Rule) -> bool,
    why: (&'static str, fn(&Rule) -> Option<&str>),
}

pub(super) const ALL: [Ending; 3] = [
    Ending {
        file: "_surprises.html",
        title: "surprises",
        about: "Odd, but written so: a server that does the sensible thing instead does not conform.",
        gathers: |rule| rule.level.word() == "quirk",
        why: ("", |_| None),
    },
    Ending {
        file: "_hidden.html",
        title: "what cannot be seen",
        about: "Demanded, but no answer shows whether it holds: no case judges these.",
        gathers: |rule| rule.hidden.is_some(),
        why: ("It cannot be seen", |rule| rule.hidden.as_deref()),
    },
    Ending {
        file: "_derived.html",
        title: "derived rules",
        about: "The documents do not say it, but it follows; each has its argument.",
        gathers: |rule| rule.level.word() == "derived",
        why: ("It follows", |rule| rule.because.as_deref()),
    },
];

pub(super) fn page(book: &Contents<'_>, ending: &Ending) -> String {
    let rules = book.chapters.iter().flat_map(|(_, rules)| rules).filter(|rule| (ending.gathers)(rule));
    let entries: Vec<String> = rules
        .map(|rule| {
            let (label, reason) = ending.why;
            let told = |why: &str| format!("<p><b>{label}:</b> {}</p>\n", prose(why));
            let why = reason(rule).map_or_else(String::new, told);
            rule_entry::brief(book, rule, &why)
        })
        .collect();
    let count =
        if entries.is_empty() { "There is none.".to_owned() } else { format!("{}.", plural(entries.len(), "rule")) };
    let body = format!("<h1>{}</h1>\n<p>{} {count}</p>\n{}", capital(ending.title), ending.about, entries.concat());
    framed(&format!("{}: the contract", ending.title), &navigation(book, ending.file), &body)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
