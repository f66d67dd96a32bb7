//! The comparison as one HTML page, which needs no network: it contains its data.

use askama::Template;
use serde_json::{Value, json};

use crate::compare::changes::Changes;
use crate::compare::matrix;
use crate::contract::rule::Contract;
use crate::report::html::{Embedded, PRELUDE, STYLE, rendered};
use crate::report::parsed::{ParsedMismatch, ParsedReport};

#[derive(Template)]
#[template(path = "compare/page.html")]
struct Page {
    data: Embedded,
}

pub(crate) fn text(reports: &[ParsedReport], labels: &[String], changes: Option<&Changes>) -> String {
    let contract = Contract::built_in();
    let rules = matrix::rules(reports).into_iter().map(|id| {
        let rule = contract.rule(id);
        let verdicts: Vec<_> = reports.iter().map(|report| report.verdict(id)).collect();
        let readings: Vec<_> =
            reports.iter().map(|report| report.readings().get(id).map(|seen| seen.join("; "))).collect();
        let wrong = |mismatch: &ParsedMismatch| format!("want {}, got {}", mismatch.want, mismatch.got);
        let wrong: Vec<_> = reports.iter().map(|report| report.mismatch(id).map(wrong)).collect();
        let accepts: Option<Vec<_>> =
            rule.map(|rule| rule.accepts.iter().map(|reading| [&reading.id, &reading.text]).collect());
        json!({
            "id": id, "level": rule.map(|rule| rule.level.word()), "text": rule.map(|rule| rule.text.as_str()),
            "accepts": accepts, "verdicts": verdicts, "readings": readings, "wrong": wrong,
        })
    });
    let rules: Vec<Value> = rules.collect();
    let head = |(report, label): (&ParsedReport, &String)| {
        json!({
            "label": label, "result": report.result, "suite": report.suite.in_words(), "started_at": report.started_at,
            "complete": report.complete,
        })
    };
    let heads: Vec<Value> = reports.iter().zip(labels).map(head).collect();
    let data = json!({ "reports": heads, "rules": rules, "changes": changes.map(changes_value) });
    rendered(&Page { data: Embedded(data) })
}

fn changes_value(changes: &Changes) -> Value {
    let readings: Vec<_> = changes.readings.iter().map(|(rule, was, is)| format!("{rule}: {was} -> {is}")).collect();
    json!([
        ["Rules that broke", changes.broken],
        ["Rules blocked: a step before the one that judges them failed", changes.blocked],
        ["Rules that hold again", changes.mended],
        ["More cases that fail", changes.cases_broken],
        ["Rules no longer judged, or expected to fail now", changes.unjudged],
        ["Rules judged only now", changes.newly_judged],
        ["Cases that vanished", changes.vanished],
        ["New cases", changes.appeared],
        ["Other readings of open rules", readings],
    ])
}
