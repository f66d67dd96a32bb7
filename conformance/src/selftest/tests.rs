//! Tests of the suite that `selftest` does not run: the cases that may fail, and those that must not, on special impostors.

use serde_json::json;

use super::judging::session;
use super::*;
use crate::context::session::Session;
use crate::impostor::Impostor;
use crate::impostor::effect::Effect;
use crate::runner::level::Level;
use crate::runner::run::run;

fn of_chapters(chapters: &[&str]) -> Vec<&'static Case> {
    selftest_cases().into_iter().filter(|case| chapters.contains(&case.chapter)).collect()
}

fn bad(outcome: &RunOutcome) -> impl Iterator<Item = &CaseOutcome> {
    outcome.cases.iter().filter(|case| !case.verdict.holds())
}

/// Faults in the spelling of a value whose form the documents fix, each with the one case about that form.
const FORMS: [(&str, &str); 4] = [
    ("status-times-without-fraction", "two-factor::times_have_milliseconds"),
    ("two-factor-times-with-microseconds", "two-factor::times_have_milliseconds"),
    ("cors-lists-without-spaces", "headers::lists_are_spelled_as_printed"),
    ("users-options-lists-spaced", "users::options_spells_its_lists_as_printed"),
];

#[test]
fn another_form_fails_the_one_case_about_it() {
    let chapters = ["two-factor", "devices", "verification", "headers", "conditional", "routing", "users", "exchanges"];
    for (fault, its_case) in FORMS {
        let outcome = judge(impostor_with(Faults::one(fault).unwrap()), &of_chapters(&chapters), 1, 8).unwrap();
        let bad: Vec<(&str, &Option<String>)> = bad(&outcome).map(|case| (case.id.as_str(), &case.message)).collect();
        assert!(matches!(bad.as_slice(), [(case, _)] if *case == its_case), "{fault}: {bad:#?}");
    }
}

#[test]
fn the_books_pass_without_a_second_factor() {
    let unbuilt = Effect::Request(|request| {
        if request.path == "/auth/verify-2fa" || request.path.starts_with("/2fa/") {
            request.path = "/nada".to_owned();
        }
    });
    let impostor = Impostor::start(impostor_with(Faults::none().having(&[unbuilt]))).unwrap();
    let session =
        Session { holds_second_factor: Level::Books.holds_second_factor(), ..session(&impostor, 1, 4).unwrap() };
    // The chapters whose samples are of every kind; the others of the level ask for books alone.
    let chosen = Level::Books.select(of_chapters(&["routing", "versioning", "errors", "headers", "conditional"]));
    assert!(chosen.len() > 100, "{}", chosen.len());
    assert_passes(&run(&session, &chosen, &Plan::exclusive()));
}

#[test]
fn a_case_knows_the_time_after_one_that_moved_it() {
    let impostor = Impostor::start(impostor_with(Faults::none())).unwrap();
    let session = session(&impostor, 1, 1).unwrap();
    for id in ["lockout::a_block_lasts_15_minutes", "codes::the_current_code_is_accepted"] {
        let case = selftest_cases().into_iter().filter(|case| case.id() == id).collect::<Vec<_>>();
        assert_passes(&run(&session, &case, &Plan { jobs: 1, ..Plan::exclusive() }));
    }
}

fn assert_passes(outcome: &RunOutcome) {
    let complaints = complaints(outcome);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn another_languages_equality_fails_under_the_rules_of_loose_equality_and_truthiness_alone() {
    let fault = faults::find("equality-and-truth-of-php").unwrap();
    let chosen = of_chapters(&["list", "paging", "books", "exchanges"]);
    let outcome = judge(impostor_with(Faults::one(fault.id).unwrap()), &chosen, 1, 300).unwrap();
    let rule = |case: &CaseOutcome| case.broken_rule().map_or_else(|| format!("{:?}", case.message), str::to_owned);
    let named: BTreeSet<_> = bad(&outcome).map(|case| (rule(case), case.id.as_str())).collect();
    let is_of_looseness = |rule: &str| rule.starts_with("list/loose-") || rule.starts_with("list/is-falsy-");
    let elsewhere: Vec<_> = named.iter().filter(|(rule, _)| !is_of_looseness(rule)).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
    let rules: BTreeSet<&str> = named.iter().map(|(rule, _)| rule.as_str()).collect();
    assert_eq!(rules, fault.rules.iter().copied().collect());
}

/// Ids are the clock in milliseconds, in one collection, and the later user of a millisecond takes the place of the first.
const CLOCK_IDS: [&str; 3] = ["clock-ids-replace", "clock-ids-of-registrations", "demo-data-shared"];

#[test]
fn a_target_whose_ids_are_its_clock_has_one_verdict_however_many_cases_run_at_a_time() {
    let is_beside = |need: &Need| matches!(need, Need::Interface(_) | Need::UsersAtOnce);
    let mut chosen = of_chapters(&["users", "posts", "graphql", "graphql-reduced", "signup"]);
    chosen.retain(|case| case.needs.iter().all(is_beside));
    for jobs in [1, 8, 16, 16] {
        let options = impostor_with(Faults::none().reading(&CLOCK_IDS));
        assert_passes(&judge_by(options, &chosen, 1, 4, &Plan { jobs, ..Plan::exclusive() }).unwrap());
    }
}

/// A run of a far target takes at most this many times as long as one answer.
#[test]
fn few_requests_of_a_run_wait_for_one_another() {
    const LONGEST: u32 = 1_200;
    let outcome =
        judge_by(Options::default(), &selftest_cases(), 1, 256, &Plan { jobs: 64, ..Plan::exclusive() }).unwrap();
    assert_passes(&outcome);
    assert!((200..=LONGEST).contains(&outcome.chain), "{} requests waited for one after the other", outcome.chain);
}

#[test]
fn no_case_reads_a_deleted_book_whose_id_another_client_may_get() {
    let create_by_another = Effect::Around(|state, request, answer| {
        let reply = answer(state, request);
        if request.method == "DELETE" && reply.status == 204 {
            let highest = state.books.iter().filter_map(|book| book["id"].as_u64()).max().unwrap_or_default();
            state.books.push(json!({ "titulo": "Trilce", "autor": "César Vallejo", "id": highest + 1 }));
        }
        reply
    });
    let mut chosen = of_chapters(&["books", "conditional", "headers", "storage", "consistency", "exchanges"]);
    chosen.retain(|case| !case.is_alone());
    let options = impostor_with(Faults::none().having(&[create_by_another]));
    assert_passes(&judge_by(options, &chosen, 1, 4, &Plan { jobs: 1, ..Plan::exclusive() }).unwrap());
}

#[test]
fn each_that_is_judged_apart_is_a_fault() {
    assert!(APART.values().flatten().all(|id| faults::find(id).is_some()));
}
