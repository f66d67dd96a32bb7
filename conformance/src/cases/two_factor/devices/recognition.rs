//! Which requests come from the same device.

use super::{asks, devices, must_skip, trusting};
use crate::case::Need;
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::fixture::clock::{HOUR_MS, MINUTE_MS};
use crate::fixture::two_factor::{Device, tokens_in};

cases! { "devices";
    /// Two verifications with the same headers, on connections of their own, register one device.
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
fn other_agent(t: &Trial<'_>) -> Device {
    Device { user_agent: t.phone().user_agent, ..t.laptop() }
}

/// The laptop in another language.
fn other_language(t: &Trial<'_>) -> Device {
    Device { accept_language: t.phone().accept_language, ..t.laptop() }
}

fn the_same_headers_are_the_same_device(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    let sessions = [t.pend(&enrolled.user)?, t.pend(&enrolled.user)?];
    for (index, session) in sessions.iter().enumerate() {
        let body = serde_json::json!({
            "sessionId": session,
            "token": enrolled.factor.backup_code(index)?,
            "trustDevice": true,
        });
        // The next request needs another connection, from another port.
        let request = t.verification(&body).header("Connection", "close");
        tokens_in(&request.send()?)?;
    }
    let reply = super::listing(t, &enrolled.tokens)?;
    let count = super::devices_in(&reply)?.len();
    let judge = reply.judge("devices/id-stable");
    judge.that(count == 1, "body /dispositivos", "one device", count)?;
    Ok(())
}

fn a_trusted_device_is_known_on_another_connection(t: &Trial<'_>) -> Judged {
    let enrolled = trusting(t)?;
    must_skip(t, &enrolled, &t.laptop())?;
    t.get("/2fa").header("Connection", "close").send()?;
    let reply = t.log_in_from(&enrolled.user, &t.laptop())?;
    let judge = reply.judge("devices/id-stable");
    judge.at("/requiere2FA", &serde_json::json!(false))?;
    Ok(())
}

fn a_trusted_device_is_known_later(t: &Trial<'_>) -> Judged {
    let enrolled = trusting(t)?;
    must_skip(t, &enrolled, &t.laptop())?;
    for span_ms in [3 * MINUTE_MS, 5 * HOUR_MS, 25 * HOUR_MS] {
        t.advance_ms(span_ms)?;
        let reply = t.log_in_from(&enrolled.user, &t.laptop())?;
        let judge = reply.judge("devices/id-stable");
        judge.at("/requiere2FA", &serde_json::json!(false))?;
    }
    Ok(())
}

/// The laptop is trusted, and a login from the other device asks for a second factor.
fn is_another(t: &Trial<'_>, rule: &'static str, other: &Device) -> Judged {
    let enrolled = trusting(t)?;
    must_skip(t, &enrolled, &t.laptop())?;
    let reply = t.log_in_from(&enrolled.user, other)?;
    let judge = reply.judge(rule);
    judge.at("/requiere2FA", &serde_json::json!(true))?;
    Ok(())
}

/// Both devices are trusted, and listed apart.
fn are_two(t: &Trial<'_>, rule: &'static str, other: &Device) -> Judged {
    let enrolled = t.enroll()?;
    let user = &enrolled.user;
    let sessions = [t.pend_from(user, &t.laptop())?, t.pend_from(user, other)?];
    for (index, device) in [&t.laptop(), other].into_iter().enumerate() {
        let code = enrolled.factor.backup_code(index)?;
        tokens_in(&t.verify_trusting(&sessions[index], code, device)?)?;
    }
    let reply = super::listing(t, &enrolled.tokens)?;
    let count = super::devices_in(&reply)?.len();
    reply.judge(rule).that(count == 2, "body /dispositivos", "two devices", count)?;
    Ok(())
}

fn another_user_agent_is_another_device(t: &Trial<'_>) -> Judged {
    is_another(t, "devices/id-user-agent", &other_agent(t))
}

fn devices_that_differ_in_user_agent_are_two_entries(t: &Trial<'_>) -> Judged {
    are_two(t, "devices/id-user-agent", &other_agent(t))
}

fn another_accept_language_is_another_device(t: &Trial<'_>) -> Judged {
    is_another(t, "devices/id-accept-language", &other_language(t))
}

fn devices_that_differ_in_accept_language_are_two_entries(t: &Trial<'_>) -> Judged {
    are_two(t, "devices/id-accept-language", &other_language(t))
}

fn a_device_is_trusted_for_one_user_alone(t: &Trial<'_>) -> Judged {
    let trusted = trusting(t)?;
    must_skip(t, &trusted, &t.laptop())?;
    let other = t.enroll()?;
    let reply = t.log_in_from(&other.user, &t.laptop())?;
    let judge = reply.judge("devices/per-user");
    judge.at("/requiere2FA", &serde_json::json!(true))?;
    Ok(())
}

fn a_removal_leaves_the_same_device_of_another_user(t: &Trial<'_>) -> Judged {
    let (mine, other) = (trusting(t)?, trusting(t)?);
    must_skip(t, &other, &t.laptop())?;
    for device in devices(t, &mine.tokens)? {
        let id = device.get("deviceId").and_then(|id| id.as_str()).unwrap_or_default();
        let route = format!("trusted-devices/{id}");
        let reply = t.manage("DELETE", &route, &mine.tokens).send()?;
        reply.prepared("removing a device", 200)?;
    }
    if !asks(t, &mine, &t.laptop())? {
        return Err(crate::contract::verdict::Stop::Blocked {
            step: "removing a device".into(),
            why: "it is still trusted".into(),
        });
    }
    let reply = t.log_in_from(&other.user, &t.laptop())?;
    let judge = reply.judge("devices/per-user");
    judge.at("/requiere2FA", &serde_json::json!(false))?;
    Ok(())
}
