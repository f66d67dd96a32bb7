//! Compares a failing case with the same case on the reference: pairs their exchanges, and finds where two answers differ. Pure.
//!
//! Values that may differ from run to run (ids, times, tokens, tags, texts for people) are aligned, not reported as differences.

mod difference;
mod free_values;

pub use difference::Difference;

use crate::contract::violation::Part;
use crate::http::exchange::Exchange;
use free_values::{FreeValues, without_run};

/// Exchanges of the reference kept of one case: the last ones up to the judged one.
const EXCHANGES_KEPT: usize = 60;
const KEPT_BYTES: usize = 16 << 10;

/// The same case, played on the reference.
#[derive(Debug, Clone)]
pub struct OnReference {
    /// Whether the case holds there. If not, the reference or the case is wrong.
    pub holds: bool,
    pub message: Option<String>,
    pub exchanges: Vec<Exchange>,
    /// One for each exchange of the case on the target, in the same order.
    pub steps: Vec<Step>,
}

/// One exchange of the target and its counterpart on the reference.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// Index in [`OnReference::exchanges`]; `None` if the reference was asked nothing alike, or that was not kept.
    pub counterpart: Option<usize>,
    pub differences: Vec<Difference>,
}

/// The exchanges of a case on the target, and which of them was judged for what part of its answer.
#[derive(Debug, Clone, Copy)]
pub struct Failing<'a> {
    pub exchanges: &'a [Exchange],
    pub judged: usize,
    /// The part of its answer that is wrong, where one is named.
    pub part: Option<&'a Part>,
}

/// Pairs the exchanges of the reference with those of the target; `nonce` is part of every name that either run made up.
pub fn pair_exchanges(failing: Failing<'_>, reference: &[Exchange], nonce: &str) -> (Vec<Exchange>, Vec<Step>) {
    let places = counterparts(failing.exchanges, reference, nonce);
    let first_kept =
        places.get(failing.judged).copied().flatten().map_or(0, |last| (last + 1).saturating_sub(EXCHANGES_KEPT));
    let mut free = FreeValues::new(nonce);
    let step = |(index, own): (usize, &Exchange)| {
        let Some(place) = places[index] else { return Step::default() };
        let part = failing.part.filter(|_| index == failing.judged);
        let differences = difference::diff(own, &reference[place], part, &mut free);
        Step { counterpart: place.checked_sub(first_kept).filter(|place| *place < EXCHANGES_KEPT), differences }
    };
    let steps = failing.exchanges.iter().enumerate().map(step).collect();
    let kept = reference.iter().skip(first_kept).take(EXCHANGES_KEPT).map(|exchange| exchange.cut_to(KEPT_BYTES));
    (kept.collect(), steps)
}

/// For each exchange of the target, the index of its counterpart.
fn counterparts(target: &[Exchange], reference: &[Exchange], nonce: &str) -> Vec<Option<usize>> {
    let outlines: Vec<String> = reference.iter().map(|exchange| outline(exchange, nonce)).collect();
    let mut next = 0;
    let place = |own: &Exchange| {
        let asked = outline(own, nonce);
        // Exchanges of several threads end in any order; their numbers say in which they began.
        let same = reference.iter().position(|other| other.number == own.number);
        let found = same
            .filter(|place| outlines[*place] == asked)
            .or_else(|| (next..outlines.len()).find(|place| outlines[*place] == asked))?;
        next = next.max(found + 1);
        Some(found)
    };
    target.iter().map(place).collect()
}

/// Method and path without ids and without the prefix of the interface's URL.
fn outline(exchange: &Exchange, nonce: &str) -> String {
    let sent = &exchange.sent;
    let interface = sent.interface.map_or("", |interface| interface.key());
    let path = without_run(sent.path_below_prefix(), nonce);
    let (path, query) = path.split_once('?').unwrap_or((&path, ""));
    let is_id = |segment: &&str| {
        segment.len() < 20 && segment.bytes().all(|byte| byte.is_ascii_digit())
            || segment.len() >= 16 && segment.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    };
    let segments = path.split('/').map(|segment| if !segment.is_empty() && is_id(&segment) { "#" } else { segment });
    format!("{interface} {} {}?{query}", sent.method, segments.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests;
