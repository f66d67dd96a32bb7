//! The outcome of hostile input, a line an input: no verdict depends on it, so a table shows it.

use crate::runner::outcome::{CaseOutcome, RunOutcome};

const CHAPTER: &str = "hostile::";

/// Readings that an operator should know of before the service meets an open network.
const GRAVE: &[&str] = &["broken", "down", "injected", "nothing"];

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) input: String,
    pub(super) outcome: String,
    pub(super) is_grave: bool,
}

/// The lines of the table; none where the chapter was not asked for.
pub(super) fn rows(outcome: &RunOutcome) -> Vec<Row> {
    outcome.cases.iter().filter_map(row).collect()
}

fn row(case: &CaseOutcome) -> Option<Row> {
    let input = case.id.strip_prefix(CHAPTER)?.replace('_', " ");
    let Some(note) = case.notes.first() else {
        let outcome = case.message.clone().unwrap_or_default();
        return Some(Row { input, outcome, is_grave: true });
    };
    let is_smuggled = input.starts_with("smuggled") && note.reading == "answered";
    let is_grave = is_smuggled || GRAVE.contains(&note.reading.as_str());
    Some(Row { input, outcome: note.meaning.clone(), is_grave })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::case_context::Observation;
    use crate::runner::outcome::Verdict;

    fn seen(id: &str, reading: &str) -> Option<Row> {
        let (rule, meaning) = ("hostile/any".to_owned(), "words".to_owned());
        let notes = vec![Observation { rule, reading: reading.to_owned(), meaning }];
        row(&CaseOutcome { notes, ..CaseOutcome::without_traffic(id.to_owned(), &[], Verdict::Noted, None) })
    }

    #[test]
    fn what_is_worth_a_second_look_depends_on_the_input() {
        assert_eq!(seen("list::slow_head", "down"), None);
        let is_grave = |id, reading| seen(id, reading).map(|row| row.is_grave);
        assert_eq!(is_grave("hostile::two_hosts", "answered"), Some(false));
        assert_eq!(is_grave("hostile::smuggled_behind_chunks", "answered"), Some(true));
        assert_eq!(is_grave("hostile::slow_head", "down"), Some(true));
        let row = seen("hostile::slow_head", "waiting").expect("a row");
        assert_eq!((row.input.as_str(), row.outcome.as_str()), ("slow head", "words"));
    }
}
