//! The report for programs, format `libros-conformance/1`; its shape is fixed.

use serde_json::{Map, Value, json};

use crate::clock;
use crate::context::case_context::Observation;
use crate::contract::edition;
use crate::contract::excerpt::excerpts;
use crate::contract::violation::{Mismatch, Part};
use crate::http::control::HookChange;
use crate::http::exchange::Exchange;
use crate::impostor::faults::Fault;
use crate::invariants::route::Credential;
use crate::runner::answers::unmet;
use crate::runner::cause::{Cause, causes};
use crate::runner::diagnosis::Likeness;
use crate::runner::on_reference::{Difference, OnReference, Step};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};
use crate::runner::rule_outcome::RuleOutcome;

pub(super) fn value(outcome: &RunOutcome) -> Value {
    let summary: Map<_, _> =
        Verdict::ALL.iter().map(|verdict| (word(*verdict), Value::from(outcome.count(*verdict)))).collect();
    let rule = |rule: &RuleOutcome| json!({ "id": rule.id, "level": rule.level.word(), "verdict": word(rule.verdict), "cases": rule.cases });
    let cause = |cause: &Cause| {
        let cases: Vec<_> = cause.cases().map(|index| outcome.cases[index].id.as_str()).collect();
        let value = json!({ "text": cause.text, "rule": cause.rule, "cases": cases });
        with(value, [("looks_like", cause.looks_like.as_ref().map(looks_like))])
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
    value["agreeing"] = Value::from(likeness.agreeing.len());
    value["failing"] = Value::from(likeness.failing);
    value["or"] = likeness.or.map_or(Value::Null, named);
    value
}

/// Every class of answers of the offered interfaces; a class without answers was judged 0 times.
fn answers(outcome: &RunOutcome) -> Vec<Value> {
    let judged = outcome.answers.iter().map(|((route, status, credential), class)| {
        let credential = credential.map(Credential::word);
        json!({ "route": route.name(), "status": status, "credential": credential, "judged": class.judged, "violations": class.broken })
    });
    let unmet = unmet(outcome).into_iter().map(|(route, status)| {
        json!({ "route": route.name(), "status": status, "credential": null, "judged": 0, "violations": [] })
    });
    judged.chain(unmet).collect()
}

/// Verdicts are spelt as the summary's keys.
fn word(verdict: Verdict) -> String {
    verdict.word().replace('-', "_")
}

fn case(case: &CaseOutcome) -> Value {
    let value = json!({
        "id": case.id,
        "rules": case.rules,
        "verdict": word(case.verdict),
        "duration_ms": case.duration_ms,
        "message": case.message,
        "exchanges": case.exchanges.iter().map(exchange).collect::<Vec<_>>(),
    });
    let judged = case.judged_index().filter(|_| case.mismatch.is_some() || case.verdict == Verdict::Blocked);
    let mismatch = |mismatch: &Mismatch| {
        let [want, got] = excerpts(&mismatch.want.to_string(), &mismatch.got.to_string(), 4_000);
        json!({ "rule": mismatch.rule, "where": mismatch.place.to_string(), "want": want, "got": got })
    };
    let note = |note: &Observation| json!({ "rule": note.rule, "reading": note.reading, "meaning": note.meaning });
    let listed = |items: Vec<Value>| if items.is_empty() { None } else { Some(Value::from(items)) };
    let text = |text: &Option<String>| text.clone().map(Value::from);
    with(
        value,
        [
            ("judged", judged.map(Value::from)),
            ("compared", judged.map(|_| Value::from(case.compared.clone()))),
            ("mismatch", case.mismatch.as_ref().map(mismatch)),
            ("clock", listed(clock_moves(case))),
            ("first_in", text(&case.first_in)),
            ("again", text(&case.again)),
            ("curl", text(&case.curl)),
            ("reference", case.on_reference.as_ref().map(reference)),
            ("notes", listed(case.notes.iter().map(note).collect())),
        ],
    )
}

/// The value with these members, without those that are `None`.
fn with<const N: usize>(mut value: Value, members: [(&str, Option<Value>); N]) -> Value {
    for (key, member) in members {
        if let Some(member) = member {
            value[key] = member;
        }
    }
    value
}

/// The calls of the control listener: before which exchange, and by how much they moved the clock.
fn clock_moves(case: &CaseOutcome) -> Vec<Value> {
    let moves = case.hook_calls.iter().filter_map(|call| match call.change {
        HookChange::Advance(seconds) => Some(json!({ "before": call.after, "advance_s": seconds })),
        HookChange::Reset => Some(json!({ "before": call.after, "reset": true })),
        HookChange::Read(_) => None,
    });
    moves.collect()
}

/// The case on the reference: its exchanges, and for each of the target's its counterpart and where they differ.
fn reference(run: &OnReference) -> Value {
    let step = |step: &Step| json!({ "counterpart": step.counterpart, "differences": step.differences.iter().map(difference).collect::<Vec<_>>() });
    json!({
        "holds": run.holds,
        "message": run.message,
        "exchanges": run.exchanges.iter().map(exchange).collect::<Vec<_>>(),
        "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn difference(difference: &Difference) -> Value {
    let (part, at) = match &difference.part {
        Part::Status => ("status", ""),
        Part::Header(name) => ("header", name.as_str()),
        Part::Body(pointer) => ("body", pointer.as_str()),
        Part::Described(text) => ("described", text.as_str()),
    };
    let value = json!({ "part": part, "at": at, "wrong": difference.is_wrong });
    // An absent value has no key: a body may hold null.
    with(value, [("target", difference.target.clone()), ("reference", difference.reference.clone())])
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
