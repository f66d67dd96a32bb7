//! What is said of a run in which cases were blocked and no rule was seen broken. Judges nothing.

use crate::report::plural::plural;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{RunOutcome, RunVerdict};

/// Why the run is undecided, in one line; nothing where it is not.
pub(super) fn why(outcome: &RunOutcome) -> Option<String> {
    const CAUSES_NAMED: usize = 3;
    if outcome.verdict() != RunVerdict::Undecided {
        return None;
    }
    let blocked: Vec<Cause> = causes(&outcome.cases).into_iter().filter(|cause| !cause.blocked.is_empty()).collect();
    let cases = plural(blocked.iter().map(|cause| cause.blocked.len()).sum(), "case");
    let named: Vec<&str> = blocked.iter().take(CAUSES_NAMED).map(|cause| cause.text.as_str()).collect();
    let more = if blocked.len() > CAUSES_NAMED { "; and others" } else { "" };
    Some(format!("no rule was seen broken; {cases} could not be judged: {}{more}", named.join("; ")))
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::case::{Case, CaseError, CaseResult};
    use crate::context::session::Session;
    use crate::contract::verdict::NoAnswer;
    use crate::impostor::{Impostor, Options};
    use crate::runner::run::{Plan, run};
    use crate::selftest::judging::session;

    const fn case(name: &'static str, judge: fn(&crate::case::CaseContext<'_>) -> CaseResult) -> Case {
        Case { chapter: "paging", name, about: "", rules: &["paging/limit-maximum"], needs: &[], judge }
    }

    fn judged(session: &Session, cases: &[&Case]) -> (&'static str, u8, Option<String>) {
        let outcome = run(session, cases, &Plan::default());
        (outcome.verdict().word(), outcome.exit_code(), why(&outcome))
    }

    const LATE: &str = "GET /libros: no answer within 10 s";

    #[test]
    fn a_run_with_blocked_cases_is_undecided_until_a_rule_is_seen_broken() {
        let impostor = Impostor::start(Options::default()).unwrap();
        let session = session(&impostor, 1, 1).unwrap();
        let blocked = case("blocked", |_| Err(CaseError::blocked("registering a user", "want 201, got 500")));
        let late = case("late", |_| Err(CaseError::NoAnswer(NoAnswer { why: LATE.to_owned(), is_late: true })));
        let fails = case("fails", |cx| cx.check(false, "status", 200, 500));
        let closed =
            case("closed", |_| Err(CaseError::NoAnswer("GET /libros: the connection was closed".to_owned().into())));
        let (word, code, why) = judged(&session, &[&blocked, &late]);
        assert_eq!((word, code), ("undecided", 1));
        let why = why.unwrap();
        assert!(why.starts_with("no rule was seen broken; 2 cases could not be judged: "), "{why}");
        assert!(why.contains("registering a user: want 201, got 500"), "{why}");
        assert!(why.contains(LATE), "{why}");
        for red in [&fails, &closed] {
            assert_eq!(judged(&session, &[&blocked, red]), ("not-conformant", 1, None), "{}", red.name);
        }
    }
}
