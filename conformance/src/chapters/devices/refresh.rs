//! A registered device verified again with trustDevice true; for how long a device is trusted: 30 days since lastUsed;
//! removing a device.
//!
//! No case logs in from the device while it waits: whether that refreshes lastUsed is open.

use super::trusted::{judge_count, judge_login, listing, listing_of_one, trusting};
use crate::chapters::prelude::*;
use crate::fixture::two_factor::tokens_in;

cases! { "devices";
    /// Five minutes after the first registration a second moves lastUsed.
    a_second_registration_moves_last_used judges ["devices/again-refreshes"] needs [Need::Clock] => |cx| {
        let (enrolled, session, first) = registered(cx)?;
        time::advance_past(cx, first.to + 5 * MINUTE_MS)?;
        let second = completed(cx, &enrolled, &session, 1)?;
        is_time_of(cx, &listing_of_one(cx, &enrolled.tokens)?, "lastUsed", second)
    };
    /// Without a clock to move: a second registration a moment later moves lastUsed.
    a_second_registration_a_moment_later_moves_last_used judges ["devices/again-refreshes"] needs [Need::Time] => |cx| {
        let (reply, [_, before], [_, after]) = moments(cx)?;
        let want = format!("later than {}", clock::iso(before));
        reply.check().that(after > before, Place::body("/dispositivos/0/lastUsed"), want, clock::iso(after)).map(drop)
    };
    /// A second registration adds no entry and keeps firstUsed.
    a_second_registration_keeps_first_used judges ["devices/again-first-used"] needs [Need::Clock] => |cx| {
        let (enrolled, session, first) = registered(cx)?;
        time::advance_past(cx, first.to + 5 * MINUTE_MS)?;
        completed(cx, &enrolled, &session, 1)?;
        judge_count(cx, &enrolled.tokens, 1, "one device")?;
        is_time_of(cx, &listing(cx, &enrolled.tokens)?, "firstUsed", first)
    };
    /// The same, a moment later.
    a_second_registration_a_moment_later_keeps_first_used judges ["devices/again-first-used"] needs [Need::Time] => |cx| {
        let (reply, [before, _], [after, _]) = moments(cx)?;
        let check = reply.check().counts("/dispositivos", 1, "one device")?;
        let place = Place::body("/dispositivos/0/firstUsed");
        check.that(after == before, place, clock::iso(before), clock::iso(after)).map(drop)
    };
    /// Shortly before 30 days have passed a login from the device skips the second factor.
    a_device_is_trusted_for_30_days judges ["devices/trusted-30-days"] needs [Need::Clock] => |cx| {
        let reply = time::in_time(cx, || {
            let (enrolled, at) = trusted(cx)?;
            time::advance_to(cx, at.from + TRUST_MS - BEFORE_MS)?;
            Ok((two_factor::log_in(cx, &enrolled.user)?, at.from + TRUST_MS))
        })?;
        reply.check().at("/requiere2FA", &json!(false)).map(drop)
    };
    /// The 30 days run from the second registration, not from the first.
    the_30_days_run_from_last_used judges ["devices/trusted-30-days"] needs [Need::Clock] => |cx| {
        let (enrolled, second, at) = registered(cx)?;
        time::advance_past(cx, at.to + 5 * MINUTE_MS)?;
        completed(cx, &enrolled, &second, 1)?;
        time::advance_past(cx, at.to + TRUST_MS + MINUTE_MS)?;
        judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
    };
    /// Shortly after 30 days a login from the device asks for a second factor.
    a_device_is_not_trusted_after_30_days judges ["devices/expires"] needs [Need::Clock] => |cx| {
        let (enrolled, at) = trusted(cx)?;
        is_over_after(cx, &enrolled, at)
    };
    /// Shortly after 30 days since the second registration it asks, too.
    a_refreshed_device_is_not_trusted_after_30_days judges ["devices/expires"] needs [Need::Clock] => |cx| {
        let (enrolled, second, _) = registered(cx)?;
        time::advance_ms(cx, 5 * MINUTE_MS)?;
        let at = completed(cx, &enrolled, &second, 1)?;
        is_over_after(cx, &enrolled, at)
    };
    /// A device trusted again after it expired skips the second factor, as a new one does.
    an_expired_device_is_trusted_again judges ["devices/again-refreshes"] needs [Need::Clock] => |cx| {
        let enrolled = trusting(cx)?;
        time::advance_ms(cx, TRUST_MS + HOUR_MS)?;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(1)?, &two_factor::laptop(cx))?;
        judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
    };
}

/// A user with two waiting logins of one device, the second of them, and when the first was completed, which made the device trusted.
pub(super) fn registered(cx: &CaseContext<'_>) -> CaseResult<(Enrolled, String, Span)> {
    let enrolled = two_factor::enroll(cx)?;
    let [first, second] = two_factor::two_pending_sessions(cx, &enrolled.user)?;
    let at = completed(cx, &enrolled, &first, 0)?;
    Ok((enrolled, second, at))
}

/// Completes a session with a backup code, the device trusted; when that was.
fn completed(cx: &CaseContext<'_>, enrolled: &Enrolled, session: &str, code: usize) -> CaseResult<Span> {
    let code = enrolled.backup_code(code)?;
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
    let want = format!("about {}", clock::iso(span.from));
    reply.check().that(holds, Place::body(pointer), want, clock::iso(time)).map(drop)
}

/// Both times of the one device, before and after a second registration a moment later.
fn moments(cx: &CaseContext<'_>) -> CaseResult<(Reply, [i64; 2], [i64; 2])> {
    let time = |reply: &Reply, key: &str| time_in(key, reply.at(&format!("/dispositivos/0/{key}")).as_ref());
    let times = |reply: &Reply| Ok::<_, CaseError>([time(reply, "firstUsed")?, time(reply, "lastUsed")?]);
    let (enrolled, session, _) = registered(cx)?;
    let before = times(&listing_of_one(cx, &enrolled.tokens)?)?;
    time::let_a_second_pass(cx)?;
    completed(cx, &enrolled, &session, 1)?;
    let reply = listing(cx, &enrolled.tokens)?;
    let after = times(&reply)?;
    Ok((reply, before, after))
}

const TRUST_MS: i64 = 30 * 24 * HOUR_MS;

/// A user with a trusted device, and when it was trusted.
fn trusted(cx: &CaseContext<'_>) -> CaseResult<(Enrolled, Span)> {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let at = completed(cx, &enrolled, &session, 0)?;
    Ok((enrolled, at))
}

/// Shortly after 30 days since that moment a login from the device asks for a second factor.
fn is_over_after(cx: &CaseContext<'_>, enrolled: &Enrolled, at: Span) -> CaseResult {
    time::advance_to(cx, at.to + TRUST_MS + AFTER_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), true)
}
