//! The report for CI servers: JUnit XML, a suite a chapter, a test a case.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::contract::edition;
use crate::printable::{Printable, without_command};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

pub(super) fn report(outcome: &RunOutcome) -> Report {
    let mut chapters: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for case in &outcome.cases {
        let chapter = case.chapter();
        chapters.entry(chapter).or_insert_with(|| TestSuite::new(chapter)).add_test_case(test(case));
    }
    let mut report = Report::new(format!("libros-conformance: {}", outcome.target));
    report.set_time(Duration::from_millis(outcome.duration_ms));
    for suite in chapters.values_mut() {
        suite.add_property(("suite", edition::suite()));
        suite.add_property(("contract", edition::contract()));
        suite.add_property(("seed", outcome.seed.to_string().as_str()));
        suite.add_property(("complete", if outcome.is_complete { "true" } else { "false" }));
    }
    report.add_test_suites(chapters.into_values());
    report
}

/// Text that keeps its lines, none of which is a command of a CI server.
fn in_lines(text: &str) -> String {
    let printable = Printable::of_lines(text);
    printable.as_str().lines().map(without_command).collect::<Vec<_>>().join("\n")
}

fn test(case: &CaseOutcome) -> TestCase {
    let mut status = match case.verdict {
        Verdict::Pass | Verdict::Noted | Verdict::ExpectedFail => TestCaseStatus::success(),
        Verdict::Skipped => TestCaseStatus::skipped(),
        Verdict::Broken => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Fail | Verdict::UnexpectedPass | Verdict::Blocked | Verdict::Flaky => {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        }
    };
    if let Some(message) = &case.message {
        status.set_message(in_lines(message));
    }
    if case.verdict.is_red() && case.verdict != Verdict::UnexpectedPass {
        status.set_type(case.broken_rule().unwrap_or(case.verdict.word()));
        let traffic: String = case.exchanges.iter().map(crate::http::exchange::Exchange::transcript).collect();
        status.set_description(in_lines(&format!("{}\n\n{traffic}", case.message())));
    }
    let mut test = TestCase::new(case.id.clone(), status);
    test.set_classname(case.chapter());
    test.add_property(("rules", case.rules.join(" ").as_str()));
    test.add_property(("verdict", case.verdict.word()));
    test.set_time(Duration::from_millis(case.duration_ms));
    test
}
