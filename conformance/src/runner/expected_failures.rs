//! Known failures: a list of cases that are expected to fail, each with its reason. They still run, and must fail.
//!
//! ```toml
//! [[expected]]
//! case    = "books::replace_keeps_the_creation_time"   # a case; `*` stands for any text
//! reason  = "issue 12: the column is overwritten"
//! expires = "2026-12-31"                                # optional; from the day after, the entry is red
//! ```

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;

use crate::case::Case;
use crate::runner::outcome::{CaseOutcome, Verdict};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFile {
    expected: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    case: String,
    reason: String,
    expires: Option<String>,
}

/// A list of known failures.
#[derive(Debug, Default)]
pub struct Expected {
    entries: Vec<(Entry, GlobMatcher)>,
}

impl Expected {
    /// Reads the list. `today` is `YYYY-MM-DD`.
    ///
    /// # Errors
    /// A sentence naming an entry that is malformed, has no reason, or matches no case at all or one that another entry has.
    pub fn parse(text: &str, cases: &[&Case]) -> Result<Self, String> {
        let file: ExpectedFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut entries: Vec<(Entry, GlobMatcher)> = Vec::new();
        for entry in file.expected {
            let name = &entry.case;
            let glob = GlobBuilder::new(name).literal_separator(false).build();
            let matcher = glob.map_err(|error| format!("`{name}`: {}", error.kind()))?.compile_matcher();
            if entry.reason.trim().is_empty() {
                return Err(format!("`{name}` has no reason"));
            }
            let is_date = |day: &String| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok() && day.len() == 10;
            if entry.expires.as_ref().is_some_and(|day| !is_date(day)) {
                return Err(format!("`{name}`: `expires` is not a day of the form YYYY-MM-DD"));
            }
            let mut matched = cases.iter().filter(|case| matcher.is_match(case.id())).peekable();
            if matched.peek().is_none() {
                return Err(format!("`{name}` matches no case; `list` shows what there is"));
            }
            if let Some(twice) = matched.find(|case| entries.iter().any(|(_, other)| other.is_match(case.id()))) {
                return Err(format!("`{name}` and another entry both match {}", twice.id()));
            }
            entries.push((entry, matcher));
        }
        Ok(Self { entries })
    }

    /// Turns failures that were expected, and passes that were not, into what they are. `today` is `YYYY-MM-DD`.
    pub fn apply(&self, outcome: &mut CaseOutcome, today: &str) {
        let Some((entry, _)) = self.entries.iter().find(|(_, matcher)| matcher.is_match(&outcome.id)) else {
            return;
        };
        match outcome.verdict {
            Verdict::Fail if entry.expires.as_deref().is_some_and(|day| day < today) => {
                let day = entry.expires.as_deref().unwrap_or_default();
                outcome.message = Some(format!("expected to fail until {day} ({}), which is over", entry.reason));
            }
            Verdict::Fail => {
                outcome.verdict = Verdict::ExpectedFail;
                outcome.message = Some(format!("{}: {}", entry.reason, outcome.message.as_deref().unwrap_or_default()));
            }
            Verdict::Pass | Verdict::Noted => {
                outcome.verdict = Verdict::UnexpectedPass;
                outcome.message =
                    Some(format!("passed, but is listed as failing: {}; take it off the list", entry.reason));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    fn outcome(verdict: Verdict) -> CaseOutcome {
        CaseOutcome {
            id: cases::all()[0].id(),
            rules: &[],
            verdict,
            duration_ms: 0,
            message: None,
            mismatch: None,
            is_hook_failure: false,
            notes: Vec::new(),
            exchanges: Vec::new(),
        }
    }

    fn list(rest: &str) -> Result<Expected, String> {
        let text = format!("[[expected]]\ncase = {:?}\n{rest}", cases::all()[0].id());
        Expected::parse(&text, &cases::all())
    }

    #[test]
    fn a_listed_failure_is_expected_until_its_day_is_over() {
        let expected = list("reason = 'r'\nexpires = '2026-01-31'").unwrap();
        for (today, verdict) in [("2026-01-31", Verdict::ExpectedFail), ("2026-02-01", Verdict::Fail)] {
            let mut outcome = outcome(Verdict::Fail);
            expected.apply(&mut outcome, today);
            assert_eq!(outcome.verdict, verdict, "on {today}");
        }
    }

    #[test]
    fn a_listed_pass_is_unexpected() {
        let mut outcome = outcome(Verdict::Pass);
        list("reason = 'r'").unwrap().apply(&mut outcome, "2026-01-01");
        assert_eq!(outcome.verdict, Verdict::UnexpectedPass);
    }

    #[test]
    fn entries_without_reason_day_or_case_are_refused() {
        assert!(list("reason = ' '").unwrap_err().contains("no reason"));
        assert!(list("reason = 'r'\nexpires = 'soon'").unwrap_err().contains("YYYY-MM-DD"));
        let unknown = "[[expected]]\ncase = 'nothing::like_this'\nreason = 'r'";
        assert!(Expected::parse(unknown, &cases::all()).unwrap_err().contains("matches no case"));
    }
}
