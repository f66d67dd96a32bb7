//! Which faults and which permitted readings a selftest tries. Tries none.
//!
//! A pattern that fits nothing is an error, so that a typing slip never makes a selftest green.

use glob::Pattern;

use crate::contract::rule::{Contract, Level};
use crate::impostor::faults::{self, Fault};
use crate::impostor::readings::{self, Reading};
use crate::runner::select::{nearest, parse_pattern};

/// The variations and rules to try.
#[derive(Debug, Default)]
pub struct Chosen {
    pub faults: Vec<&'static Fault>,
    pub readings: Vec<&'static Reading>,
}

impl Chosen {
    /// Those whose id or rule fits one of the patterns. Without any all faults, and no reading: the variations take them together.
    pub fn by(patterns: &[String]) -> Result<Self, String> {
        if patterns.is_empty() {
            return Ok(Self { faults: faults::all().collect(), readings: Vec::new() });
        }
        let globs = patterns.iter().map(|pattern| parse_pattern(pattern)).collect::<Result<Vec<_>, _>>()?;
        for (pattern, glob) in patterns.iter().zip(&globs) {
            if !faults::all().any(|fault| fits_fault(glob, fault))
                && !readings::all().any(|reading| fits_reading(glob, reading))
            {
                return Err(fits_nothing(pattern, glob));
            }
        }
        Ok(Self {
            faults: faults::all().filter(|fault| globs.iter().any(|glob| fits_fault(glob, fault))).collect(),
            readings: readings::all().filter(|reading| globs.iter().any(|glob| fits_reading(glob, reading))).collect(),
        })
    }
}

fn fits_fault(glob: &Pattern, fault: &'static Fault) -> bool {
    glob.matches(fault.id) || fault.rules.iter().copied().any(|rule| glob.matches(rule))
}

fn fits_reading(glob: &Pattern, reading: &'static Reading) -> bool {
    glob.matches(reading.id) || reading.rules.iter().any(|rule| glob.matches(rule))
}

fn fits_nothing(pattern: &str, glob: &Pattern) -> String {
    let mut rules = Contract::built_in().rules().filter(|rule| glob.matches(&rule.id)).peekable();
    if rules.peek().is_some() {
        return if rules.all(|rule| rule.level == Level::Open) {
            format!("`{pattern}` is open, so nothing breaks it, and the impostor reads it in one way only")
        } else {
            format!("no fault breaks `{pattern}` yet: declare one in conformance/src/chapters")
        };
    }
    let of_faults = faults::all().flat_map(|fault| [fault.id, fault.rule()]);
    let of_readings = readings::all().flat_map(|reading| [reading.id].into_iter().chain(reading.rules.iter().copied()));
    match nearest(pattern, of_faults.chain(of_readings).map(str::to_owned)) {
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
        let chosen = Chosen::by(&[pattern.to_owned()]).unwrap();
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
        let chosen = Chosen::by(&[]).unwrap();
        assert_eq!((chosen.faults.len(), chosen.readings.len()), (faults::all().count(), 0));
    }

    #[test]
    fn a_pattern_that_fits_nothing_is_told() {
        let why = |pattern: &str| Chosen::by(&[pattern.to_owned()]).unwrap_err();
        assert!(why("limit-max-is-11").contains("did you mean `limit-max-is-101`?"));
        assert!(why("impossible-dates-run").contains("did you mean `impossible-dates-run-on`?"));
        assert!(why("versioning/label-no-effect").contains("in one way only"));
    }
}
