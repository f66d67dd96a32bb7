//! The verdicts do not depend on how many cases run at a time.

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
