//! Known failures: a list of cases or rules that are expected to fail, each with its reason. They still run, and must fail.
//!
//! ```toml
//! [[expected]]
//! case    = "books::replace_keeps_the_creation_time"   # a case; `*` stands for any text. Or: rule = "versioning/echo"
//! reason  = "issue 12: the column is overwritten"
//! expires = 2026-12-31                                  # optional; from the day after, the entry is red
//! ```

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;

use crate::case::Case;
use crate::contract::rule::Contract;
use crate::runner::outcome::{CaseOutcome, Verdict};
use crate::runner::select::suggestion;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFile {
    #[serde(default)]
    expected: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    case: Option<String>,
    rule: Option<String>,
    reason: String,
    expires: Option<Day>,
}

/// A TOML date, or the same as a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Day {
    Date(toml::value::Datetime),
    Text(String),
}

impl Day {
    fn text(&self) -> String {
        match self {
            Self::Date(date) => date.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// What an entry is about.
#[derive(Debug)]
enum Subject {
    Cases(GlobMatcher),
    Rule(String),
}

#[derive(Debug)]
struct Known {
    name: String,
    subject: Subject,
    reason: String,
    /// `YYYY-MM-DD`
    expires: Option<String>,
}

impl Known {
    /// Whether a case's failure is what this entry expects.
    fn expects(&self, outcome: &CaseOutcome) -> bool {
        let broken = outcome.mismatch.as_ref().map(|mismatch| mismatch.rule.as_str());
        match &self.subject {
            Subject::Cases(matcher) => matcher.is_match(&outcome.id),
            Subject::Rule(rule) => broken == Some(rule),
        }
    }

    /// Whether a case could show that the entry no longer holds.
    fn is_about(&self, outcome: &CaseOutcome) -> bool {
        match &self.subject {
            Subject::Cases(matcher) => matcher.is_match(&outcome.id),
            Subject::Rule(rule) => outcome.rules.contains(&rule.as_str()),
        }
    }
}

/// A list of known failures.
#[derive(Debug, Default)]
pub struct Expected {
    entries: Vec<Known>,
}

impl Expected {
    /// Reads the list.
    ///
    /// # Errors
    /// A sentence naming an entry that is malformed, has no reason, names nothing, or names what another entry has.
    pub fn parse(text: &str, cases: &[&Case]) -> Result<Self, String> {
        let file: ExpectedFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut entries: Vec<Known> = Vec::new();
        for entry in file.expected {
            let known = known(entry, cases)?;
            if let Some(twice) = entries.iter().find(|other| other.name == known.name) {
                return Err(format!("`{}` is listed twice", twice.name));
            }
            if let Subject::Cases(matcher) = &known.subject {
                let both = |case: &&&Case| {
                    let id = case.id();
                    let has = |other: &Known| matches!(&other.subject, Subject::Cases(glob) if glob.is_match(&id));
                    matcher.is_match(&id) && entries.iter().any(has)
                };
                if let Some(twice) = cases.iter().find(both) {
                    return Err(format!("`{}` and another entry both match {}", known.name, twice.id()));
                }
            }
            entries.push(known);
        }
        Ok(Self { entries })
    }

    /// Turns failures that were expected, and passes that were not, into what they are. `today` is `YYYY-MM-DD`.
    pub fn apply(&self, outcomes: &mut [CaseOutcome], today: &str) {
        for known in &self.entries {
            let is_over = known.expires.as_deref().filter(|day| *day < today);
            let mut has_failed = false;
            for outcome in
                outcomes.iter_mut().filter(|outcome| outcome.verdict == Verdict::Fail && known.expects(outcome))
            {
                has_failed = true;
                let why = outcome.message.as_deref().unwrap_or_default();
                if let Some(day) = is_over {
                    outcome.message =
                        Some(format!("expected to fail until {day} ({}), which is over: {why}", known.reason));
                } else {
                    outcome.message = Some(format!("{}: {why}", known.reason));
                    outcome.verdict = Verdict::ExpectedFail;
                }
            }
            let is_rule = matches!(known.subject, Subject::Rule(_));
            let passes = |outcome: &CaseOutcome| matches!(outcome.verdict, Verdict::Pass | Verdict::Noted);
            // A rule need not fail in every case that judges it; a listed case must fail.
            for outcome in outcomes.iter_mut().filter(|outcome| known.is_about(outcome) && passes(outcome)) {
                if is_rule && has_failed {
                    break;
                }
                outcome.verdict = Verdict::UnexpectedPass;
                let listed = &known.name;
                outcome.message = Some(format!(
                    "passed, but `{listed}` is listed as failing: {}; take it off the list",
                    known.reason
                ));
                has_failed = true;
            }
        }
    }

    /// The text of the list, brought up to date with what came out: entries that no longer fail are taken off, failures that
    /// are not listed are added with what came as their reason. What stays keeps its words and comments.
    pub fn updated(&self, text: &str, outcomes: &[CaseOutcome], today: &str) -> String {
        let failing = |known: &Known| outcomes.iter().any(|o| o.verdict == Verdict::Fail && known.expects(o));
        let judged = |known: &Known| outcomes.iter().any(|o| known.is_about(o) && o.verdict != Verdict::Skipped);
        let mut blocks = text.split("[[expected]]");
        let mut updated = blocks.next().unwrap_or_default().to_owned();
        for (block, known) in blocks.zip(&self.entries) {
            if failing(known) || !judged(known) {
                updated += &format!("[[expected]]{block}");
            }
        }
        let is_new =
            |o: &&CaseOutcome| o.verdict == Verdict::Fail && !self.entries.iter().any(|known| known.expects(o));
        for outcome in outcomes.iter().filter(is_new) {
            let reason = format!("since {today}: {}", outcome.message.as_deref().unwrap_or_default());
            let reason = toml::Value::String(reason.chars().take(300).collect());
            if !updated.is_empty() && !updated.ends_with("\n\n") {
                updated.push('\n');
            }
            updated += &format!("[[expected]]\ncase   = \"{}\"\nreason = {reason}\n", outcome.id);
        }
        updated
    }
}

fn known(entry: Entry, cases: &[&Case]) -> Result<Known, String> {
    let contract = Contract::built_in();
    let (name, subject) = match (entry.case, entry.rule) {
        (Some(name), None) => {
            let glob = GlobBuilder::new(&name).literal_separator(false).build();
            let matcher = glob.map_err(|error| format!("`{name}`: {}", error.kind()))?.compile_matcher();
            if !cases.iter().any(|case| matcher.is_match(case.id())) {
                return Err(format!("`{name}` matches no case{}", suggestion(&name, cases, contract)));
            }
            (name, Subject::Cases(matcher))
        }
        (None, Some(rule)) if cases.iter().any(|case| case.rules.contains(&rule.as_str())) => {
            (rule.clone(), Subject::Rule(rule))
        }
        (None, Some(rule)) => {
            return Err(format!("no case judges a rule `{rule}`{}", suggestion(&rule, cases, contract)));
        }
        _ => return Err("an entry names either a `case` or a `rule`".to_owned()),
    };
    if entry.reason.trim().is_empty() {
        return Err(format!("`{name}` has no reason"));
    }
    let expires = entry.expires.map(|day| day.text());
    let is_day = |day: &String| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok() && day.len() == 10;
    if expires.as_ref().is_some_and(|day| !is_day(day)) {
        return Err(format!("`{name}`: `expires` is not a day of the form YYYY-MM-DD"));
    }
    Ok(Known { name, subject, reason: entry.reason, expires })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use crate::contract::verdict::Mismatch;

    fn outcome(verdict: Verdict) -> CaseOutcome {
        let case = cases::all()[0];
        let mut outcome = CaseOutcome::blank(case.id(), case.rules, verdict, None);
        outcome.mismatch = (verdict == Verdict::Fail).then(|| Mismatch {
            rule: case.rules[0].to_owned(),
            place: "status".to_owned(),
            want: "200".to_owned(),
            got: "404".to_owned(),
            exchanges: Vec::new(),
        });
        outcome
    }

    fn entry(rest: &str) -> String {
        format!("[[expected]]\ncase = {:?}\n{rest}\n", cases::all()[0].id())
    }

    fn list(text: &str) -> Result<Expected, String> {
        Expected::parse(text, &cases::all())
    }

    #[test]
    fn a_listed_failure_is_expected_until_its_day_is_over() {
        for expires in ["expires = '2026-01-31'", "expires = 2026-01-31"] {
            let expected = list(&entry(&format!("reason = 'r'\n{expires}"))).unwrap();
            for (today, verdict) in [("2026-01-31", Verdict::ExpectedFail), ("2026-02-01", Verdict::Fail)] {
                let mut outcomes = [outcome(Verdict::Fail)];
                expected.apply(&mut outcomes, today);
                assert_eq!(outcomes[0].verdict, verdict, "on {today}");
            }
        }
    }

    #[test]
    fn a_listed_pass_is_unexpected() {
        let mut outcomes = [outcome(Verdict::Pass)];
        list(&entry("reason = 'r'")).unwrap().apply(&mut outcomes, "2026-01-01");
        assert_eq!(outcomes[0].verdict, Verdict::UnexpectedPass);
    }

    #[test]
    fn a_listed_rule_expects_only_its_own_failures() {
        let rule = cases::all()[0].rules[0];
        let expected = list(&format!("[[expected]]\nrule = {rule:?}\nreason = 'r'")).unwrap();
        let mut other = outcome(Verdict::Fail);
        other.mismatch.as_mut().unwrap().rule = "another/rule".to_owned();
        let mut outcomes = [outcome(Verdict::Fail), outcome(Verdict::Pass), other];
        expected.apply(&mut outcomes, "2026-01-01");
        assert_eq!(outcomes.map(|o| o.verdict), [Verdict::ExpectedFail, Verdict::Pass, Verdict::Fail]);
        let mut outcomes = [outcome(Verdict::Pass)];
        expected.apply(&mut outcomes, "2026-01-01");
        assert_eq!(outcomes[0].verdict, Verdict::UnexpectedPass, "a rule that nothing breaks is stale");
    }

    #[test]
    fn entries_without_reason_day_or_case_are_refused() {
        assert!(list(&entry("reason = ' '")).unwrap_err().contains("no reason"));
        assert!(list(&entry("reason = 'r'\nexpires = 'soon'")).unwrap_err().contains("YYYY-MM-DD"));
        assert!(
            list("[[expected]]\ncase = 'nothing::like_this'\nreason = 'r'").unwrap_err().contains("matches no case")
        );
        assert!(list("[[expected]]\nrule = 'nothing/such'\nreason = 'r'").unwrap_err().contains("no case judges"));
        assert!(list(&(entry("reason = 'r'") + &entry("reason = 'r'"))).unwrap_err().contains("twice"));
    }

    #[test]
    fn an_updated_list_loses_what_passes_and_gains_what_fails() {
        let text = format!("# our list\n\n{}# why: see below\n", entry("reason = 'r'"));
        let expected = list(&text).unwrap();
        assert_eq!(expected.updated(&text, &[outcome(Verdict::Fail)], "2026-01-01"), text);
        assert_eq!(expected.updated(&text, &[outcome(Verdict::Pass)], "2026-01-01"), "# our list\n\n");
        let grown = Expected::default().updated("", &[outcome(Verdict::Fail)], "2026-01-01");
        assert!(list(&grown).is_ok(), "{grown}");
    }
}
