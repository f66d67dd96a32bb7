//! A run's outcome with less of its traffic and shorter texts, for reports that would be too long. What is cut says so.

use serde_json::Value;

use crate::contract::excerpt::excerpt;
use crate::json::text_of;
use crate::runner::on_reference::OnReference;
use crate::runner::outcome::{CaseOutcome, RunOutcome};

/// What is kept of each case.
struct Limits {
    /// Of a body, and of a header.
    bytes: usize,
    header_lines: usize,
    exchanges: usize,
    /// Of a text.
    chars: usize,
}

/// Each step leaves less.
const STEPS: [Limits; 6] = [
    Limits { bytes: 4096, header_lines: 128, exchanges: usize::MAX, chars: 16_384 },
    Limits { bytes: 512, header_lines: 64, exchanges: 64, chars: 2_000 },
    Limits { bytes: 512, header_lines: 32, exchanges: 16, chars: 2_000 },
    Limits { bytes: 256, header_lines: 32, exchanges: 6, chars: 2_000 },
    Limits { bytes: 128, header_lines: 16, exchanges: 2, chars: 1_000 },
    Limits { bytes: 0, header_lines: 0, exchanges: 0, chars: 300 },
];

/// The outcome step by step, with less each time.
pub(super) fn shortened(outcome: &RunOutcome) -> impl Iterator<Item = RunOutcome> {
    STEPS.iter().map(|Limits { bytes, header_lines, exchanges, chars }| {
        let mut outcome = outcome.clone();
        for case in &mut outcome.cases {
            leave_out(case, *exchanges);
            let reference = case.on_reference.iter_mut().flat_map(|reference| &mut reference.exchanges);
            for exchange in case.exchanges.iter_mut().chain(reference) {
                *exchange = exchange.cut_to(*bytes).with_headers_cut_to(*bytes, *header_lines);
            }
            shorten(case, *chars);
        }
        outcome
    })
}

/// Leaves out exchanges down to `most` of them; keeps those that show the failure and those just before it.
fn leave_out(case: &mut CaseOutcome, most: usize) {
    let count = case.exchanges.len();
    if count <= most {
        return;
    }
    let judged = case.judged_index().unwrap_or(0);
    let mut kept: Vec<usize> = std::iter::once(judged).chain(case.compared.iter().copied()).collect();
    kept.extend((0..judged).rev().filter(|at| !case.compared.contains(at)));
    kept.truncate(most);
    kept.sort_unstable();
    let place = |at: &usize| kept.binary_search(at).ok();
    case.judged = case.judged.as_ref().and_then(place);
    case.compared = case.compared.iter().filter_map(place).collect();
    case.exchanges = kept.iter().map(|at| case.exchanges[*at].clone()).collect();
    case.on_reference = case.on_reference.take().filter(|_| most > 0).map(|reference| only(reference, &kept));
    case.hook_calls.clear();
    let left = count - case.exchanges.len();
    let left_out = format!("({left} of {count} exchanges left out: the report would be longer than 20 MiB)");
    case.message = Some(case.message.take().map_or_else(|| left_out.clone(), |why| format!("{why} {left_out}")));
}

/// Keeps only the counterparts of these exchanges of the target.
fn only(mut reference: OnReference, kept: &[usize]) -> OnReference {
    reference.steps = kept.iter().filter_map(|at| reference.steps.get(*at).cloned()).collect();
    let mut exchanges = Vec::new();
    for place in reference.steps.iter_mut().filter_map(|step| step.counterpart.as_mut()) {
        exchanges.push(reference.exchanges[*place].clone());
        *place = exchanges.len() - 1;
    }
    OnReference { exchanges, ..reference }
}

fn shorten(case: &mut CaseOutcome, chars: usize) {
    let cut = |text: &mut String| *text = excerpt(text, 0, chars);
    case.message.iter_mut().for_each(cut);
    if let Some(mismatch) = &mut case.mismatch {
        mismatch.each_text(cut);
    }
    if let Some(reference) = &mut case.on_reference {
        reference.message.iter_mut().for_each(cut);
        let differences = reference.steps.iter_mut().flat_map(|step| &mut step.differences);
        for value in differences.flat_map(|difference| [&mut difference.target, &mut difference.reference]).flatten() {
            let text = text_of(value);
            if text.chars().count() > chars {
                *value = Value::String(excerpt(&text, 0, chars));
            }
        }
    }
    for note in &mut case.notes {
        [&mut note.reading, &mut note.meaning].into_iter().for_each(cut);
    }
}
