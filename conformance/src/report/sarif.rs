//! The report as SARIF 2.1.0: a result a red case, pointing at the line that declares its rule.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::contract::rule::Contract;
use crate::contract::{edition, locations};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

pub(super) fn value(outcome: &RunOutcome) -> Value {
    let reported: Vec<&CaseOutcome> = outcome.cases.iter().filter(|case| level(case.verdict).is_some()).collect();
    let rules: BTreeSet<&str> = reported.iter().map(|case| rule_of(case)).collect();
    let rules: Vec<Value> = rules.into_iter().map(rule).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "libros-conformance", "semanticVersion": edition::suite(), "rules": rules,
            } },
            "properties": { "contract": edition::contract(), "target": outcome.target, "seed": outcome.seed },
            "invocations": [{ "executionSuccessful": outcome.is_complete, "exitCode": outcome.exit_code() }],
            "results": reported.iter().map(|case| result(case)).collect::<Vec<_>>(),
        }],
    })
}

fn level(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Fail | Verdict::Blocked | Verdict::UnexpectedPass | Verdict::Broken => Some("error"),
        Verdict::Flaky => Some("warning"),
        Verdict::ExpectedFail => Some("note"),
        Verdict::Pass | Verdict::Noted | Verdict::Skipped => None,
    }
}

/// The rule that does not hold, else the first that the case judges.
fn rule_of(case: &CaseOutcome) -> &str {
    case.broken_rule().or(case.rules.first().copied()).unwrap_or_default()
}

fn rule(id: &str) -> Value {
    let rule = Contract::built_in().rule(id);
    json!({
        "id": id,
        "shortDescription": { "text": rule.map_or("", |rule| rule.text.as_str()) },
        "help": { "text": rule.map_or("", |rule| rule.source.as_str()) },
    })
}

fn result(case: &CaseOutcome) -> Value {
    let rule = rule_of(case);
    let mut result = json!({
        "ruleId": rule,
        "level": level(case.verdict),
        "message": { "text": format!("{}: {}", case.id, case.message()) },
        "partialFingerprints": { "caseAndRule/v1": format!("{} {rule}", case.id) },
        "properties": { "verdict": case.verdict.word(), "case": case.id },
    });
    if let Some((file, line)) = locations::rule(rule).and_then(|place| place.rsplit_once(':')) {
        let line: u64 = line.parse().unwrap_or(1);
        result["locations"] = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": file }, "region": { "startLine": line },
        } }]);
    }
    if case.verdict == Verdict::ExpectedFail {
        result["suppressions"] = json!([{ "kind": "external", "justification": case.message() }]);
    }
    result
}
