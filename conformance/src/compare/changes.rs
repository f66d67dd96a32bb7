//! The changes from one report to another: rules that broke or hold again, that are no longer judged, and readings.
//!
//! Pure. If suite or contract differ, cases and rules may have come or gone with them.

use std::collections::BTreeMap;

use crate::report::parsed::{ParsedReport, Standing};

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) broken: Vec<String>,
    /// Rules whose verdict is unknown now because a step before the one that judges them failed.
    pub(crate) blocked: Vec<String>,
    pub(crate) mended: Vec<String>,
    pub(crate) unjudged: Vec<String>,
    pub(crate) newly_judged: Vec<String>,
    /// Cases that fail only now, of rules that the lists above do not name.
    pub(crate) cases_broken: Vec<String>,
    pub(crate) vanished: Vec<String>,
    pub(crate) appeared: Vec<String>,
    /// Open rules with other readings: the rule, the readings seen only before and only now.
    pub(crate) readings: Vec<(String, String, String)>,
    pub(crate) is_one_contract: bool,
}

impl Changes {
    pub(crate) fn between(before: &ParsedReport, after: &ParsedReport) -> Self {
        let mut changes = Self { is_one_contract: before.suite == after.suite, ..Self::default() };
        let (old, new) = (standings_of_rules(before), standings_of_rules(after));
        for id in old.keys().chain(new.keys().filter(|id| !old.contains_key(*id))) {
            let (was, is) = (old.get(id).copied(), new.get(id).copied());
            let was_judged = matches!(was, Some(Standing::Red | Standing::Holds));
            let list = match (was, is) {
                (Some(Standing::Red), Some(Standing::Red)) => continue,
                (_, Some(Standing::Red)) if after.verdict(id) == Some("blocked") => &mut changes.blocked,
                (_, Some(Standing::Red)) => &mut changes.broken,
                (Some(Standing::Red), Some(Standing::Holds)) => &mut changes.mended,
                (_, None | Some(Standing::NotScored)) if was_judged => &mut changes.unjudged,
                (None | Some(Standing::NotScored), Some(Standing::Holds)) => &mut changes.newly_judged,
                _ => continue,
            };
            list.push((*id).to_owned());
        }
        changes.add_cases(before, after);
        changes.add_readings(before, after);
        changes
    }

    fn add_cases(&mut self, before: &ParsedReport, after: &ParsedReport) {
        let verdicts = |report: &ParsedReport| -> BTreeMap<String, Standing> {
            report.cases.iter().map(|case| (case.id.clone(), Standing::of(&case.verdict))).collect()
        };
        let (old, new) = (verdicts(before), verdicts(after));
        self.vanished = old.keys().filter(|id| !new.contains_key(*id)).cloned().collect();
        self.appeared = new.keys().filter(|id| !old.contains_key(*id)).cloned().collect();
        let has_listed_rule = |id: &str| {
            let rules = after.rules.iter().filter(|rule| rule.cases.iter().any(|case| case == id));
            rules.into_iter().any(|rule| self.broken.contains(&rule.id) || self.blocked.contains(&rule.id))
        };
        let is_new = |id: &str| old.get(id).is_some_and(|was| *was != Standing::Red);
        let red = new.iter().filter(|(_, standing)| **standing == Standing::Red).map(|(id, _)| id);
        self.cases_broken = red.filter(|id| is_new(id) && !has_listed_rule(id)).cloned().collect();
    }

    fn add_readings(&mut self, before: &ParsedReport, after: &ParsedReport) {
        let (old, new) = (before.readings(), after.readings());
        for (rule, was) in old {
            if let Some(is) = new.get(rule).filter(|is| **is != was) {
                let (only_was, only_is) = (without(&was, is), without(is, &was));
                self.readings.push((rule.to_owned(), only_was, only_is));
            }
        }
    }

    /// Whether the second report is worse: a rule or case broke, or is no longer judged.
    pub(crate) fn is_worse(&self) -> bool {
        let worse = [&self.broken, &self.blocked, &self.unjudged, &self.cases_broken, &self.vanished];
        worse.iter().any(|list| !list.is_empty())
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self { is_one_contract: self.is_one_contract, ..Self::default() }
    }
}

fn without(readings: &[&str], others: &[&str]) -> String {
    let own: Vec<_> = readings.iter().filter(|reading| !others.contains(reading)).copied().collect();
    if own.is_empty() { "nothing else".to_owned() } else { own.join("; ") }
}

fn standings_of_rules(report: &ParsedReport) -> BTreeMap<&str, Standing> {
    report.rules.iter().map(|rule| (rule.id.as_str(), Standing::of(&rule.verdict))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A report of these rules and their verdicts, each perhaps with a reading behind it.
    fn report(rules: &[[&str; 2]]) -> ParsedReport {
        let (mut cases, mut judged) = (Vec::new(), Vec::new());
        for [rule, said] in rules.iter().filter(|[_, said]| !said.is_empty()) {
            let (id, mut said) = (rule.replace('/', "::"), said.split(' '));
            let verdict = said.next();
            let notes: Vec<Value> = said.map(|reading| json!({ "rule": rule, "reading": reading })).collect();
            judged.push(json!({ "id": rule, "verdict": verdict, "cases": [id] }));
            cases.push(json!({ "id": id, "verdict": verdict, "notes": notes }));
        }
        let text = json!({
            "format": "libros-conformance/1", "suite": { "version": "1" }, "target": { "name": "t" },
            "started_at": "", "complete": true, "result": "partial", "cases": cases, "rules": judged,
        });
        ParsedReport::parse(&text.to_string()).unwrap()
    }

    #[test]
    fn each_change_is_shown_in_its_list() {
        let rules = [
            ["a/broke", "pass", "fail"],
            ["a/blocked", "pass", "blocked"],
            ["a/mended", "fail", "pass"],
            ["a/skipped", "pass", "skipped"],
            ["a/gone", "pass", ""],
            ["a/reading", "noted first", "noted second"],
            ["a/same", "fail", "blocked"],
            ["a/new", "", "pass"],
        ];
        let [before, after] = [1, 2].map(|column| report(&rules.map(|row| [row[0], row[column]])));
        let changes = Changes::between(&before, &after);
        let wanted = Changes {
            broken: vec!["a/broke".into()],
            blocked: vec!["a/blocked".into()],
            mended: vec!["a/mended".into()],
            unjudged: vec!["a/gone".into(), "a/skipped".into()],
            newly_judged: vec!["a/new".into()],
            cases_broken: vec![],
            vanished: vec!["a::gone".into()],
            appeared: vec!["a::new".into()],
            readings: vec![("a/reading".into(), "first".into(), "second".into())],
            is_one_contract: true,
        };
        assert_eq!(changes, wanted);
        assert!(changes.is_worse() && !changes.is_empty());
        assert!(Changes::between(&before, &before).is_empty());
        assert!(!Changes::between(&report(&[["a/b", "fail"]]), &report(&[["a/b", "pass"]])).is_worse());
    }
}
