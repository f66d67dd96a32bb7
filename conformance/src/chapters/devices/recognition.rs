//! Which requests come from the same device.

use super::trusted::{asks, devices, judge_login, must_skip, skipping, trusting};
use crate::chapters::prelude::*;
use crate::fixture::time::{HOUR_MS, MINUTE_MS};
use crate::fixture::two_factor::{Device, tokens_in};

cases! { "devices";
    /// Two logins and verifications with the same headers, on connections of their own, register one device.
    the_same_headers_are_the_same_device judges ["devices/id-stable"];
    /// A login with the same headers on another connection comes from the trusted device.
    a_trusted_device_is_known_on_another_connection judges ["devices/id-stable"];
    /// It is, some minutes and some hours later.
    a_trusted_device_is_known_later judges ["devices/id-stable"] needs [Need::Clock];
    /// A login with another User-Agent does not come from the trusted device.
    another_user_agent_is_another_device judges ["devices/id-user-agent"];
    /// Two devices that differ in User-Agent alone are two entries.
    devices_that_differ_in_user_agent_are_two_entries judges ["devices/id-user-agent"];
    /// A login with another Accept-Language does not come from the trusted device.
    another_accept_language_is_another_device judges ["devices/id-accept-language"];
    /// Two devices that differ in Accept-Language alone are two entries.
    devices_that_differ_in_accept_language_are_two_entries judges ["devices/id-accept-language"];
    /// A device trusted for one user is not trusted for another.
    a_device_is_trusted_for_one_user_alone judges ["devices/per-user"];
    /// Removing a device of one's own leaves the same device of another user trusted.
    a_removal_leaves_the_same_device_of_another_user judges ["devices/per-user"];
}

/// The laptop with another browser.
fn other_agent(cx: &CaseContext<'_>) -> Device {
    Device { user_agent: two_factor::phone(cx).user_agent, ..two_factor::laptop(cx) }
}

/// The laptop in another language.
fn other_language(cx: &CaseContext<'_>) -> Device {
    Device { accept_language: two_factor::phone(cx).accept_language, ..two_factor::laptop(cx) }
}

fn the_same_headers_are_the_same_device(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let first = two_factor::pending_session(cx, &enrolled.user)?;
    // The device may be that of the login: the second one, too, needs another connection.
    cx.get("/2fa").header("Connection", "close").send()?;
    let sessions = [first, two_factor::pending_session(cx, &enrolled.user)?];
    for (index, session) in sessions.iter().enumerate() {
        let body = serde_json::json!({
            "sessionId": session,
            "token": enrolled.factor.backup_code(index)?,
            "trustDevice": true,
        });
        // The next request needs another connection, from another port.
        let request = two_factor::verification(cx, &body).header("Connection", "close");
        tokens_in(&request.send()?)?;
    }
    let reply = super::trusted::listing(cx, &enrolled.tokens)?;
    let count = super::trusted::devices_in(&reply)?.len();
    reply.check().that(count == 1, Place::body("/dispositivos"), "one device", count).map(drop)
}

fn a_trusted_device_is_known_on_another_connection(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = skipping(cx)?;
    cx.get("/2fa").header("Connection", "close").send()?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
}

fn a_trusted_device_is_known_later(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = skipping(cx)?;
    for span_ms in [3 * MINUTE_MS, 5 * HOUR_MS, 25 * HOUR_MS] {
        time::advance_ms(cx, span_ms)?;
        judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)?;
    }
    Ok(())
}

/// The laptop is trusted, and a login from the other device asks for a second factor.
fn is_another(cx: &CaseContext<'_>, other: &Device) -> CaseResult {
    let enrolled = skipping(cx)?;
    judge_login(cx, &enrolled.user, other, true)
}

/// Both devices are trusted, and listed apart.
fn are_two(cx: &CaseContext<'_>, other: &Device) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let user = &enrolled.user;
    let sessions = [
        two_factor::pending_session_from(cx, user, &two_factor::laptop(cx))?,
        two_factor::pending_session_from(cx, user, other)?,
    ];
    for (index, device) in [&two_factor::laptop(cx), other].into_iter().enumerate() {
        let code = enrolled.factor.backup_code(index)?;
        tokens_in(&two_factor::verify_trusting(cx, &sessions[index], code, device)?)?;
    }
    let reply = super::trusted::listing(cx, &enrolled.tokens)?;
    let count = super::trusted::devices_in(&reply)?.len();
    reply.check().that(count == 2, Place::body("/dispositivos"), "two devices", count).map(drop)
}

fn another_user_agent_is_another_device(cx: &CaseContext<'_>) -> CaseResult {
    is_another(cx, &other_agent(cx))
}

fn devices_that_differ_in_user_agent_are_two_entries(cx: &CaseContext<'_>) -> CaseResult {
    are_two(cx, &other_agent(cx))
}

fn another_accept_language_is_another_device(cx: &CaseContext<'_>) -> CaseResult {
    is_another(cx, &other_language(cx))
}

fn devices_that_differ_in_accept_language_are_two_entries(cx: &CaseContext<'_>) -> CaseResult {
    are_two(cx, &other_language(cx))
}

fn a_device_is_trusted_for_one_user_alone(cx: &CaseContext<'_>) -> CaseResult {
    skipping(cx)?;
    let other = two_factor::enroll(cx)?;
    judge_login(cx, &other.user, &two_factor::laptop(cx), true)
}

fn a_removal_leaves_the_same_device_of_another_user(cx: &CaseContext<'_>) -> CaseResult {
    let (mine, other) = (trusting(cx)?, trusting(cx)?);
    must_skip(cx, &other, &two_factor::laptop(cx))?;
    for device in devices(cx, &mine.tokens)? {
        let id = device.get("deviceId").and_then(|id| id.as_str()).unwrap_or_default();
        let route = format!("trusted-devices/{id}");
        two_factor::manage(cx, "DELETE", &route, &mine.tokens).send()?.prepared("removing a device", 200)?;
    }
    if !asks(cx, &mine, &two_factor::laptop(cx))? {
        return Err(CaseError::blocked("removing a device", "it is still trusted"));
    }
    judge_login(cx, &other.user, &two_factor::laptop(cx), false)
}
