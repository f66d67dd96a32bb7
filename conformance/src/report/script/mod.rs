//! A shell script that shows failures again on any target, a fresh one too: `curl` for the requests, `python3` for JSON and codes.
//!
//! Written from the run's outcome alone. The script touches only what it makes; it resets a target only where the case did.

mod expectation;
mod flow;
mod pieces;
mod requests;
mod shape;

use std::collections::BTreeSet;
use std::io::{self, Write};

use flow::{Issued, Source};
use pieces::Pieces;
use requests::{Requests, target_time_ms};

use crate::http::control::HookChange;
use crate::http::exchange::{Exchange, Sent, variable_of_header};
use crate::printable::Printable;
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

/// The functions of every script.
const PRELUDE: &str = include_str!("prelude.sh");
/// A step of 30 seconds.
const PHASE_MS: i64 = 30_000;

/// Writes it, for every case that failed or was blocked.
///
/// # Errors
/// As the writer's.
pub fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let red = |case: &&CaseOutcome| matches!(case.verdict, Verdict::Fail | Verdict::Blocked | Verdict::Flaky);
    let cases: Vec<&CaseOutcome> = outcome.cases.iter().filter(red).filter(|case| !case.exchanges.is_empty()).collect();
    let functions: Vec<String> = cases.iter().enumerate().map(|(index, case)| function(index, case, outcome)).collect();
    head(out, outcome, &functions.concat())?;
    out.write_all(PRELUDE.as_bytes())?;
    functions.iter().try_for_each(|function| write!(out, "\n{function}"))?;
    writeln!(out)?;
    for (index, case) in cases.iter().enumerate() {
        writeln!(out, "judge {} case_{index}", case.id)?;
    }
    writeln!(out, "exit $again")
}

/// What it is, where the target is, and which secrets it takes from the environment.
fn head(out: &mut dyn Write, outcome: &RunOutcome, functions: &str) -> io::Result<()> {
    writeln!(out, "#!/bin/sh\n# Failures of {}, again. Needs curl and python3.", Printable::from(&outcome.target))?;
    writeln!(out, "#   [catalogue=URL] [control=URL] sh FILE [CASE...]")?;
    writeln!(out, "# Exit: 0 nothing shows again, 1 something does, 3 the target or its hook is not there.")?;
    if functions.contains("\n  reset\n") {
        writeln!(out, "# It resets the target, as the case did: WHATEVER THE TARGET HOLDS IS LOST.")?;
    }
    for (key, url) in &outcome.urls {
        writeln!(out, "{key}=${{{key}:-{url}}}")?;
    }
    writeln!(out, "control=${{control:-{}}}", outcome.control.as_deref().unwrap_or_default())?;
    let secrets = ["admin_key", "test_key", "admin_password", "regular_password"];
    let used: BTreeSet<&str> = secrets.into_iter().filter(|name| functions.contains(&format!("${{{name}}}"))).collect();
    // Books are deleted with it.
    let of_target =
        outcome.cases.iter().flat_map(|case| &case.exchanges).flat_map(|exchange| &exchange.sent.address.headers);
    let of_target: Vec<String> = of_target.map(|(name, _)| variable_of_header(name)).collect();
    let needed = used.into_iter().chain(["admin_key"]).chain(of_target.iter().map(String::as_str));
    for name in needed.collect::<BTreeSet<_>>() {
        writeln!(out, ": \"${{{name}:?set it to that of the target}}\"")?;
    }
    Ok(())
}

fn function(index: usize, case: &CaseOutcome, outcome: &RunOutcome) -> String {
    let mut text = String::new();
    if let Some(message) = &case.message {
        text += &format!("# {}\n", Printable::from(message.chars().take(400).collect::<String>()));
    }
    if has_overlaps(case) {
        text += "# Its requests overlapped: one after the other they may not show it.\n";
    }
    let body: String = body(case, outcome).iter().map(|line| format!("  {line}\n")).collect();
    text + &format!("case_{index}() {{ # {}\n{body}}}\n", case.id)
}

fn body(case: &CaseOutcome, outcome: &RunOutcome) -> Vec<String> {
    let Some((judged, exchange)) = case.judged_at().zip(case.judged_exchange()) else { return Vec::new() };
    let mut requests = Requests::of(case, &outcome.nonce);
    let url = |sent: &Sent| place(sent, outcome);
    let sent: Vec<Vec<String>> = (0..=judged).map(|index| requests.lines(index, &url)).collect();
    let has_codes = requests.has_codes();
    let verdict = expectation::line(case, exchange, &mut requests);
    let mut calls = case.hook_calls.iter().peekable();
    let mut lines = Vec::new();
    let mut is_in_phase = !has_codes;
    for (index, sent) in sent.into_iter().enumerate() {
        while let Some(call) = calls.next_if(|call| call.after <= index) {
            match call.change {
                HookChange::Advance(seconds) => lines.push(format!("advance {seconds}")),
                HookChange::Reset => {
                    lines.push("reset".to_owned());
                    is_in_phase = !has_codes;
                }
                HookChange::Read(_) => {}
            }
        }
        if !is_in_phase {
            lines.push(format!("phase {}", target_time_ms(case, index).rem_euclid(PHASE_MS)));
            is_in_phase = true;
        }
        lines.extend(sent);
        if is_kept_book(case, index, judged) {
            lines.push("own".to_owned());
        }
        lines.extend(requests.flow.used_of(index).map(captured));
    }
    lines.push(verdict);
    lines
}

/// `id_1=$(answer field /id)`
fn captured(issued: &Issued) -> String {
    let variable = &issued.variable;
    match &issued.source {
        Source::Pointer(pointer) => format!("{variable}=$(answer field {})", Pieces::from(pointer.as_str()).word()),
        Source::Header(name) => format!("{variable}=$(answer header {})", Pieces::from(name.as_str()).word()),
    }
}

/// The interface's variable, and the path behind its URL.
fn place(sent: &Sent, outcome: &RunOutcome) -> Option<(Pieces, String)> {
    let whole = sent.url();
    let below = outcome.urls.iter().filter_map(|(key, url)| Some((key, url.len(), whole.strip_prefix(url.as_str())?)));
    let (key, _, path) = below.max_by_key(|(_, length, _)| *length)?;
    let mut pieces = Pieces::default();
    pieces.push_variable(key);
    Some((pieces, path.to_owned()))
}

/// Whether it may create a book that the case does not delete itself.
fn is_kept_book(case: &CaseOutcome, index: usize, judged: usize) -> bool {
    let path = |exchange: &Exchange| exchange.sent.path_below_prefix().to_owned();
    let exchange = &case.exchanges[index];
    let Ok(received) = exchange.received.as_ref() else { return false };
    let id = received.json().and_then(|book| book.get("id").map(ToString::to_string)).unwrap_or_default();
    let is_creation = exchange.sent.method == "POST" && path(exchange).starts_with("/libros");
    let is_deleted = case.exchanges[index..=judged]
        .iter()
        .any(|later| later.sent.method == "DELETE" && path(later).ends_with(&format!("/{id}")));
    is_creation && !is_deleted
}

/// Whether some of its requests were under way at the same time.
pub fn has_overlaps(case: &CaseOutcome) -> bool {
    let end = |exchange: &Exchange| exchange.sent_at_ms + i64::try_from(exchange.duration_ms).unwrap_or(i64::MAX);
    let mut exchanges: Vec<&Exchange> = case.exchanges.iter().collect();
    exchanges.sort_by_key(|exchange| exchange.number);
    // Within a millisecond nothing can be told.
    exchanges.windows(2).any(|pair| pair[1].sent_at_ms + 1 < end(pair[0]))
}
