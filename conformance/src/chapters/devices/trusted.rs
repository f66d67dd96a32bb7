//! Users with a trusted device, and the list of devices.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Device;

/// The list, as answered.
pub(crate) fn listing(cx: &CaseContext<'_>, tokens: &Tokens) -> Result<Reply, CaseError> {
    two_factor::manage(cx, "GET", "trusted-devices", tokens).send()?.prepared("listing trusted devices", 200)
}

/// The devices of an answered list.
pub(crate) fn devices_in(reply: &Reply) -> Result<Vec<Value>, CaseError> {
    match reply.at("/dispositivos") {
        Some(Value::Array(devices)) => Ok(devices),
        _ => Err(CaseError::blocked(
            "listing trusted devices",
            format!("want a list in dispositivos, got {}", brief(&reply.received().text())),
        )),
    }
}

/// The devices the user's list shows.
pub(crate) fn devices(cx: &CaseContext<'_>, tokens: &Tokens) -> Result<Vec<Value>, CaseError> {
    devices_in(&listing(cx, tokens)?)
}

/// The list of a user who has one device, as answered.
pub(crate) fn listing_of_one(cx: &CaseContext<'_>, tokens: &Tokens) -> Result<Reply, CaseError> {
    let reply = listing(cx, tokens)?;
    match devices_in(&reply)?.len() {
        1 => Ok(reply),
        count => Err(CaseError::blocked("listing the one trusted device", format!("the list shows {count}"))),
    }
}

/// The deviceId of the one device of a user.
pub(crate) fn only_id(cx: &CaseContext<'_>, tokens: &Tokens) -> Result<String, CaseError> {
    let id = listing_of_one(cx, tokens)?.text_at("/dispositivos/0/deviceId");
    if id.is_empty() {
        return Err(CaseError::blocked("listing the one trusted device", "it has no text as deviceId"));
    }
    Ok(id)
}

/// A user for whom the case's laptop is trusted, by the first of the backup codes.
pub(crate) fn trusting(cx: &CaseContext<'_>) -> Result<Enrolled, CaseError> {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::laptop(cx))?;
    Ok(enrolled)
}

/// The same, and the trust is in effect.
pub(crate) fn skipping(cx: &CaseContext<'_>) -> Result<Enrolled, CaseError> {
    let enrolled = trusting(cx)?;
    must_skip(cx, &enrolled, &two_factor::laptop(cx))?;
    Ok(enrolled)
}

/// Judges that a login from that device asks for a second factor, or that it does not.
pub(crate) fn judge_login(cx: &CaseContext<'_>, user: &MadeUser, device: &Device, asks: bool) -> CaseResult {
    two_factor::log_in_from(cx, user, device)?.check().at("/requiere2FA", &Value::Bool(asks)).map(drop)
}

/// Whether a login from that device asks for a second factor.
pub(crate) fn asks(cx: &CaseContext<'_>, enrolled: &Enrolled, device: &Device) -> Result<bool, CaseError> {
    let reply = two_factor::log_in_from(cx, &enrolled.user, device)?;
    match reply.at("/requiere2FA") {
        Some(Value::Bool(asks)) => Ok(asks),
        other => Err(CaseError::blocked("logging in", format!("want a boolean at /requiere2FA, got {other:?}"))),
    }
}

/// A login from that device must skip the second factor, or what is judged next would show nothing.
pub(crate) fn must_skip(cx: &CaseContext<'_>, enrolled: &Enrolled, device: &Device) -> Result<(), CaseError> {
    if asks(cx, enrolled, device)? {
        return Err(CaseError::blocked("logging in from a trusted device", "it asks for a second factor"));
    }
    Ok(())
}
