//! Removing a device.

use super::trusted::{asks, devices_in, listing, must_skip, only_id, trusting};
use crate::chapters::prelude::*;
use crate::fixture::two_factor::Enrolled;

cases! { "devices";
    /// A removal answers 200 with mensaje alone.
    a_removal_answers_with_a_message judges ["devices/remove-shape"];
    /// A removed device is listed no longer, another of the user still.
    a_removed_device_is_not_listed judges ["devices/remove-takes-effect"];
    /// A login from a removed device asks for a second factor, one from another of the user does not.
    a_removed_device_is_not_trusted judges ["devices/remove-takes-effect"];
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
    let want = format!("{phone} alone");
    reply.check().that(ids == [phone], Place::body("/dispositivos"), want, ids.join(", ")).map(drop)
}

fn a_removed_device_is_not_trusted(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, _, _) = with_laptop_removed(cx)?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let check = reply.check();
    check.at("/requiere2FA", &json!(true))?;
    let still_asks = asks(cx, &enrolled, &two_factor::phone(cx))?;
    check.that(!still_asks, "a login from the other device", "no second factor", "a second factor").map(drop)
}
