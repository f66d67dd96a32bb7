//! Names the faults of the impostor that the failures of a run look like: compares the failing cases with those that fail on each
//! fault, which selftest writes to `fault_matrix.txt`. A hint; judges nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use serde_json::Value;

use crate::contract::violation::{Got, Mismatch, Part};
use crate::impostor::faults::{self, Fault};
use crate::runner::outcome::CaseOutcome;

/// Which cases fail on which fault: a block for each fault, with a line for each broken rule; `~` marks cases that draw their inputs.
/// Instead of a rule, `blocked` marks cases that a preparation stopped, and `fail` cases that got no answer.
const MATRIX: &str = include_str!("fault_matrix.txt");

/// Of the cases that fail on a fault, the share by weight that must fail in the run.
const SHARE_MIN: f64 = 0.7;
/// The weight of a case that fails for another rule.
const OTHER_RULE: f64 = 0.5;
/// A score of at least this share of the best is a tie with it.
const AS_GOOD: f64 = 0.9;

type Failures<'a> = BTreeMap<&'a str, &'a str>;

#[derive(Debug)]
pub struct Row {
    pub fault: &'static Fault,
    pub cases: Failures<'static>,
    /// The cases that draw their inputs, and may draw others in another run.
    pub drawing: BTreeSet<&'static str>,
}

/// The matrix, and the weight of each case: the more faults it fails on, the less it tells.
#[derive(Debug)]
struct Matrix {
    rows: Vec<Row>,
    weights: BTreeMap<&'static str, f64>,
}

static BUILT_IN: LazyLock<Matrix> = LazyLock::new(|| Matrix::of(rows(MATRIX)));

/// Reads a matrix; skips faults that no longer exist.
pub fn rows(matrix: &'static str) -> Vec<Row> {
    let blocks = matrix.split("\n\n").filter_map(|block| {
        let mut lines = block.trim().lines();
        let fault = faults::find(lines.next()?)?;
        let mut row = Row { fault, cases: BTreeMap::new(), drawing: BTreeSet::new() };
        for (why, ids) in lines.filter_map(|line| line.trim().split_once(": ")) {
            row.cases.extend(ids.split(' ').map(|id| (id, why.trim_start_matches('~'))));
            row.drawing.extend(ids.split(' ').filter(|_| why.starts_with('~')));
        }
        Some(row)
    });
    blocks.collect()
}

pub fn built_in() -> &'static [Row] {
    &BUILT_IN.rows
}

/// The rule that a case fails for, or `blocked` or `fail` as in the matrix; `None` if it does not fail.
pub fn failed_for(case: &CaseOutcome) -> Option<&'static str> {
    case.verdict.has_failed().then(|| case.broken_rule().unwrap_or(case.verdict.word()))
}

/// A fault that failures of a run look like.
#[derive(Debug, Clone)]
pub struct Likeness {
    pub fault: &'static Fault,
    /// Another fault that fits about as well.
    pub or: Option<&'static Fault>,
    /// Indices of the failing cases that fail on the fault too.
    pub agreeing: BTreeSet<usize>,
    /// How many cases fail, or are blocked by one that does.
    pub failing: usize,
}

impl fmt::Display for Likeness {
    /// `A limit of 101 is let through. (3 of 3 cases agree)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.fault.text)?;
        self.or.map_or(Ok(()), |other| write!(f, " Or: {}", other.text))?;
        let cases = if self.failing == 1 { "case agrees" } else { "cases agree" };
        write!(f, " ({} of {} {cases})", self.agreeing.len(), self.failing)
    }
}

/// The faults that together may explain the failures, the one that explains most first. If three or more fit equally, names none.
pub fn likenesses(cases: &[CaseOutcome]) -> Vec<Likeness> {
    let likeness = |fitting: Vec<&'static Row>| {
        let (row, or) = match fitting[..] {
            [row] => (row, None),
            [row, other] => (row, Some(other)),
            _ => return None,
        };
        let agrees = |index: &usize| failed_for(&cases[*index]).is_some() && row.cases.contains_key(&*cases[*index].id);
        let agreeing: BTreeSet<usize> = (0..cases.len()).filter(agrees).collect();
        let explains_all = |other: &&Row| agreeing.iter().all(|at| other.cases.contains_key(&*cases[*at].id));
        let or = or.filter(explains_all).map(|other| other.fault);
        Some(Likeness { fault: row.fault, or, failing: agreeing.len(), agreeing })
    };
    fitting(cases).into_iter().filter_map(likeness).collect()
}

/// Groups of rows, each of which explains some failures; its rows fit about equally, the best first. Omits rows that a case contradicts.
pub fn fitting(cases: &[CaseOutcome]) -> Vec<Vec<&'static Row>> {
    let failing: Failures<'_> = cases.iter().filter_map(|case| Some((case.id.as_str(), failed_for(case)?))).collect();
    // A run without failures need not parse the matrix.
    if failing.is_empty() {
        return Vec::new();
    }
    let passing = cases.iter().filter(|case| case.verdict.holds());
    let passing: BTreeSet<&str> = passing.map(|case| case.id.as_str()).collect();
    let denied: BTreeSet<&str> = cases.iter().flat_map(|case| &case.contradicts).copied().collect();
    BUILT_IN.fitting(&failing, &passing, &denied)
}

/// Whether a case fails alike on a target and on a fault: same place, same value. Ignores ids, times, tokens and texts for people.
pub fn is_alike(own: &Mismatch, other: &Mismatch) -> bool {
    const WORDS: [&str; 4] = ["/error", "/mensaje", "/message", "/advertencia"];
    let text = |got: &Got| without_ids(&without_values(&got.to_string()));
    let place = |mismatch: &Mismatch| without_values(&mismatch.place.part.to_string());
    let is_for_people =
        matches!(&own.place.part, Part::Body(pointer) if WORDS.iter().any(|word| pointer.ends_with(word)));
    // Where both wanted one number, no id or time is compared.
    let wants_differ = own.want.to_string() != other.want.to_string();
    let is_same = match (&own.got, &other.got) {
        (Got::Absent, Got::Absent) => true,
        (Got::Absent, _) | (_, Got::Absent) => false,
        (Got::Json(Value::Object(own)), Got::Json(Value::Object(other))) => own.keys().eq(other.keys()),
        (Got::Json(Value::Number(own)), Got::Json(Value::Number(other))) => {
            own == other || wants_differ && [own, other].iter().any(|number| number.as_f64() > Some(999.0))
        }
        // `401 {"error":"..."}`
        (own, other) => {
            let (own, other) = (text(own), text(other));
            own == other
                || is_for_people
                || own
                    .split_once(' ')
                    .is_some_and(|(status, _)| status.parse::<u16>().is_ok() && other.starts_with(status))
        }
    };
    place(own) == place(other) && is_same
}

fn without_ids(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("id") {
        plain += before;
        rest = after.trim_start_matches(['"', ':', ' ']).trim_start_matches(|c: char| c.is_ascii_digit());
    }
    plain + rest
}

impl Matrix {
    fn of(rows: Vec<Row>) -> Self {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        rows.iter().flat_map(|row| row.cases.keys()).for_each(|case| *counts.entry(case).or_default() += 1);
        let rarity = |count: u32| (1.0 + rows.len() as f64 / f64::from(count)).ln();
        let weights = counts.into_iter().map(|(case, count)| (case, rarity(count))).collect();
        Self { rows, weights }
    }

    /// The groups of rows for the failures, the one that explains most first; leaves out denied faults.
    fn fitting(&self, failing: &Failures<'_>, passing: &BTreeSet<&str>, denied: &BTreeSet<&str>) -> Vec<Vec<&Row>> {
        let allowed = self.rows.iter().filter(|row| !denied.contains(row.fault.id));
        let mut candidates: Vec<_> = allowed.filter_map(|row| self.candidate(row, failing, passing)).collect();
        let mut groups = Vec::new();
        loop {
            candidates.retain(|candidate| !candidate.unexplained.is_empty());
            let mut fitting: Vec<_> = candidates.iter().map(|candidate| (candidate.score(), candidate.row)).collect();
            fitting.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            let Some((best, row)) = fitting.first().copied() else { return groups };
            groups
                .push(fitting.iter().take_while(|(score, _)| *score >= AS_GOOD * best).map(|(_, row)| *row).collect());
            for candidate in &mut candidates {
                candidate.unexplained.retain(|(case, _)| !row.cases.contains_key(case));
            }
        }
    }

    /// The row, unless too many cases that fail on the fault passed in the run.
    fn candidate<'a>(&self, row: &'a Row, failing: &Failures<'_>, passing: &BTreeSet<&str>) -> Option<Candidate<'a>> {
        let (mut unexplained, mut total) = (Vec::new(), 0.0);
        for (case, rule) in &row.cases {
            let weight = self.weights[case];
            if let Some(failed_for) = failing.get(case) {
                unexplained.push((*case, if failed_for == rule { weight } else { weight * OTHER_RULE }));
                total += weight;
            // Whether a case is blocked may depend on what ran beside it.
            } else if passing.contains(case) && !row.drawing.contains(case) && *rule != "blocked" {
                total += weight;
            }
        }
        let share = unexplained.iter().map(|(_, weight)| weight).sum::<f64>() / total;
        (share >= SHARE_MIN).then_some(Candidate { row, share, unexplained })
    }
}

/// A row that may explain failures.
struct Candidate<'a> {
    row: &'a Row,
    /// Of the cases that fail on the fault, the share that fails in the run, from 0 to 1.
    share: f64,
    /// The failing cases that no chosen row explains yet, each with its weight.
    unexplained: Vec<(&'static str, f64)>,
}

impl Candidate<'_> {
    fn score(&self) -> f64 {
        self.unexplained.iter().map(|(_, weight)| weight).sum::<f64>() * self.share * self.share
    }
}

/// Replaces long words with digits, and numbers in paths, by `#`: ids, tokens and times differ from case to case.
pub(super) fn without_values(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "-_.@".contains(c);
    let mut outline = String::new();
    let (mut word, mut before) = (String::new(), ' ');
    for c in text.chars().chain([' ']) {
        if is_part(c) {
            word.push(c);
            continue;
        }
        // Statuses are short and tell failures apart.
        let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
        // The hours, minutes and seconds of a time have two digits.
        let is_of_time = word.len() == 2 && (before == ':' || c == ':');
        let is_id = is_number && (before == '/' || is_of_time);
        let is_value = is_id || word.len() > 3 && word.chars().any(|c| c.is_ascii_digit());
        outline.push_str(if is_value { "#" } else { &word });
        outline.push(c);
        word.clear();
        before = c;
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters::cases;
    use crate::contract::rule::Contract;

    const STEP: usize = 7;

    #[test]
    fn the_matrix_names_faults_cases_and_rules_that_there_are() {
        let known: BTreeSet<String> = cases::all().iter().map(|case| case.id()).collect();
        for line in MATRIX.lines().filter(|line| !line.is_empty()) {
            let Some((why, ids)) = line.strip_prefix("  ").and_then(|line| line.split_once(": ")) else {
                assert!(faults::find(line).is_some(), "there is no fault {line}: just bless");
                continue;
            };
            let rule = why.trim_start_matches('~');
            let is_rule = ["blocked", "fail"].contains(&rule) || Contract::built_in().rule(rule).is_some();
            assert!(is_rule, "there is no rule {rule}: just bless");
            assert!(ids.split(' ').all(|id| known.contains(id)), "a case is unknown: just bless: {line}");
        }
    }

    fn named(failing: &Failures<'_>) -> Vec<&'static str> {
        let passing = BUILT_IN.weights.keys().copied().filter(|case| !failing.contains_key(case)).collect();
        let fitting = BUILT_IN.fitting(failing, &passing, &BTreeSet::new());
        fitting.iter().filter(|rows| rows.len() < 3).flatten().map(|row| row.fault.id).collect()
    }

    #[test]
    fn a_fault_is_named_by_what_fails_on_it_and_by_most_of_it() {
        for share in [1.0, 0.8] {
            let rows: Vec<&Row> = BUILT_IN.rows.iter().step_by(STEP).filter(|row| row.cases.len() > 4).collect();
            let is_named = |row: &&&Row| {
                let count = (row.cases.len() as f64 * share).ceil() as usize;
                named(&row.cases.iter().map(|(case, why)| (*case, *why)).take(count).collect()).first()
                    == Some(&row.fault.id)
            };
            let right = rows.iter().filter(is_named).count();
            assert!(right * 10 >= rows.len() * 8, "of {} faults {right} have their name", rows.len());
        }
    }

    #[test]
    fn two_faults_at_once_are_both_named_and_what_fits_none_is_not() {
        let find = |id: &str| BUILT_IN.rows.iter().find(|row| row.fault.id == id).unwrap();
        let (one, other) = (find("limit-default-is-20"), find("blog-list-is-404-when-empty"));
        let both: Failures<'_> = one.cases.iter().chain(&other.cases).map(|(case, why)| (*case, *why)).collect();
        let named_of_both = named(&both);
        assert!([one, other].iter().all(|row| named_of_both.contains(&row.fault.id)), "{named_of_both:?}");
        // One case of many says nothing.
        let case = one.cases.iter().next().map(|(case, _)| (*case, "errors/statuses")).into_iter().collect();
        assert!(!named(&case).contains(&one.fault.id));
    }
}
