//! A run's outcome with less of its traffic and shorter texts, for reports that would be too long. What is cut says so.

use crate::http::exchange::Exchange;
use crate::runner::outcome::{CaseOutcome, RunOutcome};

/// How many ways there are to lessen an outcome, each leaving less than the one before.
pub(super) const STEPS: usize = 4;

const LEFT_OUT: &str = "traffic left out, for the report would be longer than 20 MiB";

/// The outcome by the step of that number, from 0.
pub(super) fn lessened(outcome: &RunOutcome, step: usize) -> RunOutcome {
    let (bytes, chars, lines) = [(4096, 16_384, 128), (512, 2_000, 64), (512, 2_000, 32), (0, 300, 0)][step];
    let mut outcome = outcome.clone();
    for case in &mut outcome.cases {
        if step >= 2 {
            leave_out(case, step == 2);
        }
        case.exchanges
            .iter_mut()
            .for_each(|exchange| *exchange = exchange.cut_to(bytes).with_headers_cut_to(bytes, lines));
        shorten(case, chars);
    }
    outcome
}

/// Leaves out all traffic, or all but the exchanges that show a failure.
fn leave_out(case: &mut CaseOutcome, keeps_judged: bool) {
    const COMPARED_MAX: usize = 3;
    let judged = case.judged_at().filter(|_| keeps_judged && case.judged.is_some());
    let count = case.exchanges.len();
    let mut kept: Vec<usize> = case.compared.iter().copied().take(COMPARED_MAX).filter(|_| judged.is_some()).collect();
    kept.extend(judged);
    let exchanges: Vec<Exchange> = kept.iter().filter_map(|at| case.exchanges.get(*at)).cloned().collect();
    if exchanges.len() < count {
        let left_out = format!("({} of {count} exchanges: {LEFT_OUT})", count - exchanges.len());
        case.message = Some(case.message.take().map_or_else(|| left_out.clone(), |why| format!("{why} {left_out}")));
    }
    case.judged = exchanges.len().checked_sub(1);
    case.compared = (0..exchanges.len().saturating_sub(1)).collect();
    case.exchanges = exchanges;
    case.hook_calls.clear();
}

fn shorten(case: &mut CaseOutcome, chars: usize) {
    let cut = |text: &mut String| {
        if let Some((at, _)) = text.char_indices().nth(chars) {
            *text = format!("{}... ({} characters in all)", &text[..at], text.chars().count());
        }
    };
    case.message.iter_mut().for_each(cut);
    for mismatch in &mut case.mismatch {
        [&mut mismatch.place, &mut mismatch.want, &mut mismatch.got].into_iter().for_each(cut);
    }
    for note in &mut case.notes {
        [&mut note.reading, &mut note.meaning].into_iter().for_each(cut);
    }
    case.notes.truncate(chars);
}
