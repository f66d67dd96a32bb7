//! Counts and their nouns.

use crate::runner::outcome::{RunOutcome, Verdict};

/// `1 case`, `2 cases`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `9 pass, 1 fail`
pub(super) fn counts(outcome: &RunOutcome) -> String {
    let counts = Verdict::ALL.iter().map(|verdict| (outcome.count(*verdict), verdict.word()));
    let counts = counts.filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    counts.collect::<Vec<_>>().join(", ")
}
