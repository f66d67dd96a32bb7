//! Ways to write what the documents fix the form of: each fails the one case about that form, and no other.

use super::*;

const FORMS: [(&str, &str); 4] = [
    ("status-times-without-fraction", "two-factor::times_have_milliseconds"),
    ("two-factor-times-with-microseconds", "two-factor::times_have_milliseconds"),
    ("cors-lists-without-spaces", "headers::lists_are_spelled_as_printed"),
    ("users-options-lists-spaced", "users::options_spells_its_lists_as_printed"),
];

#[test]
fn another_form_fails_the_one_case_about_it() {
    let chapters = ["two-factor", "devices", "verification", "headers", "conditional", "routing", "users", "exchanges"];
    let chosen: Vec<&Case> = all().into_iter().filter(|case| chapters.contains(&case.chapter)).collect();
    for (fault, its_case) in FORMS {
        let options = Options { faults: Faults::one(fault).unwrap(), ..Options::default() };
        let outcome = judge(options, &chosen, 1, 8).unwrap();
        let bad = outcome.cases.iter().filter(|case| ![Verdict::Pass, Verdict::Noted].contains(&case.verdict));
        let bad: Vec<(&str, &Option<String>)> = bad.map(|case| (case.id.as_str(), &case.message)).collect();
        assert!(matches!(bad.as_slice(), [(case, _)] if *case == its_case), "{fault}: {bad:#?}");
    }
}
