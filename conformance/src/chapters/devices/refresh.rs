//! A registered device verified again with trustDevice true; for how long a device is trusted: 30 days since lastUsed;
//! removing a device.
//!
//! No case logs in from the device while it waits: whether that refreshes lastUsed is open.

use super::trusted::{asks, devices_in, judge_login, listing, listing_of_one, must_skip, only_id, trusting};
use crate::chapters::prelude::*;
use crate::fixture::time::Span;
use crate::fixture::two_factor::tokens_in;

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
    /// Shortly before 30 days have passed a login from the device skips the second factor.
    a_device_is_trusted_for_30_days judges ["devices/trusted-30-days"] needs [Need::Clock];
    /// The 30 days run from the second registration, not from the first.
    the_30_days_run_from_last_used judges ["devices/trusted-30-days"] needs [Need::Clock];
    /// Shortly after 30 days a login from the device asks for a second factor.
    a_device_is_not_trusted_after_30_days judges ["devices/expires"] needs [Need::Clock];
    /// Shortly after 30 days since the second registration it asks, too.
    a_refreshed_device_is_not_trusted_after_30_days judges ["devices/expires"] needs [Need::Clock];
    /// A device trusted again after it expired skips the second factor, as a new one does.
    an_expired_device_is_trusted_again judges ["devices/again-refreshes"] needs [Need::Clock];
    /// A removal answers 200 with mensaje alone.
    a_removal_answers_with_a_message judges ["devices/remove-shape"];
    /// A removed device is listed no longer, another of the user still.
    a_removed_device_is_not_listed judges ["devices/remove-takes-effect"];
    /// A login from a removed device asks for a second factor, one from another of the user does not.
    a_removed_device_is_not_trusted judges ["devices/remove-takes-effect"];
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
    is_time_of(cx, &listing_of_one(cx, &enrolled.tokens)?, "lastUsed", second)
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
    reply
        .check()
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

const TRUST_MS: i64 = 30 * 24 * HOUR_MS;
const BEFORE_MS: i64 = 3 * SECOND_MS;
const AFTER_MS: i64 = 2 * SECOND_MS;

fn a_device_is_trusted_for_30_days(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let code = enrolled.factor.backup_code(0)?;
        let (_, at) = time::timed(cx, |cx| two_factor::trust(cx, &enrolled.user, code, &two_factor::laptop(cx)))?;
        time::advance_to(cx, at.from + TRUST_MS - BEFORE_MS)?;
        Ok((two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?, at.from + TRUST_MS))
    })?;
    reply.check().at("/requiere2FA", &json!(false)).map(drop)
}

fn the_30_days_run_from_last_used(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, second, at) = registered(cx)?;
    time::advance_past(cx, at.to + 5 * MINUTE_MS)?;
    tokens_in(&two_factor::verify_trusting(cx, &second, enrolled.factor.backup_code(1)?, &two_factor::laptop(cx))?)?;
    time::advance_past(cx, at.to + TRUST_MS + MINUTE_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
}

fn a_device_is_not_trusted_after_30_days(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code = enrolled.factor.backup_code(0)?;
    let (_, at) = time::timed(cx, |cx| two_factor::trust(cx, &enrolled.user, code, &two_factor::laptop(cx)))?;
    time::advance_to(cx, at.to + TRUST_MS + AFTER_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), true)
}

fn a_refreshed_device_is_not_trusted_after_30_days(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let (first, second) =
        (two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?);
    tokens_in(&two_factor::verify_trusting(cx, &first, enrolled.factor.backup_code(0)?, &two_factor::laptop(cx))?)?;
    time::advance_ms(cx, 5 * MINUTE_MS)?;
    let code = enrolled.factor.backup_code(1)?;
    let (reply, at) = time::timed(cx, |cx| two_factor::verify_trusting(cx, &second, code, &two_factor::laptop(cx)))?;
    tokens_in(&reply)?;
    time::advance_to(cx, at.to + TRUST_MS + AFTER_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), true)
}

fn an_expired_device_is_trusted_again(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::laptop(cx))?;
    time::advance_ms(cx, TRUST_MS + HOUR_MS)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(1)?, &two_factor::laptop(cx))?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
}

fn remove(cx: &CaseContext<'_>, enrolled: &Enrolled, id: &str) -> Result<Reply, CaseError> {
    two_factor::manage(cx, "DELETE", &format!("trusted-devices/{id}"), &enrolled.tokens).send()
}

/// What every answer must hold is judged of it.
fn a_removal_answers_with_a_message(cx: &CaseContext<'_>) -> CaseResult {
    with_laptop_removed(cx).map(drop)
}

/// A user whose laptop was removed, its phone trusted still; and the ids of both.
fn with_laptop_removed(cx: &CaseContext<'_>) -> Result<(Enrolled, String, String), CaseError> {
    let enrolled = trusting(cx)?;
    let laptop = only_id(cx, &enrolled.tokens)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(1)?, &two_factor::phone(cx))?;
    let ids = ids(&listing(cx, &enrolled.tokens)?)?;
    let Some(phone) = ids.into_iter().find(|id| *id != laptop) else {
        return Err(CaseError::blocked("trusting a second device", "the list shows no other deviceId"));
    };
    must_skip(cx, &enrolled, &two_factor::laptop(cx))?;
    remove(cx, &enrolled, &laptop)?.prepared("removing a device", 200)?;
    Ok((enrolled, laptop, phone))
}

fn ids(reply: &Reply) -> Result<Vec<String>, CaseError> {
    let id = |device: &Value| Some(device.get("deviceId")?.as_str()?.to_owned());
    Ok(devices_in(reply)?.iter().filter_map(id).collect())
}

fn a_removed_device_is_not_listed(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, _, phone) = with_laptop_removed(cx)?;
    let reply = listing(cx, &enrolled.tokens)?;
    let ids = ids(&reply)?;
    reply
        .check()
        .that(ids == [phone.as_str()], Place::body("/dispositivos"), format!("{phone} alone"), ids.join(", "))
        .map(drop)
}

fn a_removed_device_is_not_trusted(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, _, _) = with_laptop_removed(cx)?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let check = reply.check();
    check.at("/requiere2FA", &json!(true))?;
    let still_asks = asks(cx, &enrolled, &two_factor::phone(cx))?;
    check.that(!still_asks, "a login from the other device", "no second factor", "a second factor").map(drop)
}
