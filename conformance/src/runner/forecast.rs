//! How long a run will take, by how long its first answers took. Judges nothing.

use std::time::Duration;

use crate::case::Case;

/// Requests of a case on average: a run against the reference records 9,472 in 1,038 cases, and deletes the books made.
const REQUESTS_A_CASE: f64 = 11.0;
/// Of a case that draws its inputs, besides, for each of them.
const REQUESTS_AN_INPUT: f64 = 1.0;
/// Targets that answer faster on average need no forecast.
const SLOW: Duration = Duration::from_millis(250);

/// The forecast in a sentence, where answers take long; `pace` is how long they took on average, `inputs` how many a generated case tries.
pub(super) fn told(cases: &[&Case], inputs: u32, jobs: usize, pace: Duration) -> Option<String> {
    if pace < SLOW {
        return None;
    }
    let requests = |case: &&Case| {
        let is_generated = case.name.contains("generated");
        REQUESTS_A_CASE + if is_generated { REQUESTS_AN_INPUT * f64::from(inputs) } else { 0.0 }
    };
    let (alone, beside): (Vec<_>, Vec<_>) = cases.iter().copied().partition(|case| case.is_alone());
    let of = |cases: &[&Case]| cases.iter().map(requests).sum::<f64>();
    let jobs = jobs.clamp(1, beside.len().max(1));
    let seconds = pace.as_secs_f64() * (of(&alone) + of(&beside) / jobs as f64);
    let (answers, lasting) = (pace.as_secs_f64(), span(seconds));
    Some(format!(
        "answers take {answers:.1} s on average: this run will take about {lasting}; --level smoke or a chapter asks for less, \
         --jobs N asks more at a time, --time-limit 10m ends the run earlier"
    ))
}

fn span(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_target_is_forecast_and_a_quick_one_is_not() {
        let cases = crate::chapters::cases::all();
        assert_eq!(told(&cases, 256, 8, Duration::from_millis(20)), None);
        let minutes = |jobs| {
            let text = told(&cases, 256, jobs, Duration::from_millis(500)).unwrap();
            let (_, rest) = text.split_once("about ").unwrap();
            rest.split(' ').next().unwrap().parse::<u32>().unwrap()
        };
        assert!(minutes(1) > minutes(8), "{} and {}", minutes(1), minutes(8));
        assert!(told(&cases[..1], 1, 8, Duration::from_millis(500)).unwrap().contains("about 6 s"));
    }
}
