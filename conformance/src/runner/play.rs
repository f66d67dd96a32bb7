//! Plays one case alone, and collects the rules that its answers broke: for replays, and for the reference beside a failure.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::case::Case;
use crate::context::session::Session;
use crate::invariants::tally::Broken;
use crate::runner::answers;
use crate::runner::outcome::CaseOutcome;
use crate::runner::run::{Plan, Run};

#[derive(Debug)]
pub struct Played {
    pub outcome: CaseOutcome,
    /// Rules for all answers that its answers broke, each with one answer that did.
    pub broken: BTreeMap<&'static str, Broken>,
}

/// Plays the case; `is_exclusive` says whether no one else uses the target.
pub fn play(session: &Session, case: &'static Case, is_exclusive: bool, stop: &AtomicBool) -> Option<Played> {
    let plan = Plan { jobs: 1, keeps_traffic: true, is_exclusive, ..Plan::default() };
    let cases = [case];
    let run = Run::new(session, &cases, &plan, &(), stop);
    run.judge_all();
    let outcome = run.take_ended().pop()?;
    Some(Played { outcome, broken: run.watcher.take().broken })
}

impl Played {
    /// The outcome; failed for `rule` if not the case itself but one of its answers broke that rule.
    #[must_use]
    pub fn judged_by(mut self, rule: Option<&str>) -> CaseOutcome {
        if self.outcome.broken_rule() != rule
            && let Some(broken) = rule.and_then(|rule| self.broken.get(rule))
        {
            answers::fail(&mut self.outcome, broken);
        }
        self.outcome
    }

    /// The outcome; if the case itself holds, failed for any rule for all answers that was broken.
    #[must_use]
    pub fn judged_by_any(self) -> CaseOutcome {
        let holds = self.outcome.verdict.holds();
        let rule = self.broken.keys().next().copied().filter(|_| holds);
        self.judged_by(rule)
    }
}
