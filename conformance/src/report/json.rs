//! The report for programs, format `libros-conformance/1`; its shape is fixed.

use serde_json::{Map, Value, json};

use crate::clock;
use crate::context::case_context::Observation;
use crate::contract::edition;
use crate::contract::violation::Part;
use crate::http::control::HookChange;
use crate::http::exchange::Exchange;
use crate::impostor::faults::Fault;
use crate::invariants::route::Credential;
use crate::runner::answers::unmet;
use crate::runner::beside::{Beside, Difference, Step};
use crate::runner::cause::{Cause, causes};
use crate::runner::diagnosis::Likeness;
use crate::runner::outcome::{CaseOutcome, RuleOutcome, RunOutcome, Verdict};

pub(super) fn value(outcome: &RunOutcome) -> Value {
    let summary: Map<_, _> =
        Verdict::ALL.iter().map(|verdict| (word(*verdict), Value::from(outcome.count(*verdict)))).collect();
    let rule = |rule: &RuleOutcome| json!({ "id": rule.id, "level": rule.level.word(), "verdict": word(rule.verdict), "cases": rule.cases });
    let cause = |cause: &Cause| {
        let cases: Vec<_> = cause.cases().map(|index| outcome.cases[index].id.as_str()).collect();
        let mut value = json!({ "text": cause.text, "rule": cause.rule, "cases": cases });
        if let Some(likeness) = &cause.looks_like {
            value["looks_like"] = looks_like(likeness);
        }
        value
    };
    json!({
        "format": "libros-conformance/1",
        "suite": { "version": edition::suite(), "contract": edition::contract(), "scored_by": outcome.scored_by },
        "target": { "name": outcome.target, "urls": outcome.urls },
        "seed": outcome.seed,
        "started_at": clock::iso(outcome.started_at_ms),
        "duration_ms": outcome.duration_ms,
        "complete": outcome.is_complete,
        "result": outcome.verdict().word(),
        "summary": summary,
        "cases": outcome.cases.iter().map(case).collect::<Vec<_>>(),
        "causes": causes(&outcome.cases).iter().map(cause).collect::<Vec<_>>(),
        "rules": outcome.rules().iter().map(rule).collect::<Vec<_>>(),
        "answers": answers(outcome),
    })
}

/// The fault that fits, another that fits about as well, and how many of the failing cases fail on it too.
fn looks_like(likeness: &Likeness) -> Value {
    let named = |fault: &Fault| json!({ "fault": fault.id, "rule": fault.rule(), "text": fault.text });
    let mut value = named(likeness.fault);
    value["agreeing"] = Value::from(likeness.cases.len());
    value["failing"] = Value::from(likeness.of);
    value["or"] = likeness.or.map_or(Value::Null, named);
    value
}

/// Every class of answers of the interfaces offered; one that was not met was judged 0 times.
fn answers(outcome: &RunOutcome) -> Vec<Value> {
    let seen = outcome.answers.iter().map(|((route, status, credential), seen)| {
        let credential = credential.map(Credential::word);
        json!({ "route": route.name(), "status": status, "credential": credential, "judged": seen.judged, "violations": seen.broken })
    });
    let unmet = unmet(outcome).into_iter().map(|(route, status)| {
        json!({ "route": route.name(), "status": status, "credential": null, "judged": 0, "violations": [] })
    });
    seen.chain(unmet).collect()
}

/// Verdicts are spelt as the summary's keys.
fn word(verdict: Verdict) -> String {
    verdict.word().replace('-', "_")
}

fn case(case: &CaseOutcome) -> Value {
    let mut value = json!({
        "id": case.id,
        "rules": case.rules,
        "verdict": word(case.verdict),
        "duration_ms": case.duration_ms,
        "message": case.message,
        "exchanges": case.exchanges.iter().map(exchange).collect::<Vec<_>>(),
    });
    if let Some(judged) = case.judged_at().filter(|_| case.mismatch.is_some() || case.verdict == Verdict::Blocked) {
        value["judged"] = Value::from(judged);
        value["compared"] = Value::from(case.compared.clone());
    }
    if let Some(mismatch) = &case.mismatch {
        value["mismatch"] = json!({
            "rule": mismatch.rule, "where": mismatch.place.to_string(),
            "want": mismatch.want.to_string(), "got": mismatch.got.to_string(),
        });
    }
    let moves = clock_moves(case);
    if !moves.is_empty() {
        value["clock"] = moves.into();
    }
    for (key, text) in [("first_in", &case.first_in), ("again", &case.again), ("curl", &case.curl)] {
        if let Some(text) = text {
            value[key] = Value::from(text.as_str());
        }
    }
    if let Some(beside) = &case.beside {
        value["reference"] = reference(beside);
    }
    if !case.notes.is_empty() {
        let note = |note: &Observation| json!({ "rule": note.rule, "reading": note.reading, "meaning": note.meaning });
        value["notes"] = case.notes.iter().map(note).collect();
    }
    value
}

/// What the case asked of the control hook: before which of its exchanges, and by how much the clock was moved.
fn clock_moves(case: &CaseOutcome) -> Vec<Value> {
    let moves = case.hook_calls.iter().filter_map(|call| match call.change {
        HookChange::Advance(seconds) => Some(json!({ "before": call.after, "advance_s": seconds })),
        HookChange::Reset => Some(json!({ "before": call.after, "reset": true })),
        HookChange::Read(_) => None,
    });
    moves.collect()
}

/// The case on the reference: its exchanges, and for each of the target's its counterpart and where they differ.
fn reference(beside: &Beside) -> Value {
    let step = |step: &Step| json!({ "counterpart": step.counterpart, "differences": step.differences.iter().map(difference).collect::<Vec<_>>() });
    json!({
        "holds": beside.holds,
        "message": beside.message,
        "exchanges": beside.exchanges.iter().map(exchange).collect::<Vec<_>>(),
        "steps": beside.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn difference(difference: &Difference) -> Value {
    let (part, at) = match &difference.part {
        Part::Status => ("status", ""),
        Part::Header(name) => ("header", name.as_str()),
        Part::Body(pointer) => ("body", pointer.as_str()),
        Part::Described(text) => ("described", text.as_str()),
    };
    let mut value = json!({ "part": part, "at": at, "wrong": difference.is_wrong });
    // What is not there has no key: a body may well hold null.
    for (key, side) in [("target", &difference.target), ("reference", &difference.reference)] {
        if let Some(side) = side {
            value[key] = side.clone();
        }
    }
    value
}

fn exchange(exchange: &Exchange) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers =
        |lines: &[(String, Vec<u8>)]| lines.iter().map(|(name, value)| json!([name, text(value)])).collect::<Vec<_>>();
    let sent = &exchange.sent;
    let response = match &exchange.received {
        Ok(received) => json!({
            "status": received.status,
            "headers": headers(&received.headers),
            "body": text(&received.body),
        }),
        Err(none) => json!({ "no_answer": none.why }),
    };
    json!({
        "request": {
            "method": sent.method,
            "url": sent.url(),
            "headers": headers(&sent.headers),
            "body": sent.body.as_deref().map(text),
        },
        "response": response,
        "sent_at": clock::iso(exchange.sent_at_ms),
        "duration_ms": exchange.duration_ms,
    })
}
