//! Chooses the faults and permitted readings of a selftest. Tries none.
//!
//! A pattern that fits nothing is an error, so that a typing slip never makes a selftest green.

use glob::Pattern;

use crate::contract::rule::{Contract, Level};
use crate::impostor::effect::{Kind, Variation};
use crate::impostor::{faults, readings};
use crate::runner::select::{nearest, parse_pattern};

#[derive(Debug, Default)]
pub struct Chosen {
    pub faults: Vec<&'static Variation>,
    pub readings: Vec<&'static Variation>,
}

impl Chosen {
    /// The variations whose id or rule matches a pattern; without patterns all faults, since other tests try all readings together.
    pub fn matching(patterns: &[String]) -> Result<Self, String> {
        if patterns.is_empty() {
            return Ok(Self { faults: faults::all().collect(), readings: Vec::new() });
        }
        let globs = patterns.iter().map(|pattern| parse_pattern(pattern)).collect::<Result<Vec<_>, _>>()?;
        if let Some((pattern, glob)) = patterns.iter().zip(&globs).find(|(_, glob)| !all().any(|one| fits(glob, one))) {
            return Err(no_match(pattern, glob));
        }
        let fitting = all().filter(|one| globs.iter().any(|glob| fits(glob, one)));
        let (faults, readings) = fitting.partition(|one| one.kind == Kind::Fault);
        Ok(Self { faults, readings })
    }
}

fn all() -> impl Iterator<Item = &'static Variation> {
    faults::all().chain(readings::all())
}

fn fits(glob: &Pattern, variation: &Variation) -> bool {
    glob.matches(variation.id) || variation.rules.iter().any(|rule| glob.matches(rule))
}

fn no_match(pattern: &str, glob: &Pattern) -> String {
    let mut rules = Contract::built_in().rules().filter(|rule| glob.matches(&rule.id)).peekable();
    if rules.peek().is_some() {
        return if rules.all(|rule| rule.level == Level::Open) {
            format!("`{pattern}` is open, so nothing breaks it, and the impostor has only one reading of it")
        } else {
            format!("no fault breaks `{pattern}` yet: declare one in conformance/src/chapters")
        };
    }
    let known = all().flat_map(|one| [one.id].into_iter().chain(one.rules.iter().copied()));
    match nearest(pattern, known.map(str::to_owned)) {
        Some(near) => format!("`{pattern}` fits no fault, no reading and no rule; did you mean `{near}`?"),
        None => format!(
            "`{pattern}` fits no fault, no reading and no rule; `impostor --list-faults` shows the faults, `explain RULE` the \
             readings of an open rule"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(pattern: &str) -> (Vec<&'static str>, Vec<&'static str>) {
        let chosen = Chosen::matching(&[pattern.to_owned()]).unwrap();
        let faults = chosen.faults.iter().map(|fault| fault.id);
        (faults.collect(), chosen.readings.iter().map(|reading| reading.id).collect())
    }

    #[test]
    fn a_pattern_chooses_by_id_or_by_rule() {
        assert_eq!(chosen("limit-max-is-101"), (vec!["limit-max-is-101"], vec![]));
        assert_eq!(chosen("impossible-dates-run-on"), (vec![], vec!["impossible-dates-run-on"]));
        let (faults, readings) = chosen("list/date-impossible");
        assert!(faults.is_empty() && readings.len() > 1 && readings.contains(&"impossible-dates-run-on"));
        let (faults, readings) = chosen("list/*");
        assert!(faults.contains(&"min-exclusive") && readings.contains(&"impossible-dates-run-on"));
    }

    #[test]
    fn without_a_pattern_all_faults_are_tried_and_no_reading() {
        let chosen = Chosen::matching(&[]).unwrap();
        assert_eq!((chosen.faults.len(), chosen.readings.len()), (faults::all().count(), 0));
    }
}
