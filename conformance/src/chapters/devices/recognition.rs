//! The list of trusted devices, and how a device is recognised.

use super::trusted::{asks, devices, judge_count, judge_login, listing_of_one, must_skip, skipping, trusting};
use crate::chapters::prelude::*;
use crate::fixture::two_factor::{Device, backup_codes_in};

cases! { "devices";
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
    /// The list of a user without trusted devices is an empty array, whatever others trust.
    a_list_without_devices_is_empty judges ["devices/list-shape"] => |cx| {
        trusting(cx)?;
        let tokens = two_factor::enroll(cx)?.tokens;
        let reply = two_factor::manage(cx, "GET", "trusted-devices", &tokens).send()?;
        reply.check().status(200)?.body(&json!({ "dispositivos": [] })).map(drop)
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
    /// It is, some minutes and some hours later.
    a_trusted_device_is_known_later judges ["devices/id-stable"] needs [Need::Clock] => |cx| {
        let enrolled = skipping(cx)?;
        for span_ms in [3 * MINUTE_MS, 5 * HOUR_MS, 25 * HOUR_MS] {
            time::advance_ms(cx, span_ms)?;
            judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)?;
        }
        Ok(())
    };
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
