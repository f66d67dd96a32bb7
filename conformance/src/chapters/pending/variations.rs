//! Variations of the chapter pending.

use libros_conformance_model::refusals::{INVALID_CODE, NOT_ENABLED};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "pending-survives-success" breaks "pending/success-removes": "A completed pending session can be completed again."
        => around |state, request, answer| keep_completed(state, request, answer);
    "completions-race" breaks "pending/success-removes": "Two right codes sent at the same moment both complete one pending session."
        => race |world, request, answer| at_once(world, request, answer, pending_email, keep_completed);
    "pending-ends-with-first-failure" breaks "pending/failure-keeps": "The first wrong code ends the pending session."
        => steps |s| s.two_factor.pending_failures = 1;
    "wrong-backup-codes-uncounted" breaks "pending/attempts-counted": "A wrong backup code is refused but does not count as a failure."
        => after |state, request, reply| if is_wrong(request, reply, |token| token.is_some_and(|token| token.len() == 10)) { uncount(state, request) };
    "pending-lives-5-minutes" breaks "pending/lives-10-minutes": "A pending session lives for 5 minutes."
        => steps |s| s.two_factor.pending_lives_ms = 5 * MINUTE_MS;
    "pending-never-expires" breaks "pending/expires": "A pending session never expires."
        => steps |s| s.two_factor.pending_lives_ms = i64::MAX;
    "pending-lives-an-hour" breaks "pending/expires": "A pending session lives for an hour."
        => steps |s| s.two_factor.pending_lives_ms = 60 * MINUTE_MS;
    "wrong-code-restarts-pending" breaks "pending/expiry-from-login": "A wrong code restarts the 10 minutes of the pending session."
        => after |state, request, reply| if reply.refuses_with(INVALID_CODE) { pending(state, request).into_iter().for_each(|pending| pending.since = request.now) };
    "login-prolongs-earlier-pending" breaks "pending/expiry-from-login": "Another login restarts the 10 minutes of an earlier pending session."
        => after |state, request, reply| if request.is("POST", "/auth/login") && reply.status == 200 { prolong(state, request) };
    "pending-outlives-disable" by "pending/disabled-meanwhile": "A pending session can be completed after two-factor was disabled."
        => around |state, request, answer| {
            let email = pending_email(state, request).unwrap_or_default();
            let reply = answer(state, request);
            if !reply.refuses_with(NOT_ENABLED) {
                return reply;
            }
            let Some(record) = second_factor(state, &email) else { return reply };
            record.enabled = true;
            let reply = answer(state, request);
            second_factor(state, &email).into_iter().for_each(|record| record.enabled = false);
            reply
        };
};

fn keep_completed(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let used = pending(state, request).map(|pending| pending.clone());
    let reply = answer(state, request);
    state.pending.extend(used.filter(|_| reply.status == 200));
    reply
}

/// Restarts the lifetime of all pending logins of the e-mail.
fn prolong(state: &mut Shared, request: &Request) {
    let email = request.json_body()["email"].clone();
    let all = state.pending.iter_mut().filter(|pending| email == pending.email.as_str());
    all.for_each(|pending| pending.since = request.now);
}
