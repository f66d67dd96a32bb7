//! The outcome of each case and of the run, their verdicts, and the words of these in reports.
//!
//! Reports see only this; nothing here prints.

use std::collections::BTreeMap;
use std::time::Duration;

use libros_conformance_kit::worded;

use crate::context::case_context::Observation;
use crate::contract::rule::{Contract, Rule};
use crate::contract::verdict::CaseError;
use crate::contract::violation::Mismatch;
use crate::http::control::HookCall;
use crate::http::exchange::Exchange;
use crate::invariants::route::Route;
use crate::invariants::tally::{Class, Sample, Seen};
use crate::printable::Printable;
use crate::runner::on_reference::OnReference;

worded! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict by word {
        Pass = "pass",
        Fail = "fail",
        /// Everything held, and only open rules were judged: the readings seen are reported.
        Noted = "noted",
        ExpectedFail = "expected-fail",
        UnexpectedPass = "unexpected-pass",
        /// Not run: something it needs is not there.
        #[default]
        Skipped = "skipped",
        /// A step before the one judged failed, or no answer came in time.
        Blocked = "blocked",
        Flaky = "flaky",
        Broken = "broken",
    }
}

impl Verdict {
    pub fn holds(self) -> bool {
        matches!(self, Self::Pass | Self::Noted)
    }

    /// Did not hold, was not skipped, and was not expected to fail.
    pub fn is_red(self) -> bool {
        !self.holds() && !matches!(self, Self::ExpectedFail | Self::Skipped)
    }

    /// Whether the target failed the case in its last try.
    pub fn has_failed(self) -> bool {
        matches!(self, Self::Fail | Self::Blocked)
    }

    /// Whether the target failed a try of the case.
    pub fn has_ever_failed(self) -> bool {
        self.has_failed() || self == Self::Flaky
    }
}

worded! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RunVerdict by word {
        /// All judged rules of the interfaces offered hold.
        Conformant = "conformant",
        /// Nothing else failed, but some judged rules were skipped, a case was flaky or broken, or failures were expected.
        Partial = "partial",
        Undecided = "undecided",
        NotConformant = "not-conformant",
        NothingJudged = "nothing-judged",
        Interrupted = "interrupted",
        /// The target stopped answering, or nothing failed but its control listener.
        Unreachable = "unreachable",
    }
}

#[derive(Debug, Clone, Default)]
pub struct CaseOutcome {
    pub id: String,
    /// What the case judges, in a sentence.
    pub about: &'static str,
    pub rules: &'static [&'static str],
    // Traffic and flags that the run records while the case runs:
    pub duration_ms: u64,
    pub exchanges: Vec<Exchange>,
    pub hook_calls: Vec<HookCall>,
    pub notes: Vec<Observation>,
    pub draws: bool,
    /// Whether the case searched drawn inputs for one that fails; another run may draw none.
    pub searches: bool,
    // The judgment when the case ends; `answers`, `expected_failures` and `unscored` may change it after the run:
    pub verdict: Verdict,
    pub message: Option<String>,
    pub mismatch: Option<Mismatch>,
    pub is_hook_failure: bool,
    /// Index in [`Self::exchanges`] of the one that shows the failure; `None` means the last.
    pub(crate) judged: Option<usize>,
    /// Indices of exchanges that show the failure only together with the judged one.
    pub(crate) compared: Vec<usize>,
    /// The case that received the judged answer, if that was another: the answer broke an invariant whose rule this case judges.
    pub first_in: Option<String>,
    // What `commands` find out about a failure after the run:
    /// Faults that fit the failed cases, but on which this case sees something else.
    pub contradicts: Vec<&'static str>,
    /// Whether the case failed the same way when it was played again alone; `None` if it was not.
    pub is_reproduced: Option<bool>,
    /// The command that plays the case again.
    pub again: Option<String>,
    /// The command that sends the judged request alone, which showed the failure again.
    pub curl: Option<String>,
    pub on_reference: Option<OnReference>,
}

impl CaseOutcome {
    pub fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    pub fn without_traffic(
        id: String,
        rules: &'static [&'static str],
        verdict: Verdict,
        message: Option<String>,
    ) -> Self {
        Self { id, rules, verdict, message, ..Self::default() }
    }

    /// Whether it failed in the run, and held when it was played alone.
    pub fn held_alone(&self) -> bool {
        self.is_reproduced == Some(false)
    }

    /// The id of the case whose replay shows the judged answer.
    pub fn case_to_replay(&self) -> &String {
        self.first_in.as_ref().unwrap_or(&self.id)
    }

    /// Index of the exchange that shows the failure; the last if none is known.
    pub fn judged_index(&self) -> Option<usize> {
        self.judged.or_else(|| self.exchanges.len().checked_sub(1))
    }

    pub fn chapter(&self) -> &str {
        self.id.split("::").next().unwrap_or_default()
    }

    pub fn broken_rule(&self) -> Option<&'static str> {
        self.mismatch.as_ref().map(|mismatch| mismatch.rule)
    }

    pub fn judged_exchange(&self) -> Option<&Exchange> {
        self.exchanges.get(self.judged_index()?)
    }

    /// Whether a request got no answer in time.
    pub fn is_late(&self) -> bool {
        self.exchanges.iter().any(|exchange| exchange.received.as_ref().is_err_and(|none| none.is_late))
    }

    /// The rule of the preparation that blocked the case, if the documents name one.
    pub fn blocking_rule(&self) -> Option<&'static Rule> {
        let exchange = self.exchanges.get(self.judged?).filter(|_| self.verdict == Verdict::Blocked)?;
        Contract::built_in().rule(Route::of(&exchange.sent)?.success_rule()?)
    }

    /// Sets verdict, message and mismatch from the result of a case.
    pub fn set(&mut self, result: Result<(), CaseError>) {
        let index_of = |number: &u32| self.exchanges.iter().position(|exchange| exchange.number == *number);
        let mut showing: Vec<usize> = match &result {
            Ok(()) => Vec::new(),
            Err(CaseError::NoAnswer(_)) => {
                self.exchanges.iter().rposition(|exchange| exchange.received.is_err()).into_iter().collect()
            }
            Err(error) => error.exchanges().iter().filter_map(index_of).collect(),
        };
        (self.judged, self.compared) = (showing.pop(), showing);
        match result {
            Ok(()) => {
                self.verdict = if Contract::built_in().are_open(self.rules) { Verdict::Noted } else { Verdict::Pass };
                let readings = self.notes.iter().map(|note| format!("{}: {}", note.rule, note.meaning));
                self.message = (self.verdict == Verdict::Noted).then(|| readings.collect::<Vec<_>>().join("; "));
            }
            Err(CaseError::Mismatch(mismatch)) => {
                self.verdict = Verdict::Fail;
                self.message = Some(format!("{}: {}", mismatch.rule, mismatch.summary()));
                self.mismatch = Some(*mismatch);
            }
            Err(CaseError::NoAnswer(error)) if error.is_late => self.end(Verdict::Blocked, error.why),
            Err(CaseError::NoAnswer(error)) => self.end(Verdict::Fail, format!("no answer: {error}")),
            Err(CaseError::Blocked { step, why, .. }) => self.end(Verdict::Blocked, format!("{step}: {why}")),
            Err(CaseError::Broken(why)) => self.end(Verdict::Broken, why),
            Err(CaseError::Hook(why)) => {
                self.is_hook_failure = true;
                self.end(Verdict::Blocked, format!("the control listener failed: {why}"));
            }
        }
    }

    fn end(&mut self, verdict: Verdict, message: String) {
        (self.verdict, self.message) = (verdict, Some(message));
    }
}

#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    pub target: String,
    pub urls: BTreeMap<String, String>,
    pub control: Option<String>,
    pub nonce: String,
    pub seed: u64,
    /// Milliseconds since 1970.
    pub started_at_ms: i64,
    pub duration_ms: u64,
    pub chain: u32,
    pub selected: usize,
    pub is_complete: bool,
    /// Whether `--trace` keeps the traffic of passed cases too.
    pub is_traced: bool,
    /// Whether the human report shows the traffic of passed cases; it does not if another report keeps it.
    pub shows_passes: bool,
    /// Whether the human report shows every failure, not only the causes.
    pub is_verbose: bool,
    pub is_interrupted: bool,
    pub time_limit: Option<Duration>,
    /// The version given by `--contract`; `None` scores all rules.
    pub scored_by: Option<String>,
    /// The path from the html report to the book of the contract.
    pub book: Option<String>,
    /// Why the run ended early, when the target stopped answering.
    pub stop_reason: Option<Printable>,
    pub answers: BTreeMap<Class, Seen>,
    /// One answer of each class, if the plan keeps samples.
    pub samples: BTreeMap<(Class, Vec<String>), Sample>,
    /// One outcome a selected case, in the order of the tables.
    pub cases: Vec<CaseOutcome>,
}

impl RunOutcome {
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|case| case.verdict == verdict).count()
    }

    pub fn verdict(&self) -> RunVerdict {
        let any = |verdicts: &[Verdict]| self.cases.iter().any(|case| verdicts.contains(&case.verdict));
        let skips_a_judged_rule =
            |case: &CaseOutcome| case.verdict == Verdict::Skipped && !Contract::built_in().are_open(case.rules);
        let is_known_broken = self.time_limit.is_some() && any(&[Verdict::Fail, Verdict::UnexpectedPass]);
        if self.is_interrupted && !is_known_broken {
            RunVerdict::Interrupted
        } else if self.stop_reason.is_some() {
            RunVerdict::Unreachable
        } else if any(&[Verdict::Fail, Verdict::UnexpectedPass]) {
            RunVerdict::NotConformant
        } else if self.cases.iter().any(|case| case.is_hook_failure) {
            RunVerdict::Unreachable
        } else if any(&[Verdict::Blocked]) {
            RunVerdict::Undecided
        } else if self.cases.iter().all(|case| case.verdict == Verdict::Skipped || case.rules.is_empty()) {
            RunVerdict::NothingJudged
        } else if self.cases.iter().any(skips_a_judged_rule)
            || !self.is_complete
            || any(&[Verdict::Broken, Verdict::Flaky, Verdict::ExpectedFail])
        {
            RunVerdict::Partial
        } else {
            RunVerdict::Conformant
        }
    }

    /// The process's exit code. It agrees with [`Self::verdict`], except where the suite itself broke.
    pub fn exit_code(&self) -> u8 {
        match self.verdict() {
            RunVerdict::NotConformant | RunVerdict::Undecided => 1,
            _ if self.count(Verdict::Broken) > 0 => 70,
            RunVerdict::Conformant | RunVerdict::Partial => 0,
            RunVerdict::NothingJudged => 4,
            RunVerdict::Unreachable => 3,
            RunVerdict::Interrupted => 130,
        }
    }

    /// Why the report is incomplete, in a sentence; `None` if it is complete.
    pub fn stopped_early(&self) -> Option<String> {
        let judged = format!("{} of {} cases were judged", self.cases.len(), self.selected);
        let why = match self.time_limit {
            _ if self.is_complete => return None,
            Some(limit) => format!("the time limit of {} s ended the run", limit.as_secs()),
            None => "stopped early".to_owned(),
        };
        Some(format!("{why}: this report is incomplete, {judged}"))
    }

    /// The requests that got no answer at all, each with the case that sent it.
    fn lost(&self) -> impl Iterator<Item = (&CaseOutcome, &Exchange)> {
        let requests = self.cases.iter().flat_map(|case| case.exchanges.iter().map(move |exchange| (case, exchange)));
        requests.filter(|(_, exchange)| exchange.is_lost())
    }

    /// The request that was lost first; of those lost in the same moment, a write rather than a GET.
    pub fn unanswered(&self) -> Option<(&CaseOutcome, &Exchange)> {
        self.lost().min_by_key(|(_, exchange)| (exchange.ended_at_ms(), exchange.sent.method == "GET"))
    }

    /// ` after DELETE /libros/41 (case books::...)`, and how many were under way; empty if every request was answered.
    pub(crate) fn after_unanswered(&self) -> String {
        self.unanswered().map_or_else(String::new, |(case, exchange)| {
            let waited = self.lost().filter(|(_, other)| other.sent_at_ms <= exchange.ended_at_ms()).count();
            let among = if waited > 1 { format!(", one of {waited} requests that waited") } else { String::new() };
            format!(" after {} {} (case {}{among})", exchange.sent.method, exchange.sent.path, case.id)
        })
    }

    /// Adds the outcome of a later round of the same run; its cases replace those of earlier rounds.
    pub fn add(&mut self, later: Self) {
        self.cases.retain(|case| !later.cases.iter().any(|other| other.id == case.id));
        self.cases.extend(later.cases);
        for (class, counts) in later.answers {
            let total = self.answers.entry(class).or_default();
            total.judged += counts.judged;
            total.broken.extend(counts.broken);
        }
        self.duration_ms += later.duration_ms;
        self.chain += later.chain;
        self.is_complete = self.cases.len() == self.selected;
        (self.is_interrupted, self.time_limit, self.stop_reason) =
            (later.is_interrupted, later.time_limit, later.stop_reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::violation::Place;
    use crate::http::exchange::Sent;
    use crate::implementation::profile::Address;

    fn exchange(number: u32) -> Exchange {
        let sent = Sent::new("GET", &Address::parse("http://h:1").unwrap(), "/");
        Exchange { number, ..Exchange::new(sent, Err("none".to_owned().into())) }
    }

    #[test]
    fn the_last_exchange_that_shows_the_failure_is_judged_and_the_others_are_compared() {
        let judged = |exchanges: Vec<u32>| {
            let mut outcome = CaseOutcome::without_traffic("a::b".to_owned(), &["a/b"], Verdict::Pass, None);
            outcome.exchanges = (0..4).map(exchange).collect();
            let mismatch = Mismatch { exchanges, ..Mismatch::new("a/b", Place::STATUS, 200, 404) };
            outcome.set(Err(mismatch.into()));
            (outcome.judged_index(), outcome.compared)
        };
        assert_eq!(judged(vec![0, 2]), (Some(2), vec![0]));
        assert_eq!(judged(vec![1]), (Some(1), vec![]));
        assert_eq!(judged(vec![]), (Some(3), vec![]), "the last where none is known");
    }
}
