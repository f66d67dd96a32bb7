//! Keeps the verdict of each case from round to round: which are red, which turned, which to play first. Plays nothing.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::contract::rule::Contract;
use crate::runner::cause::causes;
use crate::runner::outcome::{CaseOutcome, Verdict};

/// The chapters in which a server grows; those not named come after them, in the order of the tables.
const GROWTH: [&str; 12] = [
    "routing",
    "books",
    "list",
    "paging",
    "errors",
    "versioning",
    "headers",
    "conditional",
    "storage",
    "consistency",
    "credentials",
    "registration",
];

#[derive(Debug)]
pub(crate) struct Board {
    /// The watched cases; with `shows_next` in the order in which a server grows.
    pub(crate) cases: Vec<&'static Case>,
    judged: BTreeMap<String, CaseOutcome>,
    /// Whether each was red when the round began, as far as it was judged.
    were_red: BTreeMap<String, bool>,
    pub(crate) shown: Option<String>,
    shows_next: bool,
}

/// Whether the case failed over a rule that is not open.
fn breaks_a_judged_rule(case: &CaseOutcome) -> bool {
    case.verdict == Verdict::Fail && case.broken_rule().is_some_and(|rule| !Contract::built_in().is_open(rule))
}

impl Board {
    /// A board without judged cases; `shows_next` shows the next failure to mend in a growing server.
    pub(crate) fn of(mut cases: Vec<&'static Case>, shows_next: bool) -> Self {
        if shows_next {
            let place = |case: &&Case| GROWTH.iter().position(|name| *name == case.chapter).unwrap_or(GROWTH.len());
            cases.sort_by_key(place);
        }
        Self { cases, judged: BTreeMap::new(), were_red: BTreeMap::new(), shown: None, shows_next }
    }

    /// Begins a round; what to play first in it.
    pub(crate) fn begin(&mut self) -> Vec<Vec<&'static Case>> {
        let mut first = self.first();
        self.were_red.extend(self.judged.iter().map(|(id, case)| (id.clone(), case.verdict.is_red())));
        if self.shows_next {
            // The next is looked for among what this round judges.
            self.judged.clear();
            first.truncate(1);
        }
        first
    }

    pub(crate) fn red(&self) -> impl Iterator<Item = &CaseOutcome> {
        self.cases.iter().filter_map(|case| self.judged.get(&case.id())).filter(|case| case.verdict.is_red())
    }

    pub(crate) fn shown(&mut self) -> Option<&mut CaseOutcome> {
        self.judged.get_mut(self.shown.as_ref()?)
    }

    pub(crate) fn within(&self, chapter: Option<&str>) -> Vec<&'static Case> {
        self.cases.iter().copied().filter(|case| chapter.is_none_or(|chapter| case.chapter == chapter)).collect()
    }

    pub(crate) fn count(&self, cases: &[&Case], has: impl Fn(&CaseOutcome) -> bool) -> usize {
        cases.iter().filter(|case| self.judged.get(&case.id()).is_some_and(&has)).count()
    }

    /// The cases that were red and hold now, and those that held and are red now.
    pub(crate) fn turned(&self) -> [Vec<&str>; 2] {
        let turned = |was_red: bool| {
            let has_turned = |case: &&CaseOutcome| {
                self.were_red.get(&case.id) == Some(&was_red)
                    && case.verdict.is_red() != was_red
                    && case.verdict != Verdict::Skipped
            };
            self.judged.values().filter(has_turned).map(|case| case.id.as_str()).collect()
        };
        [turned(true), turned(false)]
    }

    /// Takes the outcomes of a round. The shown failure stays while it fails, unless `shows_next` is set.
    pub(crate) fn take(&mut self, played: Vec<CaseOutcome>) {
        for case in played {
            self.judged.insert(case.id.clone(), case);
        }
        if self.shows_next || !self.shown().is_some_and(|case| case.verdict.is_red()) {
            self.shown = self.first_red();
        }
    }

    fn first_red(&self) -> Option<String> {
        let red: Vec<CaseOutcome> = self.red().cloned().collect();
        if !self.shows_next {
            let cause = causes(&red).into_iter().next()?;
            return cause.cases().next().map(|at| red[at].id.clone());
        }
        // A blocked case waits for another chapter. A case that fails at its first request needs least of the server.
        let chapters = self.chapters();
        let chapter = |case: &CaseOutcome| chapters.iter().position(|chapter| case.chapter() == *chapter);
        let urgency = |case: &&CaseOutcome| {
            (!breaks_a_judged_rule(case), case.verdict != Verdict::Fail, chapter(case), case.judged_index())
        };
        red.iter().min_by_key(urgency).map(|case| case.id.clone())
    }

    /// Whether the failure shown is one to mend next, rather than an open question or one blocked by another.
    pub(crate) fn has_next(&mut self) -> bool {
        self.shown().is_some_and(|case| breaks_a_judged_rule(case))
    }

    pub(crate) fn chapters(&self) -> Vec<&'static str> {
        let mut chapters: Vec<_> = self.cases.iter().map(|case| case.chapter).collect();
        chapters.dedup();
        chapters
    }

    /// What a round plays first: the shown failure, all red cases, their chapters. Plays a failure with the case that received its answer.
    fn first(&self) -> Vec<Vec<&'static Case>> {
        let is_played = |red: &CaseOutcome, id: &String| red.id == *id || red.first_in.as_ref() == Some(id);
        let is_shown = |red: &CaseOutcome| Some(&red.id) == self.shown.as_ref();
        let cases = |fits: &dyn Fn(&CaseOutcome, &Case) -> bool| {
            self.cases.iter().copied().filter(|case| self.red().any(|red| fits(red, case))).collect::<Vec<_>>()
        };
        let shown = cases(&|red, case| is_shown(red) && is_played(red, &case.id()));
        let all_red = cases(&|red, case| is_played(red, &case.id()));
        let mut steps = vec![shown, all_red, cases(&|red, case| red.chapter() == case.chapter)];
        steps.dedup_by_key(|cases| cases.len());
        steps.retain(|cases| !cases.is_empty());
        steps
    }
}
