//! A registered device verified again with trustDevice true: one entry still, lastUsed moved, firstUsed not.

use super::trusted::{devices_in, judge_login, listing, listing_of_one};
use crate::chapters::prelude::*;
use crate::clock;
use crate::fixture::time::{MINUTE_MS, Span, time_in};
use crate::fixture::two_factor::{Enrolled, tokens_in};

cases! { "devices";
    /// Five minutes after the first registration a second moves lastUsed.
    a_second_registration_moves_last_used judges ["devices/again-refreshes"] needs [Need::Clock];
    /// Without a clock to move: a second registration a moment later moves lastUsed.
    a_second_registration_a_moment_later_moves_last_used judges ["devices/again-refreshes"] needs [Need::Time];
    /// A second registration adds no entry and keeps firstUsed.
    a_second_registration_keeps_first_used judges ["devices/again-first-used"] needs [Need::Clock];
    /// The same, a moment later.
    a_second_registration_a_moment_later_keeps_first_used judges ["devices/again-first-used"] needs [Need::Time];
    /// A second waiting login of the device, completed without trustDevice or with false, leaves the device trusted.
    a_plain_verification_leaves_the_device judges ["devices/plain-verification-keeps"];
}

/// A user with two waiting logins of one device, the second of them, and when the first was completed, which made the device trusted.
pub(super) fn registered(cx: &CaseContext<'_>) -> Result<(Enrolled, String, Span), CaseError> {
    let enrolled = two_factor::enroll(cx)?;
    let (first, second) =
        (two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?);
    let code = enrolled.factor.backup_code(0)?;
    let (reply, at) = time::timed(cx, |cx| two_factor::verify_trusting(cx, &first, code, &two_factor::laptop(cx)))?;
    tokens_in(&reply)?;
    Ok((enrolled, second, at))
}

/// Completes the second session, the device trusted again; when that was.
fn again(cx: &CaseContext<'_>, enrolled: &Enrolled, session: &str) -> Result<Span, CaseError> {
    let code = enrolled.factor.backup_code(1)?;
    let (reply, at) = time::timed(cx, |cx| two_factor::verify_trusting(cx, session, code, &two_factor::laptop(cx)))?;
    tokens_in(&reply)?;
    Ok(at)
}

/// The time under that key is that of the span, give or take what clocks differ.
fn is_time_of(cx: &CaseContext<'_>, reply: &Reply, key: &str, span: Span) -> CaseResult {
    let pointer = format!("/dispositivos/0/{key}");
    let time = time_in(key, reply.at(&pointer).as_ref())?;
    let slack = time::tolerance_ms(cx);
    let holds = (span.from - slack..=span.to + slack).contains(&time);
    reply
        .check()
        .that(holds, Place::body(pointer), format!("about {}", clock::iso(span.from)), clock::iso(time))
        .map(drop)
}

fn a_second_registration_moves_last_used(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session, first) = registered(cx)?;
    time::advance_past(cx, first.to + 5 * MINUTE_MS)?;
    let second = again(cx, &enrolled, &session)?;
    let reply = listing_of_one(cx, &enrolled.tokens)?;
    is_time_of(cx, &reply, "lastUsed", second)
}

/// Both times of the one device, before and after a second registration a moment later.
fn moments(cx: &CaseContext<'_>) -> Result<(Reply, [i64; 2], [i64; 2]), CaseError> {
    let times = |reply: &Reply| -> Result<[i64; 2], CaseError> {
        Ok([
            time_in("firstUsed", reply.at("/dispositivos/0/firstUsed").as_ref())?,
            time_in("lastUsed", reply.at("/dispositivos/0/lastUsed").as_ref())?,
        ])
    };
    let (enrolled, session, _) = registered(cx)?;
    let before = times(&listing_of_one(cx, &enrolled.tokens)?)?;
    time::let_a_second_pass(cx)?;
    again(cx, &enrolled, &session)?;
    let reply = listing(cx, &enrolled.tokens)?;
    let after = times(&reply)?;
    Ok((reply, before, after))
}

fn a_second_registration_a_moment_later_moves_last_used(cx: &CaseContext<'_>) -> CaseResult {
    let (reply, [_, before], [_, after]) = moments(cx)?;
    let want = format!("later than {}", clock::iso(before));
    reply.check().that(after > before, Place::body("/dispositivos/0/lastUsed"), want, clock::iso(after)).map(drop)
}

fn one_entry(reply: &Reply) -> CaseResult {
    let devices: Vec<Value> = devices_in(reply)?;
    reply.check().that(devices.len() == 1, Place::body("/dispositivos"), "one device", devices.len()).map(drop)
}

fn a_second_registration_keeps_first_used(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session, first) = registered(cx)?;
    time::advance_past(cx, first.to + 5 * MINUTE_MS)?;
    again(cx, &enrolled, &session)?;
    let reply = listing(cx, &enrolled.tokens)?;
    one_entry(&reply)?;
    is_time_of(cx, &reply, "firstUsed", first)
}

fn a_second_registration_a_moment_later_keeps_first_used(cx: &CaseContext<'_>) -> CaseResult {
    let (reply, [before, _], [after, _]) = moments(cx)?;
    one_entry(&reply)?;
    let check = reply.check();
    check
        .that(after == before, Place::body("/dispositivos/0/firstUsed"), clock::iso(before), clock::iso(after))
        .map(drop)
}

fn a_plain_verification_leaves_the_device(cx: &CaseContext<'_>) -> CaseResult {
    for trust in [None, Some(false)] {
        let (enrolled, session, _) = registered(cx)?;
        let mut body = json!({ "sessionId": session, "token": enrolled.factor.backup_code(1)? });
        if let Some(trust) = trust {
            body["trustDevice"] = trust.into();
        }
        tokens_in(&two_factor::verification(cx, &body).send()?)?;
        judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)?;
    }
    Ok(())
}
