//! Cases of the chapter devices that are no entries: many devices, a login without a User-Agent, an encoded deviceId.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::{Device, backup_codes_in, pending_session_in, tokens_in};

cases! { "devices";
    /// Twelve trusted devices are listed, and a login from each of them skips the second factor.
    twelve_devices_stay_trusted judges ["devices/all-stay"] => |cx| {
        const DEVICES: usize = 12;
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
        let is_whole = |list: &Value| list.as_array().is_some_and(|list| list.len() == DEVICES);
        listing(cx, &enrolled.tokens)?.check().at_where("/dispositivos", "12 devices", is_whole)?;
        (1..=DEVICES).try_for_each(|number| {
            let login = two_factor::log_in_from(cx, &enrolled.user, &device(number))?;
            login.check().at("/requiere2FA", &json!(false)).map(drop)
        })
    };
    /// A device without a User-Agent is recorded with an empty userAgent, with null or without it, or is refused.
    what_an_absent_user_agent_is_recorded_as judges ["devices/absent-headers"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let login = users::login(cx, &enrolled.user.email, &enrolled.user.password).without_agent().send()?;
        let is_refused = login.is(400);
        let got = if is_refused { None } else { agent_recorded(cx, &enrolled, &login.prepared("logging in", 200)?)? };
        let readings = [
            ("400", is_refused),
            ("empty", got == Some(json!(""))),
            ("null", got == Some(json!(null))),
            ("absent", got.is_none()),
            ("text", got.as_ref().is_some_and(Value::is_string)),
        ];
        cx.observe(&readings, format!("{got:?}"))
    };
    /// A deviceId is percent-decoded, or taken as sent.
    whether_a_device_id_is_decoded judges ["devices/remove-odd-id"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(0)?, &two_factor::laptop(cx))?;
        let tokens = &enrolled.tokens;
        let id = listing_of_one(cx, tokens)?.prepared_text("listing the one trusted device", "/dispositivos/0/deviceId")?;
        let remove = |id: &str| -> CaseResult<u16> {
            Ok(two_factor::manage(cx, "DELETE", &format!("trusted-devices/{id}"), tokens).send()?.status())
        };
        let (unknown, undecodable) = (remove("0123456789abcdef")?, remove("%E0%A4%A")?);
        let encoded = percent_encoded(&id);
        let status = remove(&encoded)?;
        let is_gone = devices(cx, tokens)?.is_empty();
        let readings = [
            ("decoded", status == 200 && is_gone && undecodable == 400),
            ("404", status == 404 && undecodable == 404 && !is_gone),
            // Each half by itself is accepted, and an id taken as sent is an unknown one.
            (
                "unknown",
                ((status == 200 && is_gone) || (!is_gone && [404, unknown].contains(&status)))
                    && [400, 404, unknown].contains(&undecodable),
            ),
        ];
        cx.observe(&readings, format!("status {status}, removed: {is_gone}; undecodable: status {undecodable}"))
    };
}

/// The recorded userAgent of the device of a login without User-Agent.
fn agent_recorded(cx: &CaseContext<'_>, enrolled: &Enrolled, login: &Reply) -> CaseResult<Option<Value>> {
    let code = enrolled.backup_code(0)?;
    let body = json!({ "sessionId": pending_session_in(login)?, "token": code, "trustDevice": true });
    tokens_in(&cx.post("/auth/verify-2fa").without_agent().json(&body).send()?)?;
    Ok(listing_of_one(cx, &enrolled.tokens)?.at("/dispositivos/0/userAgent"))
}

fn listing(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<Reply> {
    two_factor::manage(cx, "GET", "trusted-devices", tokens).send()?.prepared("listing trusted devices", 200)
}

fn devices_in(reply: &Reply) -> CaseResult<Vec<Value>> {
    let devices = reply.at("/dispositivos").and_then(|list| list.as_array().cloned());
    devices.ok_or_else(|| reply.blocked("listing trusted devices", "a list at /dispositivos"))
}

pub(crate) fn devices(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<Vec<Value>> {
    devices_in(&listing(cx, tokens)?)
}

/// Reads the device list of a user with one device.
fn listing_of_one(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<Reply> {
    let reply = listing(cx, tokens)?;
    let count = devices_in(&reply)?.len();
    CaseError::blocked_unless(count == 1, "listing the one trusted device", format!("the list shows {count}"))?;
    Ok(reply)
}
