//! The levels of a run: parts of the contract that an implementer reaches one after another, and a smoke test of all.

use crate::case::{Case, Need};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Level {
    /// One plain case of every chapter
    Smoke,
    /// Paths, headers, errors, books, list, paging
    Books,
    /// Registration, login, sessions, tokens, API keys, permissions
    Credentials,
    /// Codes, backup codes, lockout, trusted devices
    SecondFactor,
    /// Users and posts, GraphQL in both forms, registration route, blog
    Demo,
    All,
}

const CHAPTERS: [(Level, &str); 4] = [
    (Level::Books, "routing versioning errors headers conditional books storage consistency list paging"),
    (Level::Credentials, "credentials registration login permissions sessions tokens api-keys"),
    (Level::SecondFactor, "two-factor verification codes backup-codes lockout devices pending"),
    (Level::Demo, "users posts graphql graphql-reduced signup blog"),
];

/// Cases of the chapters of `Books` that use only routes of the second factor.
const SECOND_FACTOR_CASES: [&str; 5] = [
    "errors::malformed_enablings_are_refused",
    "errors::malformed_two_factor_requests_are_refused",
    "errors::nothing_beside_error_of_the_second_factor",
    "errors::refusals_of_the_second_factor_have_the_shape",
    "routing::two_factor_paths_need_their_slash",
];

/// The level of a case; `None` for the exchanges.
fn level_of(case: &Case) -> Option<Level> {
    if SECOND_FACTOR_CASES.contains(&case.id().as_str()) {
        return Some(Level::SecondFactor);
    }
    CHAPTERS.iter().find(|(_, chapters)| chapters.split(' ').any(|own| own == case.chapter)).map(|(level, _)| *level)
}

impl Level {
    /// Whether samples of answers include the routes of the second factor, which come after `Books`.
    pub fn holds_second_factor(self) -> bool {
        self != Self::Books
    }

    pub fn select(self, cases: Vec<&'static Case>) -> Vec<&'static Case> {
        match self {
            Self::All => cases,
            Self::Smoke => {
                let mut chapters = Vec::new();
                let is_plain = |case: &Case| !case.needs.iter().any(|need| !matches!(need, Need::Interface(_)));
                let mut is_first = |case: &Case| {
                    let is_first = !chapters.contains(&case.chapter);
                    chapters.push(case.chapter);
                    is_first
                };
                cases.into_iter().filter(|case| is_plain(case) && is_first(case)).collect()
            }
            part => cases.into_iter().filter(|case| level_of(case) == Some(part)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters::cases;

    #[test]
    fn every_chapter_but_the_exchanges_is_in_one_level() {
        for case in cases::all().iter().filter(|case| case.chapter != "exchanges" && !case.is_opt_in()) {
            let parts =
                CHAPTERS.iter().filter(|(_, chapters)| chapters.split(' ').any(|own| own == case.chapter)).count();
            assert_eq!(parts, 1, "{}", case.chapter);
        }
    }

    #[test]
    fn the_listed_cases_of_the_second_factor_exist_and_are_not_in_books() {
        let ids: Vec<String> = Level::SecondFactor.select(cases::all()).iter().map(|case| case.id()).collect();
        assert!(SECOND_FACTOR_CASES.iter().all(|id| ids.iter().any(|other| other == id)), "{ids:?}");
        assert!(Level::Books.select(cases::all()).iter().all(|case| !ids.contains(&case.id())));
    }

    #[test]
    fn a_smoke_test_has_one_case_of_nearly_every_chapter() {
        let smoke = Level::Smoke.select(cases::all());
        assert!((20..=31).contains(&smoke.len()), "{}", smoke.len());
    }
}
