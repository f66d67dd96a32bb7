//! Expected failures: cases or rules that are known to fail, each with its reason. They still run, and must fail.
//!
//! ```toml
//! [[expected]]
//! case    = "books::replace_keeps_the_creation_time"   # a case; `*` stands for any text
//! rule    = "books/fecha-creacion"                      # a rule; with `case` too, only that case's failures of the rule
//! reason  = "issue 12: the column is overwritten"
//! expires = 2026-12-31                                  # optional; from the day after, its failures count again
//! ```

use glob::Pattern;
use serde::Deserialize;

use crate::case::Case;
use crate::contract::renamed::present;
use crate::contract::rule::Contract;
use crate::runner::outcome::{CaseOutcome, Verdict};
use crate::runner::select::suggestion;

/// Stands in the message of such a failure between the expectation and the failure itself.
pub(crate) const EXPIRED: &str = ", which is over: ";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFile {
    #[serde(default)]
    expected: Vec<FileEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    case: Option<String>,
    rule: Option<String>,
    reason: String,
    /// A TOML date, or the same as a text.
    expires: Option<toml::Value>,
}

/// An expected failure of cases, of a rule, or of a rule in some cases.
#[derive(Debug)]
struct Entry {
    name: String,
    cases: Option<Pattern>,
    rule: Option<String>,
    reason: String,
    /// `YYYY-MM-DD`
    expires: Option<String>,
    /// The ids of the cases that judge the rule, unless `cases` says which ones count.
    about: Vec<String>,
}

impl Entry {
    fn names(&self, case: &str) -> bool {
        self.cases.as_ref().is_none_or(|matcher| matcher.matches(case))
    }

    fn expects(&self, outcome: &CaseOutcome) -> bool {
        self.names(&outcome.id) && (self.rule.is_none() || outcome.broken_rule() == self.rule.as_deref())
    }

    /// Whether a case could show that the entry no longer holds.
    fn is_about(&self, outcome: &CaseOutcome) -> bool {
        self.names(&outcome.id) && self.rule.as_ref().is_none_or(|rule| outcome.rules.contains(&rule.as_str()))
    }

    /// Whether these outcomes can show that it no longer holds: a rule may still fail in a case that was not judged.
    fn is_settled(&self, outcomes: &[CaseOutcome]) -> bool {
        use Verdict::{Blocked, Broken, Flaky, Skipped};
        let is_judged = |o: &&CaseOutcome| !matches!(o.verdict, Blocked | Broken | Flaky | Skipped);
        let judged: Vec<_> = outcomes.iter().filter(is_judged).collect();
        judged.iter().any(|o| self.is_about(o)) && self.about.iter().all(|id| judged.iter().any(|o| o.id == *id))
    }

    /// Whether it may expect a failure of this case: the case is named, or judges the rule.
    fn covers(&self, case: &str) -> bool {
        self.about.iter().any(|id| id == case) || self.cases.is_some() && self.names(case)
    }

    /// Whether both entries may expect the same failure of this case.
    fn overlaps(&self, other: &Self, case: &str) -> bool {
        self.covers(case)
            && other.covers(case)
            && (self.rule.is_none() || other.rule.is_none() || self.rule == other.rule)
    }
}

#[derive(Debug, Default)]
pub struct Expected {
    entries: Vec<Entry>,
}

impl Expected {
    pub fn parse(text: &str, cases: &[&Case]) -> Result<Self, String> {
        let file: ExpectedFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut entries: Vec<Entry> = Vec::new();
        for entry in file.expected {
            let entry = checked(entry, cases)?;
            if entries.iter().any(|other| other.name == entry.name) {
                return Err(format!("`{}` is listed twice", entry.name));
            }
            let mut ids = cases.iter().map(|case| case.id());
            if let Some(id) = ids.find(|id| entries.iter().any(|other| entry.overlaps(other, id))) {
                return Err(format!("`{}` and another entry both match {id}", entry.name));
            }
            entries.push(entry);
        }
        Ok(Self { entries })
    }

    pub fn expects(&self, outcome: &CaseOutcome) -> bool {
        self.entries.iter().any(|entry| entry.expects(outcome))
    }

    /// Marks failures that were expected, and passes that were not. `today` is `YYYY-MM-DD`.
    pub fn apply(&self, outcomes: &mut [CaseOutcome], today: &str) {
        for entry in &self.entries {
            let Entry { name, reason, .. } = entry;
            let passed_expiry = entry.expires.as_deref().filter(|day| *day < today);
            let is_settled = entry.is_settled(outcomes);
            let has_failed =
                |o: &CaseOutcome| matches!(o.verdict, Verdict::ExpectedFail | Verdict::Fail) && entry.expects(o);
            // A rule need not fail in every case that judges it; a listed case must fail.
            let passes_max = match entry.rule {
                _ if !is_settled => 0,
                Some(_) => usize::from(!outcomes.iter().any(has_failed)),
                None => usize::MAX,
            };
            let is_failure = |outcome: &&mut CaseOutcome| outcome.verdict == Verdict::Fail && entry.expects(outcome);
            for outcome in outcomes.iter_mut().filter(is_failure) {
                let why = outcome.message();
                if let Some(day) = passed_expiry {
                    outcome.message = Some(format!("expected to fail until {day} ({reason}){EXPIRED}{why}"));
                } else {
                    outcome.message = Some(format!("{reason}: {why}"));
                    outcome.verdict = Verdict::ExpectedFail;
                }
            }
            let is_pass = |outcome: &&mut CaseOutcome| outcome.verdict.holds() && entry.is_about(outcome);
            for outcome in outcomes.iter_mut().filter(is_pass).take(passes_max) {
                outcome.verdict = Verdict::UnexpectedPass;
                let message = format!("passed, but `{name}` is listed as failing: {reason}; take it off the list");
                outcome.message = Some(message);
            }
        }
    }

    /// Updates the text of the list to these outcomes; returns it, and how many entries were added and removed. Removes entries that no
    /// longer fail, adds failures that are not listed, with their message as the reason. Leaves the other entries as they are.
    pub fn updated(&self, text: &str, outcomes: &[CaseOutcome], today: &str) -> Result<(String, [usize; 2]), String> {
        let fails = |entry: &Entry| outcomes.iter().any(|o| o.verdict == Verdict::Fail && entry.expects(o));
        let (head, blocks) = split_entries(text);
        if blocks.len() != self.entries.len() {
            return Err(
                "each entry must begin with a line `[[expected]]` for the list to be updated; nothing was changed"
                    .to_owned(),
            );
        }
        let (kept, removed): (Vec<_>, Vec<_>) =
            blocks.into_iter().zip(&self.entries).partition(|(_, entry)| fails(entry) || !entry.is_settled(outcomes));
        let mut updated = head.to_owned();
        updated.extend(kept.into_iter().map(|(block, _)| block));
        // An entry expects another failure of this case.
        let has_case = |o: &CaseOutcome| self.entries.iter().any(|entry| entry.covers(&o.id));
        let is_new =
            |o: &&CaseOutcome| o.verdict == Verdict::Fail && !self.expects(o) && (o.mismatch.is_some() || !has_case(o));
        let new: Vec<&CaseOutcome> = outcomes.iter().filter(is_new).collect();
        for outcome in &new {
            let reason = format!("since {today}: {}", outcome.message());
            let reason = toml::Value::String(reason.chars().take(300).collect());
            if !updated.is_empty() && !updated.ends_with("\n\n") {
                updated.push('\n');
            }
            updated += &format!("[[expected]]\ncase   = \"{}\"\n", outcome.id);
            if let Some(mismatch) = outcome.mismatch.as_ref().filter(|_| has_case(outcome)) {
                updated += &format!("rule   = \"{}\"\n", mismatch.rule);
            }
            updated += &format!("reason = {reason}\n");
        }
        Ok((updated, [new.len(), removed.len()]))
    }
}

/// The text before the first entry, and the text of each entry, with the comment above it if it is not the first. A comment may contain
/// `[[expected]]`, too.
fn split_entries(text: &str) -> (&str, Vec<&str>) {
    let begins_a_line = |at: &usize| text[..*at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
    let starts = text.match_indices("[[expected]]").map(|(at, _)| at).filter(begins_a_line);
    let with_comment = |(index, at): (usize, usize)| {
        let above = text[..at].split_inclusive('\n').rev().take_while(|line| index > 0 && line.starts_with('#'));
        at - above.map(str::len).sum::<usize>()
    };
    let bounds: Vec<usize> = starts.enumerate().map(with_comment).chain([text.len()]).collect();
    (&text[..bounds[0]], bounds.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect())
}

fn checked(entry: FileEntry, cases: &[&Case]) -> Result<Entry, String> {
    let contract = Contract::built_in();
    let (case, rule) = (entry.case.as_deref().map(present), entry.rule.as_deref().map(present));
    let name = match (case, rule) {
        (Some(case), Some(rule)) => format!("{case} ({rule})"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => return Err("an entry names a `case`, a `rule`, or both".to_owned()),
    };
    let matcher = case.map(Pattern::new).transpose().map_err(|error| format!("`{name}`: {}", error.msg))?;
    let named = cases.iter().filter(|case| matcher.as_ref().is_none_or(|matcher| matcher.matches(&case.id())));
    if let (Some(case), None) = (case, named.clone().next()) {
        return Err(format!("`{case}` matches no case{}", suggestion(case, cases, contract)));
    }
    if let Some(rule) = rule
        && !named.clone().any(|case| case.rules.contains(&rule))
    {
        let none = case.map_or_else(|| "no case".to_owned(), |case| format!("no case like `{case}`"));
        return Err(format!("{none} judges a rule `{rule}`{}", suggestion(rule, cases, contract)));
    }
    if entry.reason.trim().is_empty() {
        return Err(format!("`{name}` has no reason"));
    }
    let expires = entry.expires.map(|day| day.as_str().map_or_else(|| day.to_string(), str::to_owned));
    let is_day = |day: &String| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok() && day.len() == 10;
    if expires.as_ref().is_some_and(|day| !is_day(day)) {
        return Err(format!("`{name}`: `expires` is not a day of the form YYYY-MM-DD"));
    }
    let judges = |judged: &Case| case.is_none() && rule.is_some_and(|rule| judged.rules.contains(&rule));
    let about = cases.iter().filter(|case| judges(case)).map(|case| case.id()).collect();
    Ok(Entry { name, cases: matcher, rule: rule.map(str::to_owned), reason: entry.reason, expires, about })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters::cases;
    use crate::contract::violation::{Mismatch, Place};

    fn outcome(verdict: Verdict) -> CaseOutcome {
        let case = cases::all()[0];
        let mut outcome = CaseOutcome::without_traffic(case.id(), case.rules, verdict, None);
        outcome.mismatch = (verdict == Verdict::Fail).then(|| Mismatch::new(case.rules[0], Place::STATUS, 200, 404));
        outcome
    }

    fn entry(rest: &str) -> String {
        format!("[[expected]]\ncase = {:?}\n{rest}\n", cases::all()[0].id())
    }

    fn list(text: &str) -> Result<Expected, String> {
        Expected::parse(text, &cases::all())
    }

    /// The verdicts of these outcomes, with the list applied on a day.
    fn applied<const N: usize>(list: &Expected, mut outcomes: [CaseOutcome; N], today: &str) -> [Verdict; N] {
        list.apply(&mut outcomes, today);
        outcomes.map(|outcome| outcome.verdict)
    }

    #[test]
    fn a_listed_failure_is_expected_until_its_day_is_over_and_a_listed_pass_is_unexpected() {
        for expires in ["expires = '2026-01-31'", "expires = 2026-01-31"] {
            let expected = list(&entry(&format!("reason = 'r'\n{expires}"))).unwrap();
            let on = |today| applied(&expected, [outcome(Verdict::Fail), outcome(Verdict::Pass)], today);
            assert_eq!(on("2026-01-31"), [Verdict::ExpectedFail, Verdict::UnexpectedPass]);
            assert_eq!(on("2026-02-01"), [Verdict::Fail, Verdict::UnexpectedPass]);
        }
    }

    #[test]
    fn a_listed_rule_expects_only_its_own_failures() {
        let rule = cases::all()[0].rules[0];
        let expected = list(&format!("[[expected]]\nrule = {rule:?}\nreason = 'r'")).unwrap();
        let mut other = outcome(Verdict::Fail);
        other.mismatch.as_mut().unwrap().rule = "another/rule";
        let verdicts = applied(&expected, [outcome(Verdict::Fail), outcome(Verdict::Pass), other], "2026-01-01");
        assert_eq!(verdicts, [Verdict::ExpectedFail, Verdict::Pass, Verdict::Fail]);
        let of_rule = cases::all().into_iter().filter(|case| case.rules.contains(&rule));
        let mut stale: Vec<_> = of_rule.map(|case| CaseOutcome { id: case.id(), ..outcome(Verdict::Pass) }).collect();
        expected.apply(&mut stale, "2026-01-01");
        assert_eq!(stale[0].verdict, Verdict::UnexpectedPass, "a rule that nothing breaks");
        stale.iter_mut().for_each(|outcome| outcome.verdict = Verdict::Pass);
        stale.last_mut().unwrap().verdict = Verdict::Blocked;
        expected.apply(&mut stale, "2026-01-01");
        assert_eq!(stale[0].verdict, Verdict::Pass, "a case that was not judged may still break it");
    }

    #[test]
    fn a_listed_rule_of_a_case_expects_that_failure_of_that_case_alone() {
        let case = cases::all()[0];
        let (id, rule) = (case.id(), case.rules[0]);
        let listed = |rule: &str| format!("[[expected]]\ncase = {id:?}\nrule = {rule:?}\nreason = 'r'\n");
        let expected = list(&listed(rule)).unwrap();
        let (mut other_rule, mut other_case) = (outcome(Verdict::Fail), outcome(Verdict::Fail));
        other_rule.mismatch.as_mut().unwrap().rule = "another/rule";
        other_case.id = "another::case".to_owned();
        let outcomes = [outcome(Verdict::Fail), other_rule.clone(), other_case, outcome(Verdict::Pass)];
        let verdicts = [Verdict::ExpectedFail, Verdict::Fail, Verdict::Fail, Verdict::Pass];
        assert_eq!(applied(&expected, outcomes, "2026-01-01"), verdicts);
        assert_eq!(applied(&expected, [outcome(Verdict::Pass)], "2026-01-01"), [Verdict::UnexpectedPass]);
        let grown = expected.updated(&listed(rule), &[outcome(Verdict::Fail), other_rule], "2026-01-01").unwrap().0;
        assert!(grown.contains("rule   = \"another/rule\""), "{grown}");
        assert!(list(&listed("paging/limit-maximum")).unwrap_err().contains("no case like"));
        assert!(list(&(listed(rule) + &entry("reason = 'r'"))).unwrap_err().contains("both match"));
    }

    #[test]
    fn another_failure_of_a_case_of_a_listed_rule_is_added_with_its_own_rule() {
        let case = cases::all().into_iter().find(|case| case.rules.len() > 1).unwrap();
        let failing = |rule| {
            let mismatch = Some(Mismatch::new(rule, Place::STATUS, 200, 404));
            CaseOutcome { mismatch, ..CaseOutcome::without_traffic(case.id(), case.rules, Verdict::Fail, None) }
        };
        let listed = format!("[[expected]]\nrule = {:?}\nreason = 'r'\n", case.rules[0]);
        let outcomes = [failing(case.rules[0]), failing(case.rules[1])];
        let (grown, changes) = list(&listed).unwrap().updated(&listed, &outcomes, "2026-01-01").unwrap();
        assert!(list(&grown).is_ok() && changes == [1, 0], "{grown}");
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
        let of_rule = format!("[[expected]]\nrule = {:?}\nreason = 'r'\n", cases::all()[0].rules[0]);
        assert!(list(&(of_rule + &entry("reason = 'r'"))).unwrap_err().contains("both match"));
    }

    #[test]
    fn an_updated_list_loses_what_passes_and_gains_what_fails() {
        let text = format!("# our [[expected]]\n\n{}# why: see below\n", entry("reason = 'r'"));
        let expected = list(&text).unwrap();
        let updated =
            |expected: &Expected, text: &str, verdict| expected.updated(text, &[outcome(verdict)], "2026-01-01");
        assert_eq!(updated(&expected, &text, Verdict::Fail), Ok((text.clone(), [0, 0])));
        assert_eq!(updated(&expected, &text, Verdict::Pass), Ok(("# our [[expected]]\n\n".to_owned(), [0, 1])));
        let (grown, changes) = updated(&Expected::default(), "", Verdict::Fail).unwrap();
        assert!(list(&grown).is_ok() && changes == [1, 0], "{grown}");
        let spaced = text.replace("[[expected]]\nc", "[[ expected ]]\nc");
        assert!(updated(&list(&spaced).unwrap(), &spaced, Verdict::Pass).unwrap_err().contains("`[[expected]]`"));
    }

    #[test]
    fn an_entry_keeps_the_comment_above_it() {
        let text = "[[expected]]\na\n# of b\n# too\n[[expected]]\nb\n";
        let (first, second) = ("[[expected]]\na\n", "# of b\n# too\n[[expected]]\nb\n");
        assert_eq!(split_entries(text), ("", vec![first, second]));
    }
}
