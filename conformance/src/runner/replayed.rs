//! What a replay says of a case in one sentence: how it went on the target, whether that is as before, and how on the reference. Pure.

use crate::http::exchange::Exchange;
use crate::runner::outcome::{CaseOutcome, Verdict};

/// How a case went in an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Before {
    /// The case.
    pub case: String,
    /// The case to play: the one that received the answer, where it is another.
    pub played: String,
    /// Its verdict, as reports spell it.
    pub verdict: String,
    /// The rule that did not hold.
    pub rule: Option<String>,
    /// Its requests, in order.
    pub steps: Vec<Step>,
}

/// A request and the status of its answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// `POST /auth/registro`, without the query.
    pub request: String,
    /// None where no answer came.
    pub status: Option<u16>,
}

/// Steps remembered of a case.
const STEPS_MAX: usize = 100;

impl Before {
    /// What later replays need to know of an outcome.
    pub fn of(case: &CaseOutcome) -> Self {
        let played = case.first_in.clone().unwrap_or_else(|| case.id.clone());
        let rule = case.mismatch.as_ref().map(|mismatch| mismatch.rule.clone());
        let steps = case.exchanges.iter().take(STEPS_MAX).map(Step::of).collect();
        Self { case: case.id.clone(), played, verdict: case.verdict.word().to_owned(), rule, steps }
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

/// A replay's sentence and exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Behind the case's id.
    pub sentence: String,
    /// 0 holds, 1 fails, 3 went otherwise than before, 4 was not judged.
    pub exit_code: u8,
}

/// How a case went now: on the target, and on the reference or why not there.
pub fn told(target: &CaseOutcome, reference: Result<&CaseOutcome, &str>, before: Option<&Before>) -> Replayed {
    let (yours, exit_code) = on_target(target, reference.ok(), before);
    let beside = match reference {
        Err(why) => format!("not played on the reference: {why}"),
        Ok(outcome) => match outcome.verdict {
            Verdict::Pass | Verdict::Noted if yours == "holds" => return holds_on_both(),
            Verdict::Pass | Verdict::Noted => "holds on the reference".to_owned(),
            Verdict::Skipped => format!("not played on the reference: {}", message(outcome)),
            _ => format!("does not hold on the reference either, which is ours to mend: {}", message(outcome)),
        },
    };
    let yours = if yours == "holds" { "holds on yours now".to_owned() } else { yours };
    Replayed { sentence: format!("{yours}; {beside}"), exit_code }
}

fn holds_on_both() -> Replayed {
    Replayed { sentence: "holds on both now".to_owned(), exit_code: 0 }
}

fn on_target(target: &CaseOutcome, reference: Option<&CaseOutcome>, before: Option<&Before>) -> (String, u8) {
    let rule = target.mismatch.as_ref().map(|mismatch| mismatch.rule.as_str());
    let was = |word: &str| before.is_some_and(|before| before.verdict == word);
    match target.verdict {
        Verdict::Fail if rule.is_none() => match before {
            Some(before) if before.rule.is_some() => (format!("differs: {}", message(target)), 3),
            _ => (format!("gives {}{}", message(target), as_before(was("fail"))), 1),
        },
        Verdict::Fail => {
            let rule = rule.unwrap_or_default();
            match before.map(|before| before.rule.as_deref()) {
                None => ("fails on yours".to_owned(), 1),
                Some(Some(earlier)) if earlier == rule => ("fails on yours as before".to_owned(), 1),
                Some(Some(earlier)) => {
                    (format!("fails on yours, otherwise than before: {rule} is broken, was {earlier}"), 1)
                }
                Some(None) => (format!("fails on yours, otherwise than before: {rule} is broken"), 1),
            }
        }
        Verdict::Blocked if was("blocked") => {
            (format!("is blocked on yours as before: {}", refused(target, reference, before)), 1)
        }
        Verdict::Blocked => (format!("differs: {}", refused(target, reference, before)), 3),
        Verdict::Skipped => (format!("cannot be played on yours: {}", message(target)), 4),
        Verdict::Broken => (format!("breaks the suite itself: {}", message(target)), 70),
        _ => ("holds".to_owned(), 0),
    }
}

fn as_before(is_so: bool) -> &'static str {
    if is_so { " as before" } else { "" }
}

fn message(case: &CaseOutcome) -> &str {
    case.message.as_deref().unwrap_or_default()
}

/// `the preparation was refused (POST /auth/registro 400, was 201)`; the reference's status where no earlier run is known.
fn refused(target: &CaseOutcome, reference: Option<&CaseOutcome>, before: Option<&Before>) -> String {
    let Some(at) = target.judged_at() else { return format!("the preparation failed ({})", message(target)) };
    let now = Step::of(&target.exchanges[at]);
    let same = |step: &&Step| step.request == now.request && step.status != now.status;
    let earlier =
        before.and_then(|before| before.steps.get(at)).filter(same).map(|step| format!("was {}", step.status()));
    let other = || {
        let step = reference?.exchanges.get(at).map(Step::of)?;
        Some(&step).filter(same).map(|step| format!("{} on the reference", step.status()))
    };
    let beside = earlier.or_else(other).unwrap_or_else(|| message(target).to_owned());
    format!("the preparation was refused ({} {}, {beside})", now.request, now.status())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::violation::{Mismatch, Place};
    use crate::http::exchange::{Received, Sent};
    use crate::implementation::profile::Address;

    fn outcome(verdict: Verdict, rule: Option<&str>) -> CaseOutcome {
        let mut outcome = CaseOutcome::blank("a::b".to_owned(), &[], verdict, Some("no answer: refused".to_owned()));
        outcome.mismatch = rule.map(|rule| Mismatch::new(rule, Place::STATUS, 200, 404));
        let address = Address::parse("http://h:1").unwrap();
        let (method, path) = ("POST".to_owned(), "/auth/registro?x".to_owned());
        let sent = Sent { method, address, interface: None, path, headers: Vec::new(), body: None };
        let status = if verdict == Verdict::Blocked { 400 } else { 201 };
        let received = Ok(Arc::new(Received::new(status, Vec::new(), Vec::new(), false)));
        outcome.exchanges.push(Exchange {
            number: 0,
            sent,
            received,
            is_answered: true,
            duration_ms: 0,
            sent_at_ms: 0,
        });
        outcome
    }

    fn said(now: &CaseOutcome, before: Option<&CaseOutcome>) -> (String, u8) {
        let replayed = told(now, Ok(&outcome(Verdict::Pass, None)), before.map(Before::of).as_ref());
        (replayed.sentence, replayed.exit_code)
    }

    #[test]
    fn a_replay_says_how_it_went_on_both_and_whether_that_is_as_before() {
        let (fails, holds) = (outcome(Verdict::Fail, Some("a/b")), outcome(Verdict::Pass, None));
        let (other, blocked) = (outcome(Verdict::Fail, Some("c/d")), outcome(Verdict::Blocked, None));
        let silent = outcome(Verdict::Fail, None);
        for (now, before, sentence, code) in [
            (&fails, Some(&fails), "fails on yours as before; holds on the reference", 1),
            (&fails, None, "fails on yours; holds on the reference", 1),
            (&holds, Some(&fails), "holds on both now", 0),
            (
                &other,
                Some(&fails),
                "fails on yours, otherwise than before: c/d is broken, was a/b; holds on the reference",
                1,
            ),
            (
                &blocked,
                Some(&fails),
                "differs: the preparation was refused (POST /auth/registro 400, was 201); holds on the reference",
                3,
            ),
            (
                &blocked,
                None,
                "differs: the preparation was refused (POST /auth/registro 400, 201 on the reference); holds on the reference",
                3,
            ),
            (&silent, Some(&fails), "differs: no answer: refused; holds on the reference", 3),
        ] {
            assert_eq!(said(now, before), (sentence.to_owned(), code));
        }
    }

    #[test]
    fn without_a_reference_it_says_why() {
        let replayed = told(&outcome(Verdict::Pass, None), Err("it is not built in"), None);
        assert_eq!(replayed.sentence, "holds on yours now; not played on the reference: it is not built in");
    }
}
