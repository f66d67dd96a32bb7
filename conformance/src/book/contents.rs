//! The data of the book's pages. Writes no markup.

use std::collections::BTreeMap;

use crate::book::examples::Examples;
use crate::case::Case;
use crate::contract::locations;
use crate::contract::rule::{self, Contract, Level, Rule};
use crate::report::parsed::{ParsedCase, ParsedReport, Standing};

/// Further cases of a rule are folded.
pub(super) const CASES_OPEN: usize = 3;

pub(super) const LEVELS: [(Level, &str); 4] = [
    (Level::Stated, "the documents say so"),
    (Level::Quirk, "odd, but written so"),
    (Level::Derived, "follows by an argument"),
    (Level::Open, "silent or unclear: each accepted reading is as good as another"),
];

pub(super) struct Contents<'b> {
    pub(super) contract: &'b Contract,
    cases: &'b [&'b Case],
    /// A report whose verdicts and readings are shown beside the rules.
    pub(super) report: Option<&'b ParsedReport>,
    pub(super) examples: Examples,
    pub(super) pages: Vec<Page<'b>>,
}

pub(super) struct Page<'b> {
    pub(super) file: String,
    pub(super) title: &'b str,
    pub(super) kind: Kind,
    /// The rules with an entry on the page.
    pub(super) rules: Vec<&'b Rule>,
}

pub(super) enum Kind {
    Overview,
    Chapter,
    Gathering(&'static Gathering),
    Ledger,
}

/// A page of rules of all chapters.
pub(super) struct Gathering {
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    gathers: fn(&Rule) -> bool,
    /// The label of the argument that it shows.
    pub(super) label: &'static str,
}

const GATHERINGS: [Gathering; 3] = [
    Gathering {
        file: "_surprises.html",
        title: "surprises",
        about: "Odd, but written so: a server that does the sensible thing instead does not conform.",
        gathers: |rule| rule.level == Level::Quirk,
        label: "",
    },
    Gathering {
        file: "_hidden.html",
        title: "what cannot be seen",
        about: "Demanded, but no answer shows whether it holds: no case judges these.",
        gathers: |rule| rule.hidden.is_some(),
        label: "It cannot be seen",
    },
    Gathering {
        file: "_derived.html",
        title: "derived rules",
        about: "The documents do not say it, but it follows; each has its argument.",
        gathers: |rule| rule.level == Level::Derived,
        label: "It follows",
    },
];

impl<'b> Contents<'b> {
    pub(super) fn new(contract: &'b Contract, cases: &'b [&'b Case], report: Option<&'b ParsedReport>) -> Self {
        let mut chapters: BTreeMap<&str, Vec<&Rule>> = BTreeMap::new();
        for rule in contract.rules() {
            chapters.entry(rule.chapter()).or_default().push(rule);
        }
        let mut chapters: Vec<_> = chapters.into_iter().collect();
        // In the order of the cases, which is that of the documents; their rules as they are declared.
        chapters
            .sort_by_key(|(chapter, _)| cases.iter().position(|case| case.chapter == *chapter).unwrap_or(usize::MAX));
        chapters.iter_mut().for_each(|(_, rules)| rules.sort_by_key(|rule| line_of(rule)));
        let all: Vec<&Rule> = chapters.iter().flat_map(|(_, rules)| rules).copied().collect();
        let page = |file: &str, title, kind, rules| Page { file: file.to_owned(), title, kind, rules };
        let gathered = GATHERINGS.iter().map(|one| {
            let rules = all.iter().copied().filter(|rule| (one.gathers)(rule)).collect();
            page(one.file, one.title, Kind::Gathering(one), rules)
        });
        let middle = chapters.into_iter().map(|(title, rules)| page(&file_of(title), title, Kind::Chapter, rules));
        let first = page("index.html", "overview", Kind::Overview, all.clone());
        let last = page("_ledger.html", "sentence by sentence", Kind::Ledger, Vec::new());
        let pages = [first].into_iter().chain(middle).chain(gathered).chain([last]).collect();
        Self { contract, cases, report, examples: Examples::reviewed(), pages }
    }

    pub(super) fn chapters(&self) -> impl Iterator<Item = &Page<'b>> {
        self.pages.iter().filter(|page| matches!(page.kind, Kind::Chapter))
    }

    pub(super) fn judging(&self, rule: &Rule) -> Vec<&'b Case> {
        self.cases.iter().copied().filter(|case| case.rules.contains(&rule.id.as_str())).collect()
    }

    pub(super) fn verdict(&self, rule: &Rule) -> Option<&str> {
        self.report?.verdict(&rule.id)
    }

    pub(super) fn verdict_of_case(&self, id: &str) -> Option<&ParsedCase> {
        self.report?.cases.iter().find(|case| case.id == id)
    }

    pub(super) fn is(&self, rule: &Rule, standing: Standing) -> bool {
        self.verdict(rule).is_some_and(|verdict| Standing::of(verdict) == standing)
    }

    pub(super) fn count(&self, rules: &[&Rule], standing: Standing) -> usize {
        rules.iter().filter(|rule| self.is(rule, standing)).count()
    }

    pub(super) fn seen(&self, rule: &Rule) -> Vec<&str> {
        self.report.and_then(|report| report.readings().remove(rule.id.as_str())).unwrap_or_default()
    }

    pub(super) fn unaccepted(&self, rule: &Rule) -> Vec<&str> {
        self.seen(rule).into_iter().filter(|seen| rule.reading(seen).is_none()).collect()
    }
}

impl Page<'_> {
    pub(super) fn is_chapter(&self) -> bool {
        matches!(self.kind, Kind::Chapter)
    }

    pub(super) fn about(&self) -> Option<String> {
        rule::about_chapter(self.title)
    }

    pub(super) fn of_level(&self, level: Level) -> usize {
        self.rules.iter().filter(|rule| rule.level == level).count()
    }

    /// `3 stated, 1 open`
    pub(super) fn levels(&self) -> String {
        let counts = LEVELS.map(|(level, _)| (self.of_level(level), level.word()));
        let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// Why the rule follows, why it cannot be observed, why no line of the reference decides it.
pub(super) fn arguments(rule: &Rule) -> impl Iterator<Item = (&'static str, &str)> {
    let arguments = [
        ("It follows", &rule.because),
        ("Reported, not judged", &rule.told),
        ("It cannot be seen", &rule.hidden),
        ("No line of the reference decides it", &rule.unbuilt),
    ];
    arguments.into_iter().filter_map(|(label, why)| Some((label, why.as_deref()?)))
}

pub(super) fn file_of(chapter: &str) -> String {
    format!("{chapter}.html")
}

pub(super) fn link_to(rule: &str) -> String {
    rule.replacen('/', ".html#", 1)
}

fn line_of(rule: &Rule) -> u32 {
    let place = locations::rule(&rule.id).and_then(|place| place.rsplit_once(':'));
    place.and_then(|(_, line)| line.parse().ok()).unwrap_or_default()
}
