//! Every reading that an open rule accepts is one that the impostor can have: else a case could refuse what another accepts.

use super::*;
use crate::contract::rule::{Contract, Level};
use crate::impostor::readings;

type Seen = BTreeSet<(String, String)>;

/// Accepted readings that no impostor has, each with the reason.
const UNMADE: &[(&str, &[&str], &str)] = &[
    ("api-keys/permissions-invalid", &["stored"], "permissions are texts throughout"),
    ("api-keys/rate-limit-unenforced", &["429"], "a limit in force would stop the suite itself"),
    ("books/number-precision", &["exact"], "numbers are doubles throughout"),
    ("devices/remove-odd-id", &["404"], "ids are decoded here"),
    ("errors/body-too-large", &["4xx", "closed"], "the listener refuses with 413"),
    ("errors/duplicate-keys", &["400", "first"], "the JSON reader decides"),
    ("errors/nested-too-deep", &["closed"], "the listener reads every body to its end"),
    ("graphql/limits", &["closed", "slow"], "the listener answers, and at once"),
    ("graphql/query-text", &["escape-kept", "refused"], "the GraphQL reader decides"),
    ("list/comma-encoded", &["part"], "values are decoded before they are split"),
    ("list/convert-number-forms", &["number"], "a text in number form is compared as JavaScript does"),
    ("list/date-impossible", &["hour-24", "invalid"], "a text that is no date is a text here, or runs on"),
    ("list/date-without-zone", &["local"], "local time could be any"),
    ("list/empty-value", &["zero"], "an empty value is a text throughout"),
    ("list/is-list-value", &["any", "none"], "one truth is asked for"),
    ("list/sort-locale-ties", &["other"], "the collations here agree on these ties"),
    ("list/sort-missing-many", &["other"], "the sort is deterministic"),
    ("storage/survives-restart", &["gone", "kept"], "nothing is kept on a disk"),
    ("two-factor/qr-encoding", &["plus"], "the name of the issuer has no space"),
    ("two-factor/wrong-method", &["401"], "paths are looked at before credentials"),
];

/// What the cases saw that observe any of these rules, or any at all.
fn seen(options: Options, rules: Option<&[&str]>) -> Seen {
    let is_open = |rule: &str| Contract::built_in().rule(rule).is_some_and(|rule| rule.level == Level::Open);
    let is_meant = |rule: &&str| rules.map_or_else(|| is_open(rule), |rules| rules.contains(rule));
    let chosen: Vec<&Case> = all().into_iter().filter(|case| case.rules.iter().any(is_meant)).collect();
    let outcome = judge(options, &chosen, 1, 4).unwrap();
    // A reading may be seen of several things: `what: reading`.
    let id = |reading: &str| reading.rsplit(": ").next().unwrap_or_default().to_owned();
    outcome.cases.iter().flat_map(|case| &case.notes).map(|note| (note.rule.clone(), id(&note.reading))).collect()
}

#[test]
fn every_accepted_reading_is_one_that_an_impostor_has() {
    let alone = |reading: &'static Reading| seen(with(Faults::none().reading(&[reading.id])), Some(reading.rules));
    let with_habits = |platform| seen(Options { platform: Some(platform), ..Options::default() }, None);
    let had: Seen = in_parallel(readings::all(), 8, alone)
        .into_iter()
        .chain(in_parallel(Platform::ALL, 3, with_habits))
        .chain([seen(Options::default(), None)])
        .flatten()
        .collect();
    let judged = Contract::built_in().rules().filter(|rule| rule.hidden.is_none());
    let accepted: Seen =
        judged.flat_map(|rule| rule.accepts.iter().map(|reading| (rule.id.clone(), reading.id.clone()))).collect();
    let excused: Seen =
        UNMADE.iter().flat_map(|(rule, ids, _)| ids.iter().map(|id| ((*rule).to_owned(), (*id).to_owned()))).collect();
    let missing: Seen = accepted.difference(&had).cloned().collect();
    let differ: Vec<_> = missing.symmetric_difference(&excused).collect();
    assert!(
        differ.is_empty(),
        "declare readings in conformance/src/chapters that answer so, or say in UNMADE why none does and no others: {differ:#?}"
    );
}
