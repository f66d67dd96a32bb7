//! The result of a replay in one sentence: how the case ended on the target, in the earlier run, and on the reference. Pure.

use serde::{Deserialize, Serialize};

use crate::http::exchange::Exchange;
use crate::runner::outcome::{CaseOutcome, Verdict};

/// How a case ended, as far as a replay compares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    Held,
    Broke(String),
    Unanswered,
    /// A step before the one judged failed, or no answer came in time.
    Blocked,
    Flaky,
    Skipped,
    Broken,
}

impl Ending {
    fn of(case: &CaseOutcome) -> Self {
        match case.verdict {
            Verdict::Pass | Verdict::Noted | Verdict::UnexpectedPass => Self::Held,
            Verdict::Fail | Verdict::ExpectedFail => {
                case.broken_rule().map_or(Self::Unanswered, |rule| Self::Broke(rule.to_owned()))
            }
            Verdict::Blocked => Self::Blocked,
            Verdict::Flaky => Self::Flaky,
            Verdict::Skipped => Self::Skipped,
            Verdict::Broken => Self::Broken,
        }
    }

    /// As a part of a sentence about an earlier run.
    fn was(&self) -> String {
        match self {
            Self::Held => "held before".to_owned(),
            Self::Broke(rule) => format!("{rule} was broken before"),
            Self::Unanswered => "no answer came before".to_owned(),
            Self::Blocked => "the preparation failed before".to_owned(),
            Self::Flaky => "was flaky before".to_owned(),
            Self::Skipped => "was skipped before".to_owned(),
            Self::Broken => "broke the suite before".to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    pub case: String,
    /// The case to play: it received the answer that broke the rule.
    pub played: String,
    pub ending: Ending,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// `POST /auth/registro`, without the query.
    pub request: String,
    pub status: Option<u16>,
}

const STEPS_MAX: usize = 100;

impl Before {
    pub fn of(case: &CaseOutcome) -> Self {
        let steps = case.exchanges.iter().take(STEPS_MAX).map(Step::of).collect();
        Self { case: case.id.clone(), played: case.case_to_replay().clone(), ending: Ending::of(case), steps }
    }

    pub fn rule(&self) -> Option<&str> {
        if let Ending::Broke(rule) = &self.ending { Some(rule) } else { None }
    }
}

impl Step {
    fn of(exchange: &Exchange) -> Self {
        let path = exchange.sent.path_below_prefix();
        let request = format!("{} {}", exchange.sent.method, path.split('?').next().unwrap_or_default());
        Self { request, status: exchange.received.as_ref().ok().map(|received| received.status) }
    }

    fn status(&self) -> String {
        self.status.map_or("no answer".to_owned(), |status| status.to_string())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    pub sentence: String,
    /// 0: holds, 1: fails, 3: differs from the earlier run, 4: was not judged, 70: the suite itself broke.
    pub exit_code: u8,
}

/// Compares a case on the target with the same on the reference, or why it was not played there, and with an earlier run.
pub fn compared(target: &CaseOutcome, reference: Result<&CaseOutcome, &str>, before: Option<&Before>) -> Replayed {
    let failed = on_target(target, reference.ok(), before);
    let on_reference = match reference.map(|outcome| (outcome, Ending::of(outcome))) {
        Err(why) => format!("not played on the reference: {why}"),
        Ok((_, Ending::Held)) => "holds on the reference".to_owned(),
        Ok((outcome, Ending::Skipped)) => format!("not played on the reference: {}", outcome.message()),
        Ok((outcome, _)) => {
            let either = if failed.is_some() { " either" } else { "" };
            format!("does not hold on the reference{either}, a defect of this suite: {}", outcome.message())
        }
    };
    let holds_there = reference.is_ok_and(|outcome| Ending::of(outcome) == Ending::Held);
    match failed {
        None if holds_there => Replayed { sentence: "holds on both now".to_owned(), exit_code: 0 },
        None => Replayed { sentence: format!("holds on yours now; {on_reference}"), exit_code: 0 },
        Some((yours, exit_code)) => Replayed { sentence: format!("{yours}; {on_reference}"), exit_code },
    }
}

pub fn exit_code(replayed: &[Replayed]) -> u8 {
    let any = |code: &u8| replayed.iter().any(|one| one.exit_code == *code);
    [70, 1, 3, 0].into_iter().find(any).unwrap_or(4)
}

/// Why the case does not hold on the target, with the exit code; `None` if it holds.
fn on_target(target: &CaseOutcome, reference: Option<&CaseOutcome>, before: Option<&Before>) -> Option<(String, u8)> {
    let (now, earlier) = (Ending::of(target), before.map(|before| &before.ending));
    let is_as_before = earlier == Some(&now);
    let as_before = if is_as_before { " as before" } else { "" };
    Some(match (&now, earlier) {
        (Ending::Held, _) => return None,
        (Ending::Broke(rule), Some(earlier)) if !is_as_before => {
            (format!("fails on yours, differently than before: {rule} is broken, {}", earlier.was()), 1)
        }
        (Ending::Broke(_), _) => (format!("fails on yours{as_before}"), 1),
        (Ending::Unanswered | Ending::Flaky, Some(earlier)) if !is_as_before => {
            (format!("differs: {}, {}", target.message(), earlier.was()), 3)
        }
        (Ending::Unanswered | Ending::Flaky, _) => (format!("fails on yours{as_before}: {}", target.message()), 1),
        (Ending::Blocked, _) => {
            let why = unprepared(target, reference, before);
            if is_as_before {
                (format!("is blocked on yours as before: {why}"), 1)
            } else {
                (format!("differs: {why}"), 3)
            }
        }
        (Ending::Skipped, _) => (format!("cannot be played on yours: {}", target.message()), 4),
        (Ending::Broken, _) => (format!("breaks the suite itself: {}", target.message()), 70),
    })
}

/// `the preparation was refused (POST /auth/registro 400, was 201)`; the reference's status where no earlier run is known.
fn unprepared(target: &CaseOutcome, reference: Option<&CaseOutcome>, before: Option<&Before>) -> String {
    let Some(at) = target.judged_index().filter(|_| !target.is_hook_failure) else {
        return target.message().to_owned();
    };
    let now = Step::of(&target.exchanges[at]);
    let same = |step: &&Step| step.request == now.request && step.status != now.status;
    let earlier = before.and_then(|before| before.steps.get(at)).filter(same);
    let other = reference.and_then(|outcome| outcome.exchanges.get(at)).map(Step::of);
    let comparison = match (earlier, other.as_ref().filter(same)) {
        (Some(step), _) => format!("was {}", step.status()),
        (None, Some(step)) => format!("{} on the reference", step.status()),
        (None, None) => target.message().to_owned(),
    };
    let failed = match now.status {
        None => "got no answer",
        Some(400..) => "was refused",
        Some(_) => "failed",
    };
    format!("the preparation {failed} ({} {}, {comparison})", now.request, now.status())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::violation::{Mismatch, Place};
    use crate::http::exchange::{Received, Sent};
    use crate::implementation::profile::Address;

    fn outcome(verdict: Verdict, rule: Option<&'static str>) -> CaseOutcome {
        let mut outcome =
            CaseOutcome::without_traffic("a::b".to_owned(), &[], verdict, Some("no answer: refused".to_owned()));
        outcome.mismatch = rule.map(|rule| Mismatch::new(rule, Place::STATUS, 200, 404));
        let address = Address::parse("http://h:1").unwrap();
        let sent = Sent::new("POST", &address, "/auth/registro?x");
        let status = if verdict == Verdict::Blocked { 400 } else { 201 };
        outcome.exchanges.push(Exchange::new(sent, Ok(Received::new(status, Vec::new(), Vec::new(), false))));
        outcome
    }

    #[test]
    fn a_replay_names_the_endings_on_both_and_whether_they_are_as_before() {
        let (fails, holds) = (outcome(Verdict::Fail, Some("a/b")), outcome(Verdict::Pass, None));
        let (other, blocked) = (outcome(Verdict::Fail, Some("c/d")), outcome(Verdict::Blocked, None));
        let (silent, skipped) = (outcome(Verdict::Fail, None), outcome(Verdict::Skipped, None));
        let (flaky, broken) = (outcome(Verdict::Flaky, None), outcome(Verdict::Broken, None));
        for (now, before, yours, code) in [
            (&fails, Some(&fails), "fails on yours as before", 1),
            (&fails, None, "fails on yours", 1),
            (&other, Some(&fails), "fails on yours, differently than before: c/d is broken, a/b was broken before", 1),
            (&other, Some(&flaky), "fails on yours, differently than before: c/d is broken, was flaky before", 1),
            (&blocked, Some(&fails), "differs: the preparation was refused (POST /auth/registro 400, was 201)", 3),
            (&blocked, None, "differs: the preparation was refused (POST /auth/registro 400, 201 on the reference)", 3),
            (
                &blocked,
                Some(&blocked),
                "is blocked on yours as before: the preparation was refused (POST /auth/registro 400, 201 on the reference)",
                1,
            ),
            (&silent, Some(&silent), "fails on yours as before: no answer: refused", 1),
            (&silent, Some(&fails), "differs: no answer: refused, a/b was broken before", 3),
            (&skipped, Some(&fails), "cannot be played on yours: no answer: refused", 4),
            (&broken, None, "breaks the suite itself: no answer: refused", 70),
        ] {
            let replayed = compared(now, Ok(&holds), before.map(Before::of).as_ref());
            assert_eq!((replayed.sentence, replayed.exit_code), (format!("{yours}; holds on the reference"), code));
        }
        assert_eq!(compared(&holds, Ok(&holds), Some(&Before::of(&fails))).sentence, "holds on both now");
    }

    #[test]
    fn a_reference_that_fails_or_is_missing_is_named() {
        let (fails, holds, skipped) =
            (outcome(Verdict::Fail, Some("a/b")), outcome(Verdict::Pass, None), outcome(Verdict::Skipped, None));
        for (now, reference, sentence) in [
            (&holds, Err("it is not built in"), "holds on yours now; not played on the reference: it is not built in"),
            (&holds, Ok(&skipped), "holds on yours now; not played on the reference: no answer: refused"),
            (
                &holds,
                Ok(&fails),
                "holds on yours now; does not hold on the reference, a defect of this suite: no answer: refused",
            ),
            (
                &fails,
                Ok(&fails),
                "fails on yours; does not hold on the reference either, a defect of this suite: no answer: refused",
            ),
        ] {
            assert_eq!(compared(now, reference, None).sentence, sentence);
        }
    }

    #[test]
    fn of_several_replays_a_failure_decides_before_a_difference() {
        let codes = |codes: &[u8]| {
            let one = |code: &u8| Replayed { sentence: String::new(), exit_code: *code };
            exit_code(&codes.iter().map(one).collect::<Vec<_>>())
        };
        assert_eq!([codes(&[0, 3, 1]), codes(&[0, 3, 4]), codes(&[4, 0]), codes(&[4])], [1, 3, 0, 4]);
    }
}
