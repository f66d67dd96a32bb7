//! What the documents leave open about devices.

use super::trusted::{asks, devices, listing_of_one, only_id, skipping, trusting};
use crate::chapters::prelude::*;
use crate::fixture::two_factor::{Device, pending_session_in, tokens_in};

cases! { "devices";
    /// X-Forwarded-For: ignored, or taken for the peer address.
    whether_forwarded_for_makes_a_device judges ["devices/forwarded-for"] => |cx| {
        let user = skipping(cx)?.user;
        let login = users::login(cx, &user.email, &user.password).device(&two_factor::laptop(cx));
        let asks = login.header("X-Forwarded-For", "203.0.113.9").send()?.at("/requiere2FA");
        cx.observe(
            &[("ignored", asks == Some(json!(false))), ("honoured", asks == Some(json!(true)))],
            format!("{asks:?}"),
        )
    };
    /// Without a User-Agent: recorded as an empty text, or as null, or refused.
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
    /// A verification from another device than the login: one of the two is registered.
    whose_device_is_registered judges ["devices/device-of-login"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let session = two_factor::pending_session_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
        tokens_in(&two_factor::verify_trusting(cx, &session, enrolled.backup_code(0)?, &two_factor::phone(cx))?)?;
        let trusts = |device: &Device| Ok::<_, CaseError>(!asks(cx, &enrolled, device)?);
        let (laptop, phone) = (trusts(&two_factor::laptop(cx))?, trusts(&two_factor::phone(cx))?);
        let readings = [("login", laptop && !phone), ("verification", phone && !laptop)];
        cx.observe(&readings, format!("trusted: that of the login {laptop}, that of the verification {phone}"))
    };
    /// A login that skipped the second factor leaves lastUsed, or refreshes it.
    whether_a_login_refreshes_last_used judges ["devices/login-keeps-last-used"] needs [Need::Clock] => |cx| {
        let enrolled = trusting(cx)?;
        let before = last_used(cx, &enrolled.tokens)?;
        time::advance_ms(cx, HOUR_MS)?;
        let login_at = cx.target_now()?;
        let login = two_factor::log_in(cx, &enrolled.user)?;
        let after = last_used(cx, &tokens_in(&login)?)?;
        let readings = [("kept", after == before), ("refreshed", time::is_now(cx, after, login_at)?)];
        cx.observe(&readings, format!("moved by {} ms", after - before))
    };
    /// A device past its 30 days is listed, or dropped.
    whether_an_expired_device_is_listed judges ["devices/expired-listed"] needs [Need::Clock] => |cx| {
        const PAST_30_DAYS_MS: i64 = (30 * 24 + 1) * HOUR_MS;
        let enrolled = trusting(cx)?;
        time::advance_ms(cx, PAST_30_DAYS_MS)?;
        let tokens = two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(1)?)?;
        let count = devices(cx, &tokens)?.len();
        cx.observe(&[("listed", count == 1), ("dropped", count == 0)], format!("{count} devices"))
    };
    /// A deviceId is percent-decoded, or taken as sent.
    whether_a_device_id_is_decoded judges ["devices/remove-odd-id"] => |cx| {
        let enrolled = trusting(cx)?;
        let tokens = &enrolled.tokens;
        let id = only_id(cx, tokens)?;
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

/// userAgent of the device that a login without one opened a session for.
fn agent_recorded(cx: &CaseContext<'_>, enrolled: &Enrolled, login: &Reply) -> CaseResult<Option<Value>> {
    let code = enrolled.backup_code(0)?;
    let body = json!({ "sessionId": pending_session_in(login)?, "token": code, "trustDevice": true });
    tokens_in(&cx.post("/auth/verify-2fa").without_agent().json(&body).send()?)?;
    Ok(listing_of_one(cx, &enrolled.tokens)?.at("/dispositivos/0/userAgent"))
}

fn last_used(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<i64> {
    time_in("lastUsed", listing_of_one(cx, tokens)?.at("/dispositivos/0/lastUsed").as_ref())
}
