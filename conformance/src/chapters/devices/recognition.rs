//! The list of trusted devices, and how a device is recognised.

use super::trusted::{
    asks, devices, judge_count, judge_login, listing, listing_of_one, must_skip, skipping, trusting, trusting_device,
};
use crate::chapters::prelude::*;
use crate::fixture::two_factor::{Device, backup_codes_in, tokens_in};

cases! { "devices";
    /// A verification with trustDevice true adds one device to the list, each device an entry.
    a_verification_registers_the_device judges ["devices/registered"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::trust(cx, &enrolled.user, &enrolled.code(cx)?, &two_factor::laptop(cx))?;
        judge_count(cx, &enrolled.tokens, 1, "1 devices")?;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(0)?, &two_factor::phone(cx))?;
        judge_count(cx, &enrolled.tokens, 2, "2 devices")
    };
    /// Ten devices are listed, and a login from each of them skips the second factor.
    ten_devices_stay_trusted judges ["devices/all-stay"] => |cx| {
        const DEVICES: usize = 10;
        let enrolled = two_factor::enroll(cx)?;
        let laptop = two_factor::laptop(cx);
        let device = |number: usize| Device { user_agent: format!("{} {number}", laptop.user_agent), ..laptop.clone() };
        let mut codes = enrolled.factor.backup_codes.clone();
        for number in 1..=DEVICES {
            if codes.is_empty() {
                codes = backup_codes_in(&two_factor::regenerate(cx, &enrolled.tokens)?);
            }
            two_factor::trust(cx, &enrolled.user, &codes.pop().unwrap_or_default(), &device(number))?;
        }
        judge_count(cx, &enrolled.tokens, DEVICES, "10 devices")?;
        (1..=DEVICES).try_for_each(|number| judge_login(cx, &enrolled.user, &device(number), false))
    };
    /// A wrong code with trustDevice true registers nothing.
    a_refused_verification_registers_nothing judges ["devices/registered"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let wrong = enrolled.factor.wrong_backup_code(0);
        let reply = two_factor::verify_trusting(cx, &session, &wrong, &two_factor::laptop(cx))?;
        reply.prepared("sending a wrong code", 400)?;
        judge_count(cx, &enrolled.tokens, 0, "no device")
    };
    /// The list of a user without trusted devices is an empty array, whatever others trust.
    a_list_without_devices_is_empty judges ["devices/list-shape"] => |cx| {
        trusting(cx)?;
        let tokens = two_factor::enroll(cx)?.tokens;
        let reply = two_factor::manage(cx, "GET", "trusted-devices", &tokens).send()?;
        reply.check().status(200)?.body(&json!({ "dispositivos": [] })).map(drop)
    };
    /// A list with devices has the one key, and each device its four keys with 16 hexadecimal digits as its id.
    a_list_of_devices_is_whole judges ["devices/list-shape", "devices/record-shape", "devices/id-form"] => |cx| {
        // What every list must hold is judged of this one.
        let enrolled = trusting(cx)?;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(1)?, &two_factor::phone(cx))?;
        listing(cx, &enrolled.tokens).map(drop)
    };
    /// userAgent is what the device sent, to the last character.
    a_device_shows_its_user_agent judges ["devices/user-agent"] => |cx| {
        for device in [two_factor::laptop(cx), two_factor::phone(cx)] {
            let reply = listing_of_one(cx, &trusting_device(cx, &device)?.tokens)?;
            reply.check().at("/dispositivos/0/userAgent", &json!(device.user_agent))?;
        }
        Ok(())
    };
    /// firstUsed is the time of the registration.
    first_used_is_the_time_of_registration judges ["devices/first-used"]
        by is_time_of_registration("devices/first-used", "firstUsed");
    /// lastUsed is the time of the only registration.
    last_used_is_the_time_of_registration judges ["devices/last-used"]
        by is_time_of_registration("devices/last-used", "lastUsed");
    /// Both follow the service's clock.
    times_follow_the_clock judges ["devices/first-used", "devices/last-used"] needs [Need::Clock] => |cx| {
        const HOUR_S: f64 = 3_600.0;
        cx.advance(HOUR_S)?;
        is_time_of_registration(cx, "devices/first-used", "firstUsed")?;
        is_time_of_registration(cx, "devices/last-used", "lastUsed")
    };
    /// Two logins and verifications with the same headers, on connections of their own, register one device.
    the_same_headers_are_the_same_device judges ["devices/id-stable"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let first = two_factor::pending_session(cx, &enrolled.user)?;
        // The device may be that of the login: the second one, too, needs another connection.
        cx.get("/2fa").header("Connection", "close").send()?;
        let sessions = [first, two_factor::pending_session(cx, &enrolled.user)?];
        for (index, session) in sessions.iter().enumerate() {
            let body = json!({ "sessionId": session, "token": enrolled.backup_code(index)?, "trustDevice": true });
            // The next request needs another connection, from another port.
            tokens_in(&two_factor::verification(cx, &body).header("Connection", "close").send()?)?;
        }
        judge_count(cx, &enrolled.tokens, 1, "one device")
    };
    /// A login with the same headers on another connection comes from the trusted device.
    a_trusted_device_is_known_on_another_connection judges ["devices/id-stable"] => |cx| {
        let enrolled = skipping(cx)?;
        cx.get("/2fa").header("Connection", "close").send()?;
        judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
    };
    /// It is, some minutes and some hours later.
    a_trusted_device_is_known_later judges ["devices/id-stable"] needs [Need::Clock] => |cx| {
        let enrolled = skipping(cx)?;
        for span_ms in [3 * MINUTE_MS, 5 * HOUR_MS, 25 * HOUR_MS] {
            time::advance_ms(cx, span_ms)?;
            judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)?;
        }
        Ok(())
    };
    /// A login with another User-Agent does not come from the trusted device.
    another_user_agent_is_another_device judges ["devices/id-user-agent"] => |cx| is_another(cx, &other_agent(cx));
    /// Two devices that differ in User-Agent alone are two entries.
    devices_that_differ_in_user_agent_are_two_entries judges ["devices/id-user-agent"] => |cx| are_two(cx, &other_agent(cx));
    /// A login with another Accept-Language does not come from the trusted device.
    another_accept_language_is_another_device judges ["devices/id-accept-language"] => |cx| is_another(cx, &other_language(cx));
    /// Two devices that differ in Accept-Language alone are two entries.
    devices_that_differ_in_accept_language_are_two_entries judges ["devices/id-accept-language"]
        => |cx| are_two(cx, &other_language(cx));
    /// A device trusted for one user is not trusted for another.
    a_device_is_trusted_for_one_user_alone judges ["devices/per-user"] => |cx| {
        skipping(cx)?;
        let other = two_factor::enroll(cx)?;
        judge_login(cx, &other.user, &two_factor::laptop(cx), true)
    };
    /// Removing a device of one's own leaves the same device of another user trusted.
    a_removal_leaves_the_same_device_of_another_user judges ["devices/per-user"] => |cx| {
        let (mine, other) = (trusting(cx)?, trusting(cx)?);
        must_skip(cx, &other, &two_factor::laptop(cx))?;
        for device in devices(cx, &mine.tokens)? {
            let route = format!("trusted-devices/{}", device["deviceId"].as_str().unwrap_or_default());
            two_factor::manage(cx, "DELETE", &route, &mine.tokens).send()?.prepared("removing a device", 200)?;
        }
        let is_removed = asks(cx, &mine, &two_factor::laptop(cx))?;
        CaseError::blocked_unless(is_removed, "removing a device", "it is still trusted")?;
        judge_login(cx, &other.user, &two_factor::laptop(cx), false)
    };
}

/// Registers a device and judges one of its times: that it is now, in whatever form.
fn is_time_of_registration(cx: &CaseContext<'_>, rule: &'static str, key: &str) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let before = cx.target_now()?;
    let reply = two_factor::verify_trusting(cx, &session, enrolled.backup_code(0)?, &two_factor::laptop(cx))?;
    reply.prepared("verifying a backup code", 200)?;
    let reply = listing_of_one(cx, &enrolled.tokens)?;
    time::judge_now(cx, &reply, Some(rule), &format!("/dispositivos/0/{key}"), before).map(drop)
}

/// The laptop with another browser.
fn other_agent(cx: &CaseContext<'_>) -> Device {
    Device { user_agent: two_factor::phone(cx).user_agent, ..two_factor::laptop(cx) }
}

/// The laptop in another language.
fn other_language(cx: &CaseContext<'_>) -> Device {
    Device { accept_language: two_factor::phone(cx).accept_language, ..two_factor::laptop(cx) }
}

/// The laptop is trusted, and a login from the other device asks for a second factor.
fn is_another(cx: &CaseContext<'_>, other: &Device) -> CaseResult {
    let enrolled = skipping(cx)?;
    judge_login(cx, &enrolled.user, other, true)
}

/// Both devices are trusted, and listed apart.
fn are_two(cx: &CaseContext<'_>, other: &Device) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let devices = [&two_factor::laptop(cx), other];
    let pending = |device: &Device| two_factor::pending_session_from(cx, &enrolled.user, device);
    let sessions = [pending(devices[0])?, pending(devices[1])?];
    for (index, device) in devices.into_iter().enumerate() {
        tokens_in(&two_factor::verify_trusting(cx, &sessions[index], enrolled.backup_code(index)?, device)?)?;
    }
    judge_count(cx, &enrolled.tokens, 2, "two devices")
}
