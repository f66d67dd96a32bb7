//! Tests that the impostor can follow every reading that an open rule accepts: else a case could refuse a reading unnoticed.

use super::*;
use crate::contract::rule::Contract;
use crate::impostor::readings;

type Readings = BTreeSet<(String, String)>;

/// The readings noted by the cases of these rules, or by all cases.
fn noted_readings(options: Options, rules: Option<&[&str]>) -> Readings {
    let is_judged =
        |rule: &&str| rules.map_or_else(|| Contract::built_in().is_open(rule), |rules| rules.contains(rule));
    let chosen: Vec<&Case> = selftest_cases().into_iter().filter(|case| case.rules.iter().any(is_judged)).collect();
    let outcome = judge(options, &chosen, 1, 4).unwrap();
    // A rule observed on several subjects notes `what: reading`.
    let id = |reading: &str| reading.rsplit(": ").next().unwrap_or_default().to_owned();
    outcome.cases.iter().flat_map(|case| &case.notes).map(|note| (note.rule.clone(), id(&note.reading))).collect()
}

#[test]
fn every_accepted_reading_is_one_that_an_impostor_has() {
    let alone = |reading: &'static Reading| {
        noted_readings(impostor_with(Faults::none().reading(&[reading.id])), Some(reading.rules))
    };
    let with_habits = |platform| noted_readings(Options { platform: Some(platform), ..Options::default() }, None);
    let noted = [in_parallel(readings::all(), 8, alone), in_parallel(Platform::ALL, 3, with_habits)].concat();
    let noted: Readings = noted.into_iter().chain([noted_readings(Options::default(), None)]).flatten().collect();
    let judged = Contract::built_in().rules().filter(|rule| rule.hidden.is_none());
    let accepted: Readings =
        judged.flat_map(|rule| rule.accepts.iter().map(|reading| (rule.id.clone(), reading.id.clone()))).collect();
    let unmade: BTreeMap<String, (Vec<String>, String)> = toml::from_str(include_str!("unmade.toml")).unwrap();
    let excused = unmade.into_iter().flat_map(|(rule, (ids, _))| ids.into_iter().map(move |id| (rule.clone(), id)));
    let excused: Readings = excused.collect();
    let missing: Readings = accepted.difference(&noted).cloned().collect();
    let differ: Vec<_> = missing.symmetric_difference(&excused).collect();
    assert!(
        differ.is_empty(),
        "declare readings in conformance/src/chapters that answer so, or say in conformance/src/selftest/unmade.toml why none does and no others: {differ:#?}"
    );
}
