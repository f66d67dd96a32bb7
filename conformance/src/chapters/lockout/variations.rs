//! Variations of the chapter lockout.

use libros_conformance_model::catalogue::lockout::block_end;
use libros_conformance_model::refusals::{BLOCKED, INVALID_CODE, PENDING_EXHAUSTED};
use libros_conformance_model::steps::LockoutSteps;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "lockout-missing" breaks "lockout/three-failures": "Failed codes never block the checks of an e-mail."
        => steps |s| (s.two_factor.lockout.failures, s.two_factor.pending_failures) = (usize::MAX, u32::MAX);
    "failures-race" breaks "lockout/three-failures": "Wrong codes sent at the same moment count as one."
        => race |world, request, answer| at_once(world, request, answer, pending_email, |state, request, answer| {
            let reply = answer(state, request);
            if reply.refuses_with(INVALID_CODE) {
                uncount(state, request);
            }
            reply
        });
    "lockout-after-4-failures" breaks "lockout/three-failures": "Only the fourth failed code blocks."
        => steps |s| s.two_factor.lockout.failures = 4;
    "exhausted-session-is-429" breaks "lockout/three-failures": "A pending session with three wrong codes answers 429 to the next."
        => reply |_request, reply| if reply.refuses_with(PENDING_EXHAUSTED) { reply.status = 429 };
    "exhausted-session-is-401" breaks "lockout/three-failures": "A pending session with three wrong codes answers 401 to the next."
        => reply |_request, reply| if reply.refuses_with(PENDING_EXHAUSTED) { reply.status = 401 };
    "lockout-after-2-failures" breaks "lockout/two-failures": "The second failed code blocks."
        => steps |s| s.two_factor.lockout.failures = 2;
    "lockout-spares-backup-codes" breaks "lockout/backup-refused": "Backup codes are accepted during a block."
        => around |state, request, answer| {
            let reply = answer(state, request);
            if !reply.refuses_with(BLOCKED) || token_of(request).is_none_or(|token| token.len() != 10) {
                return reply;
            }
            let attempts = mem::take(&mut state.attempts);
            let reply = answer(state, request);
            state.attempts.splice(0..0, attempts);
            reply
        };
    "backup-failures-uncounted" breaks "lockout/backup-failures-count": "Failed backup codes do not count towards a block."
        => after |state, request, reply| if is_wrong(request, reply, |token| token.is_some_and(|token| token.len() == 10)) { state.attempts.pop(); };
    "lockout-per-session" breaks "lockout/across-sessions" and "lockout/three-failures": "Failed codes count only for their pending session."
        => steps |s| s.two_factor.lockout.counts_for = |pending| pending.id.clone();
    "lockout-counted-by-each-replica" breaks "lockout/across-sessions": "Each of two replicas counts only the failed codes sent to it."
        => replica |state, second, request, answer| with_part_of_second(state, second, |state| &mut state.attempts, (request, answer));
    "lockout-per-device" breaks "lockout/across-sessions": "Failed codes count only for the device of their login."
        => steps |s| s.two_factor.lockout.counts_for = |pending| format!("{} {}", pending.email, pending.device);
    "lockout-of-everybody" breaks "lockout/per-email": "Failed codes of one e-mail block all users."
        => steps |s| s.two_factor.lockout.counts_for = |_| "everybody".to_owned();
    "lockout-lasts-10-minutes" breaks "lockout/lasts": "A block lasts 10 minutes."
        => steps |s| s.two_factor.lockout.block_ms = 10 * MINUTE_MS;
    "lockout-lasts-20-minutes" breaks "lockout/ends": "A block lasts 20 minutes."
        => steps |s| s.two_factor.lockout.block_ms = 20 * MINUTE_MS;
    "lockout-from-first-failure" breaks "lockout/from-last-failure": "A block runs from the first failed code."
        => steps |s| s.two_factor.lockout.start = |failures| failures.first().copied();
    "lockout-counts-forever" breaks "lockout/window": "Failed codes count for ever."
        => steps |s| s.two_factor.lockout.window_ms = i64::MAX;
    "lockout-counts-90-minutes" breaks "lockout/window": "Failed codes count for 90 minutes."
        => steps |s| s.two_factor.lockout.window_ms = 90 * MINUTE_MS;
    "lockout-closes-login" breaks "lockout/login-open": "A block refuses logins too."
        => after |state, request, reply| if request.is("POST", "/auth/login") && reply.status == 200 && is_blocked(state, request) { refuse(reply, 400, BLOCKED) };
    "ended-block-clears-failures" breaks "lockout/after-block": "The end of a block clears its failed codes."
        => before |state, request| clear_ended_block(state, request);
    "success-clears-failures" breaks "lockout/success-keeps-failures": "A successful check clears the failed codes before it."
        => around |state, request, answer| clear_at_success(state, request, answer, true);
    "trusting-clears-failures" breaks "lockout/success-keeps-failures": "A success with trustDevice clears the failures before it."
        => around |state, request, answer| clear_at_success(state, request, answer, request.json_body()["trustDevice"] == true);
    "enabling-clears-failures" breaks "lockout/three-failures": "Enabling two-factor clears the failures of the e-mail."
        => after |state, request, reply| managed(state, request, reply, "/2fa/enable").into_iter().for_each(|email| clear_failures(state, &email));
    "disabling-clears-failures" breaks "lockout/three-failures": "Disabling two-factor clears the failures of the e-mail."
        => after |state, request, reply| managed(state, request, reply, "/2fa/disable").into_iter().for_each(|email| clear_failures(state, &email));
    "regenerating-clears-failures" breaks "lockout/three-failures": "Regenerating the backup codes clears the failures of the e-mail."
        => after |state, request, reply| managed(state, request, reply, "/2fa/regenerate-backup-codes").into_iter().for_each(|email| clear_failures(state, &email));
    "failures-counted-at-every-check" by "lockout/oldest-leaves": "A block ends early when fewer than three of its failures are within the last hour."
        => before |state, request| forget_old_failures(state, request);
    "refused-checks-prolong-the-block" by "lockout/refused-not-counted": "A check refused during a block counts as a failure."
        => after |state, request, reply| if reply.refuses_with(BLOCKED) { count(state, request) };
};

fn is_blocked(state: &Shared, request: &Request) -> bool {
    let email = request.json_body()["email"].as_str().unwrap_or_default().to_owned();
    block_end(&LockoutSteps::default(), &state.failures(&email)).is_some_and(|end| request.now < end)
}

fn clear_at_success(state: &mut Shared, request: &Request, answer: &Answer<'_>, clears: bool) -> Reply {
    let email = pending_email(state, request);
    let reply = answer(state, request);
    email.filter(|_| clears && reply.status == 200).into_iter().for_each(|email| clear_failures(state, &email));
    reply
}

fn clear_ended_block(state: &mut Shared, request: &Request) {
    let Some(email) = pending_email(state, request) else { return };
    if block_end(&LockoutSteps::default(), &state.failures(&email)).is_some_and(|end| end <= request.now) {
        clear_failures(state, &email);
    }
}

fn forget_old_failures(state: &mut Shared, request: &Request) {
    let Some(email) = pending_email(state, request) else { return };
    state.attempts.retain(|attempt| attempt.owner != email || request.now - attempt.at <= 60 * MINUTE_MS);
}

/// Counts a check for its e-mail and its pending login.
fn count(state: &mut Shared, request: &Request) {
    let Some(pending) = pending(state, request) else { return };
    pending.failures += 1;
    let email = pending.email.clone();
    state.remember(&email, request.now, false);
}
