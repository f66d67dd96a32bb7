//! Work on failures after a run: plays them again alone and on the reference, sends the one request that shows them, writes the commands.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::case::{Case, Need};
use crate::chapters::cases;
use crate::clock;
use crate::context::session::Session;
use crate::http::connection::Connection;
use crate::http::control::Control;
use crate::http::exchange::{Exchange, shell_word};
use crate::implementation::process::Launched;
use crate::implementation::reference;
use crate::printable::Printable;
use crate::report::program;
use crate::runner::cause::causes;
use crate::runner::on_reference::{Failing, OnReference, pair_exchanges};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};
use crate::runner::play::play;
use crate::runner::{one_request, principal_keys, traffic};

/// Failures played on the reference: the first of each cause; in a verbose run others too.
const CAUSES_MAX: usize = 20;
const OTHERS_MAX: usize = 40;
/// After this time no further case begins.
const TIME_MAX: Duration = Duration::from_secs(8);
const COMMAND_CHARS: usize = 800;

/// Indices of the failures that a report shows at length, in its order.
fn shown(outcome: &RunOutcome) -> Vec<usize> {
    let mut shown: Vec<usize> =
        causes(&outcome.cases).iter().filter_map(|cause| cause.cases().next()).take(CAUSES_MAX).collect();
    if outcome.is_verbose {
        let others =
            (0..outcome.cases.len()).filter(|at| outcome.cases[*at].verdict.has_ever_failed() && !shown.contains(at));
        shown.extend(others.take(OTHERS_MAX).collect::<Vec<_>>());
    }
    shown.retain(|at| outcome.cases[*at].verdict.has_ever_failed());
    shown
}

/// Sends again each request that may show a failure alone; returns the indices of the cases whose request did.
pub(crate) fn shown_by_one_request(outcome: &RunOutcome, session: &Session, stop: &AtomicBool) -> Vec<usize> {
    if outcome.stop_reason.is_some() {
        return Vec::new();
    }
    let begun = clock::stopwatch();
    let shows = |at: &usize| {
        let case = &outcome.cases[*at];
        let (Some(exchange), Some(mismatch)) = (one_request::candidate(case), &case.mismatch) else { return false };
        // curl refuses the other characters in a URL.
        let is_for_curl = exchange.sent.path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
        let is_over = stop.load(Ordering::Relaxed) || begun.elapsed() > TIME_MAX;
        is_for_curl
            && !is_over
            && sent_again(exchange, session.timeout).is_some_and(|again| one_request::shows(mismatch, &again))
    };
    shown(outcome).into_iter().filter(shows).collect()
}

/// Plays the first case of each cause again alone; if it holds, another one. A report shows reproduced failures first.
pub(crate) fn reproduce(outcome: &mut RunOutcome, session: &Session, is_exclusive: bool, stop: &AtomicBool) {
    const TRIES_MAX: usize = 3;
    const CAUSES_MAX: usize = 5;
    if outcome.stop_reason.is_some() {
        return;
    }
    let begun = clock::stopwatch();
    for _ in 0..TRIES_MAX {
        let fronts = causes(&outcome.cases).into_iter().take(CAUSES_MAX).filter_map(|cause| cause.cases().next());
        for at in fronts.collect::<Vec<_>>() {
            let case = &outcome.cases[at];
            if case.is_reproduced.is_some()
                || !case.verdict.has_ever_failed()
                || begun.elapsed() > TIME_MAX
                || stop.load(Ordering::Relaxed)
            {
                continue;
            }
            let played = cases::find(case.case_to_replay());
            let Some(played) = played.filter(|played| !played.needs.contains(&Need::Restart)) else { continue };
            let rule = case.broken_rule();
            let again = play(session, played, is_exclusive, stop).map(|again| again.judged_by(rule));
            let fails_again = |again: CaseOutcome| again.verdict == case.verdict && again.broken_rule() == rule;
            outcome.cases[at].is_reproduced = again.map(fails_again);
        }
    }
}

fn sent_again(exchange: &Exchange, timeout: Duration) -> Option<Exchange> {
    let mut connection = Connection::open(&exchange.sent.address, timeout).ok()?;
    let (received, _) = connection.exchange(&exchange.sent, timeout).ok()?;
    Some(Exchange { received: Ok(Arc::new(received)), ..exchange.clone() })
}

/// Adds the commands that show each failure again, with secrets already replaced. `options` name the target; the second ones also the seed.
pub(crate) fn add_commands(outcome: &mut RunOutcome, options: [&[String]; 2], by_one_request: &[usize]) {
    let program = program::name();
    let [plain, drawn]: [String; 2] =
        options.map(|options| options.iter().map(|option| format!(" {}", shell_word(option))).collect());
    let drawing: BTreeSet<String> =
        outcome.cases.iter().filter(|case| case.draws).map(|case| case.id.clone()).collect();
    for (at, case) in outcome.cases.iter_mut().enumerate().filter(|(_, case)| case.verdict.has_ever_failed()) {
        let played = case.case_to_replay();
        let doubt = if case.is_reproduced == Some(false) { "  # alone it held" } else { "" };
        case.again =
            Some(format!("{program} replay {played}{}{doubt}", if drawing.contains(played) { &drawn } else { &plain }));
        let command =
            case.judged_exchange().filter(|_| by_one_request.contains(&at)).map(|exchange| exchange.sent.curl());
        // A command with a replaced secret, an escaped character or a byte that is no text would send something else.
        let is_as_it_was = |command: &String| {
            !command.contains("${") && !command.contains('\u{fffd}') && Printable::from(command).as_str() == command
        };
        case.curl = command.filter(|command| is_as_it_was(command) && command.chars().count() <= COMMAND_CHARS);
    }
}

/// Plays on the reference the failures that a report shows, if the reference starts.
pub(crate) fn add_reference(outcome: &mut RunOutcome, session: &Session, stop: &AtomicBool) {
    let shown = shown(outcome);
    if shown.is_empty() || outcome.stop_reason.is_some() || stop.load(Ordering::Relaxed) {
        return;
    }
    let Ok(reference) = Reference::like(session) else { return };
    let begun = clock::stopwatch();
    for at in shown {
        if begun.elapsed() > TIME_MAX {
            return;
        }
        outcome.cases[at].on_reference = reference.compare(&outcome.cases[at], &session.nonce, stop);
    }
}

/// Compares a failed case with its outcome on the reference; `None` if it was skipped there.
pub(crate) fn compare_with_reference(case: &CaseOutcome, outcome: CaseOutcome, nonce: &str) -> Option<OnReference> {
    if outcome.verdict == Verdict::Skipped {
        return None;
    }
    let holds = outcome.verdict.holds();
    let part = case.mismatch.as_ref().map(|mismatch| &mismatch.place.part);
    let failing = Failing { exchanges: &case.exchanges, judged: case.judged_index()?, part };
    let (exchanges, steps) = pair_exchanges(failing, &outcome.exchanges, nonce);
    Some(OnReference { holds, message: outcome.message.filter(|_| !holds), exchanges, steps })
}

const WAIT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(crate) struct Reference {
    session: Session,
    _launched: Launched,
}

impl Reference {
    /// Starts a reference with the target's interfaces, seed and nonce.
    pub(crate) fn like(session: &Session) -> Result<Self, Printable> {
        if !cfg!(feature = "reference") {
            return Err("this program was built without it".into());
        }
        let launched = reference::start(WAIT)?;
        let mut target = reference::target(&launched.urls)?;
        target.urls.retain(|interface, _| session.target.urls.contains_key(interface));
        principal_keys::find(&mut target, session.timeout);
        let control = launched.urls.get("control").filter(|_| session.control.is_some());
        let control = control.map(|url| Control::new(url, session.timeout)).transpose()?;
        let (nonce, holds_second_factor) = (session.nonce.clone(), session.holds_second_factor);
        let own = Session::new(target, control, session.seed, session.cases, session.timeout);
        Ok(Self { session: Session { nonce, holds_second_factor, ..own }, _launched: launched })
    }

    /// Plays a failed case and compares the outcomes.
    pub(crate) fn compare(&self, case: &CaseOutcome, nonce: &str, stop: &AtomicBool) -> Option<OnReference> {
        let outcome = self.play(cases::find(case.case_to_replay())?, case.broken_rule(), stop)?;
        compare_with_reference(case, outcome, nonce)
    }

    /// Plays the case, and fails it if its answers broke `rule`, a rule for all answers; `None` once `stop` is set.
    pub(crate) fn play(&self, case: &'static Case, rule: Option<&str>, stop: &AtomicBool) -> Option<CaseOutcome> {
        let played = play(&self.session, case, true, stop)?;
        let whole = played.outcome.exchanges.clone();
        let mut outcome = [played.judged_by(rule)];
        // Judging may have kept one exchange only; all of them are needed beside the target's.
        outcome[0].exchanges = whole;
        traffic::redact(&self.session, &mut outcome);
        outcome.into_iter().next()
    }
}
