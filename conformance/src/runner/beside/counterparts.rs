//! Which exchange of the reference answers to which of the target: the same request, in the same order.

use super::free_values::without_run;
use crate::http::exchange::Exchange;

/// For each of the target's exchanges the reference's, by its place.
pub(super) fn of(target: &[Exchange], reference: &[Exchange], nonce: &str) -> Vec<Option<usize>> {
    let outlines: Vec<String> = reference.iter().map(|exchange| outline(exchange, nonce)).collect();
    let mut next = 0;
    let place = |own: &Exchange| {
        let asked = outline(own, nonce);
        // Exchanges of threads end in any order, and their numbers say how they began.
        let same = reference.iter().position(|other| other.number == own.number);
        let found = same
            .filter(|place| outlines[*place] == asked)
            .or_else(|| (next..outlines.len()).find(|place| outlines[*place] == asked))?;
        next = next.max(found + 1);
        Some(found)
    };
    target.iter().map(place).collect()
}

/// Method and path without ids, and without what the interface's URL puts before it.
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
