//! Users with a trusted device, and the list of devices.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Device;

pub(crate) fn listing(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<Reply> {
    two_factor::manage(cx, "GET", "trusted-devices", tokens).send()?.prepared("listing trusted devices", 200)
}

/// The devices of an answered list.
pub(crate) fn devices_in(reply: &Reply) -> CaseResult<Vec<Value>> {
    let devices = reply.at("/dispositivos").and_then(|list| list.as_array().cloned());
    devices.ok_or_else(|| {
        let body = brief(&reply.received().text());
        CaseError::blocked("listing trusted devices", format!("want a list in dispositivos, got {body}"))
    })
}

/// The devices the user's list shows.
pub(crate) fn devices(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<Vec<Value>> {
    devices_in(&listing(cx, tokens)?)
}

/// Judges how many devices the user's list shows.
pub(crate) fn judge_count(cx: &CaseContext<'_>, tokens: &Tokens, count: usize, want: &str) -> CaseResult {
    let reply = listing(cx, tokens)?;
    devices_in(&reply)?;
    reply.check().counts("/dispositivos", count, want).map(drop)
}

/// The list of a user who has one device, as answered.
pub(crate) fn listing_of_one(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<Reply> {
    let reply = listing(cx, tokens)?;
    let count = devices_in(&reply)?.len();
    CaseError::blocked_unless(count == 1, "listing the one trusted device", format!("the list shows {count}"))?;
    Ok(reply)
}

/// The deviceId of the one device of a user.
pub(crate) fn only_id(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult<String> {
    let id = listing_of_one(cx, tokens)?.text_at("/dispositivos/0/deviceId");
    CaseError::blocked_unless(!id.is_empty(), "listing the one trusted device", "it has no text as deviceId")?;
    Ok(id)
}

/// A user for whom the case's laptop is trusted, by the first of the backup codes.
pub(crate) fn trusting(cx: &CaseContext<'_>) -> CaseResult<Enrolled> {
    trusting_device(cx, &two_factor::laptop(cx))
}

/// The same with another device.
pub(crate) fn trusting_device(cx: &CaseContext<'_>, device: &Device) -> CaseResult<Enrolled> {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.backup_code(0)?, device)?;
    Ok(enrolled)
}

/// The same, and the trust is in effect.
pub(crate) fn skipping(cx: &CaseContext<'_>) -> CaseResult<Enrolled> {
    let enrolled = trusting(cx)?;
    must_skip(cx, &enrolled, &two_factor::laptop(cx))?;
    Ok(enrolled)
}

/// Judges that a login from that device asks for a second factor, or that it does not.
pub(crate) fn judge_login(cx: &CaseContext<'_>, user: &MadeUser, device: &Device, asks: bool) -> CaseResult {
    two_factor::log_in_from(cx, user, device)?.check().at("/requiere2FA", &Value::Bool(asks)).map(drop)
}

/// Whether a login from that device asks for a second factor.
pub(crate) fn asks(cx: &CaseContext<'_>, enrolled: &Enrolled, device: &Device) -> CaseResult<bool> {
    let reply = two_factor::log_in_from(cx, &enrolled.user, device)?;
    match reply.at("/requiere2FA") {
        Some(Value::Bool(asks)) => Ok(asks),
        other => Err(CaseError::blocked("logging in", format!("want a boolean at /requiere2FA, got {other:?}"))),
    }
}

/// A login from that device must skip the second factor, or what is judged next would show nothing.
pub(crate) fn must_skip(cx: &CaseContext<'_>, enrolled: &Enrolled, device: &Device) -> CaseResult {
    let skips = !asks(cx, enrolled, device)?;
    CaseError::blocked_unless(skips, "logging in from a trusted device", "it asks for a second factor")
}
