//! A server with another language's loose equality or truthiness: it fails under the rules about these, and under no other.

use std::collections::BTreeSet;

use super::*;

#[test]
fn another_languages_equality_fails_under_the_rules_of_loose_equality_and_truthiness_alone() {
    let fault = faults::find("equality-and-truth-of-php").unwrap();
    let chosen: Vec<&Case> =
        all().into_iter().filter(|case| ["list", "paging", "books", "exchanges"].contains(&case.chapter)).collect();
    let options = Options { faults: Faults::one(fault.id).unwrap(), ..Options::default() };
    let outcome = judge(options, &chosen, 1, 300).unwrap();
    let failed = outcome.cases.iter().filter(|case| ![Verdict::Pass, Verdict::Noted].contains(&case.verdict));
    let named: BTreeSet<(String, String)> = failed
        .map(|case| {
            let rule = case.mismatch.as_ref().map(|mismatch| mismatch.rule.clone());
            (rule.unwrap_or_else(|| format!("{:?}", case.message)), case.id.clone())
        })
        .collect();
    let is_of_looseness = |rule: &str| rule.starts_with("list/loose-") || rule.starts_with("list/is-falsy-");
    let elsewhere: Vec<_> = named.iter().filter(|(rule, _)| !is_of_looseness(rule)).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
    let rules: BTreeSet<&str> = named.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(rules, fault.rules.iter().copied().collect());
}
