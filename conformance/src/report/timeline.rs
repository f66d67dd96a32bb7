//! The requests of a case that led to its failure; if the case moved the clock, with their moments on the target's clock.

use crate::contract::excerpt::excerpt;
use crate::http::control::HookChange;
use crate::http::exchange::{Exchange, Sent};
use crate::printable::Printable;
use crate::report::judged::fitted;
use crate::runner::outcome::CaseOutcome;

const PATH_CHARS: usize = 60;
const BODY_CHARS: usize = 44;

/// What [`lines`] shows of the case.
pub(super) fn label(case: &CaseOutcome) -> &'static str {
    if moves_the_clock(case) { "time  " } else { "before" }
}

fn moves_the_clock(case: &CaseOutcome) -> bool {
    case.hook_calls.iter().any(|call| matches!(call.change, HookChange::Advance(_)))
}

/// The requests before the judged one, a line each; if the case moved the clock, also its moves and the judged request. Of more than
/// `lines_max` lines the first, from which the time counts, and the last ones.
pub(super) fn lines(case: &CaseOutcome, lines_max: usize) -> Vec<String> {
    let Some(judged) = case.judged_index().filter(|_| lines_max > 0) else { return Vec::new() };
    let status =
        |exchange: &Exchange| exchange.received.as_ref().map_or("no answer".to_owned(), |got| got.status.to_string());
    if !moves_the_clock(case) {
        let line = |exchange: &Exchange| {
            let Sent { method, path, body, .. } = &exchange.sent;
            let body = body.as_ref().map(|body| format!(" {}", fitted(Printable::of_bytes(body).as_str(), BODY_CHARS)));
            format!("{method} {}{}: {}", excerpt(path, 0, PATH_CHARS), body.unwrap_or_default(), status(exchange))
        };
        return without_middle(case.exchanges[..judged].iter().map(line).collect(), lines_max);
    }
    let began = case.exchanges.first().map_or(0, |exchange| exchange.sent_at_ms);
    let mut moved = 0.0;
    let mut calls = case.hook_calls.iter().peekable();
    let mut lines = Vec::new();
    for (index, exchange) in case.exchanges[..=judged].iter().enumerate() {
        while let Some(call) = calls.next_if(|call| call.after <= index) {
            match call.change {
                HookChange::Advance(seconds) => {
                    moved += seconds;
                    lines.push(format!("{:>12}  (clock moved {} ahead)", "", span(seconds)));
                }
                HookChange::Reset => {
                    moved = 0.0;
                    lines.push(format!("{:>12}  (initial state again)", ""));
                }
                HookChange::Read(_) => {}
            }
        }
        let since = moved + (exchange.sent_at_ms - began) as f64 / 1000.0;
        let path = excerpt(&exchange.sent.path, 0, PATH_CHARS);
        lines.push(format!("{:>12}  {} {path}: {}", span(since), exchange.sent.method, status(exchange)));
    }
    without_middle(lines, lines_max)
}

/// The first line and the last ones, and how many are left out between them.
fn without_middle(mut lines: Vec<String>, lines_max: usize) -> Vec<String> {
    if lines.len() > lines_max.max(3) {
        let left_out = lines.len() + 1 - lines_max.max(3);
        lines.splice(1..=left_out, [format!("{:>12}  ({left_out} more)", "")]);
    }
    lines
}

/// `1 h 0 min 1.5 s`
fn span(seconds: f64) -> String {
    // In tenths first: 59.96 seconds are a minute.
    let seconds = (seconds.max(0.0) * 10.0).round() / 10.0;
    let whole = seconds.floor();
    let (days, hours, minutes) =
        ((whole / 86_400.0).floor(), (whole / 3600.0).floor() % 24.0, (whole / 60.0).floor() % 60.0);
    let rest = seconds - (whole / 60.0).floor() * 60.0;
    let parts = [(days, "d"), (hours, "h"), (minutes, "min")];
    let shown = parts.into_iter().filter(|(count, _)| *count > 0.0).map(|(count, unit)| format!("{count} {unit} "));
    format!("{}{rest:.1} s", shown.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_keeps_its_origin_and_its_end() {
        let kept = |count: u32| without_middle((1..=count).map(|line| line.to_string()).collect(), 4);
        assert_eq!(kept(4), ["1", "2", "3", "4"]);
        assert_eq!(kept(9), ["1", "              (6 more)", "8", "9"]);
    }

    #[test]
    fn a_span_is_shown_in_its_largest_units() {
        assert_eq!(span(3_601.2), "1 h 1.2 s");
        assert_eq!(span(0.0), "0.0 s");
        assert_eq!(span(49.0 * 60.0 + 59.97), "50 min 0.0 s");
        assert_eq!(span(2.0 * 86_400.0 + 61.0), "2 d 1 min 1.0 s");
    }
}
