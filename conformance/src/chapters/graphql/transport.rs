//! How a wrong query may be refused, and queries beyond measure.

use super::endpoint::{ENDPOINT, ask, user_field};
use crate::chapters::prelude::*;

cases! { "graphql";
    /// Queries of thousands of levels are answered or refused, and the endpoint goes on.
    queries_beyond_measure judges ["graphql/limits"] needs [ENDPOINT, Need::Alone] => |cx| {
        const DEPTH_PAIRS: usize = 5_000;
        const ALIASES: usize = 2_000;
        const MEBIBYTE: usize = 1 << 20;
        const FRAGMENTS: usize = 11;
        let none = json!("nadie");
        let opened = "{ posts { user ".repeat(DEPTH_PAIRS);
        let closed = "} } ".repeat(DEPTH_PAIRS);
        let deep = user_field(&none, &format!("{opened}{{ id }} {closed}"));
        judge_beyond(cx, "ten thousand levels", &format!("{{ {deep} }}"))?;
        let aliased: String = (0..ALIASES).map(|number| format!("a{number}: {} ", user_field(&none, "{ id }"))).collect();
        judge_beyond(cx, "two thousand aliases", &format!("{{ {aliased}}}"))?;
        let long = user_field(&json!("x".repeat(MEBIBYTE)), "{ id }");
        judge_beyond(cx, "a mebibyte", &format!("{{ {long} }}"))?;
        // Each fragment spreads the next one twice: an engine that expands them all meets one field 2^11 times.
        let fragment = |at| format!("fragment f{at} on User {{ ...f{next} name ...f{next} }} ", next = at + 1);
        let doubled: String = (0..FRAGMENTS).map(fragment).collect();
        let multiplied = format!("{{ users {{ ...f0 }} }} {doubled} fragment f{FRAGMENTS} on User {{ id }}");
        judge_beyond(cx, "fragments that double", &multiplied)
    };
}

fn has_errors(reply: &Reply) -> bool {
    reply.at("/errors/0").is_some()
}

/// The case's only rule is open, and about a query that is refused, as one that is wrong may be.
pub(super) fn observe_refusal(cx: &CaseContext<'_>, reply: &Reply) -> CaseResult {
    let is_empty = |data: &Value| data.is_null() || data.as_object().is_some_and(Map::is_empty);
    let has_no_data = reply.at("/data").as_ref().is_none_or(is_empty);
    let readings = [
        ("400-errors", reply.is(400) && has_errors(reply)),
        ("200-errors", reply.is(200) && has_errors(reply)),
        ("4xx", (400..500).contains(&reply.status())),
        ("no-data", reply.is(200) && has_no_data),
    ];
    cx.observe(&readings, reply.summary())
}

/// The outcome of an oversized query; `is_over` if the time limit passed before an answer.
fn ways(status: Option<u16>, has_errors: bool, is_over: bool, duration_ms: u64) -> [(&'static str, bool); 6] {
    const SLOW_MS: u64 = 10_000;
    let is_slow = duration_ms > SLOW_MS;
    let ways = [
        ("refused", matches!(status, Some(400 | 413))),
        ("200-errors", status == Some(200) && has_errors),
        ("4xx", status.is_some_and(|status| (400..500).contains(&status))),
        ("answered", status == Some(200)),
    ];
    let is_any = ways.iter().any(|(_, holds)| *holds);
    let [refused, with_errors, other, answered] = ways.map(|(way, holds)| (way, holds && !is_slow));
    [
        refused,
        with_errors,
        other,
        ("closed", status.is_none() && !is_over),
        answered,
        // The target gave up the query and answers the next one: the time limit is the suite's own.
        ("slow", is_over || is_slow && is_any),
    ]
}

/// Sends an oversized query; it is too large to be recorded.
fn judge_beyond(cx: &CaseContext<'_>, what: &str, query: &str) -> CaseResult {
    let exchange = demo::query(cx, Interface::Graphql, query).exchange_unrecorded()?;
    let duration_ms = exchange.duration_ms;
    let got = match &exchange.received {
        Ok(received) => format!("{} {}", received.status, brief(&received.text())),
        Err(why) => why.to_string(),
    };
    let got = format!("{what}: {got}, after {duration_ms} ms");
    let is_over = u128::from(duration_ms) >= cx.session().timeout.as_millis();
    let status = exchange.received.as_ref().ok().map(|received| received.status);
    let reply = exchange.received.is_ok().then(|| cx.reply(exchange)).transpose()?;
    let is_error = reply.as_ref().is_some_and(has_errors);
    cx.observe_of(what, &ways(status, is_error, is_over, duration_ms), got)?;
    let after = ask(cx, "{ users { id } }").map(|reply| reply.status());
    let after = after.or_else(|stop| match stop {
        CaseError::NoAnswer(why) if !why.is_late => Ok(0),
        other => Err(other),
    })?;
    let got = if after == 0 { "no answer".to_owned() } else { after.to_string() };
    cx.check(after == 200, format!("an ordinary query after the one of {what}"), 200, got)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(status: Option<u16>, is_over: bool, duration_ms: u64) -> Option<&'static str> {
        ways(status, false, is_over, duration_ms).into_iter().find(|(_, holds)| *holds).map(|(way, _)| way)
    }

    #[test]
    fn a_late_answer_and_none_in_time_are_slow() {
        assert_eq!(way(Some(200), false, 41_000), Some("slow"));
        assert_eq!(way(Some(413), false, 41_000), Some("slow"));
        assert_eq!(way(None, true, 10_070), Some("slow"));
        assert_eq!(way(None, false, 20), Some("closed"));
        // A failure is no way.
        assert_eq!(way(Some(500), false, 1_600), None);
        assert_eq!(way(Some(503), false, 1_600), None);
        assert_eq!(way(Some(503), false, 41_000), None);
    }
}
