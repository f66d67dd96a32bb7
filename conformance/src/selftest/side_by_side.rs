//! The verdicts do not depend on how many cases run at a time, and few requests of a run wait for one another.

use super::*;

/// Ids are the clock in milliseconds, in one collection, and the later user of a millisecond takes the place of the first.
const CLOCK_IDS: [&str; 3] = ["clock-ids-replace", "clock-ids-of-registrations", "demo-data-shared"];

#[test]
fn a_target_whose_ids_are_its_clock_has_one_verdict_however_many_cases_run_at_a_time() {
    let chapters = ["users", "posts", "graphql", "graphql-reduced", "signup"];
    let is_beside = |need: &Need| matches!(need, Need::Interface(_) | Need::UsersAtOnce);
    let is_of_them = |case: &&Case| chapters.contains(&case.chapter) && case.needs.iter().all(is_beside);
    let chosen: Vec<&Case> = all().into_iter().filter(is_of_them).collect();
    for jobs in [1, 8, 16, 16] {
        let options = Options { faults: Faults::none().reading(&CLOCK_IDS), ..Options::default() };
        let outcome = judge_by_plan(options, &chosen, 1, 4, &Plan { jobs, ..Plan::default() }).unwrap();
        let complaints = complaints(&outcome);
        assert!(complaints.is_empty(), "{jobs} at a time:\n{}", complaints.join("\n"));
    }
}

/// A run of a far target takes at most this many times as long as one answer.
#[test]
fn few_requests_of_a_run_wait_for_one_another() {
    const LONGEST: u32 = 1_200;
    let outcome = judge_by_plan(Options::default(), &all(), 1, 256, &Plan { jobs: 64, ..Plan::default() }).unwrap();
    let complaints = complaints(&outcome);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!((200..=LONGEST).contains(&outcome.chain), "{} requests waited for one after the other", outcome.chain);
}
