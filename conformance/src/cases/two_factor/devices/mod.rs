//! Cases of the chapter devices: how one is recognised, registered, listed, refreshed, removed, and for how long it is trusted.

use serde_json::Value;

use crate::case::Case;
use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::fixture::two_factor::{Device, Enrolled};
use crate::fixture::users::Tokens;
use crate::http::reply::{Reply, brief};

mod list;
mod readings;
mod recognition;
mod refresh;
mod removal;
mod trust;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] =
    &[list::CASES, recognition::CASES, refresh::CASES, trust::CASES, removal::CASES, readings::CASES];

/// The list, as answered.
pub(super) fn listing(t: &Trial<'_>, tokens: &Tokens) -> Result<Reply, Stop> {
    let reply = t.manage("GET", "trusted-devices", tokens).send()?;
    reply.prepared("listing trusted devices", 200)
}

/// The devices of an answered list.
pub(super) fn devices_in(reply: &Reply) -> Result<Vec<Value>, Stop> {
    match reply.at("/dispositivos") {
        Some(Value::Array(devices)) => Ok(devices),
        _ => Err(Stop::Blocked {
            step: "listing trusted devices".into(),
            why: format!("want a list in dispositivos, got {}", brief(&reply.received().text())),
        }),
    }
}

/// The devices the user's list shows.
pub(super) fn devices(t: &Trial<'_>, tokens: &Tokens) -> Result<Vec<Value>, Stop> {
    devices_in(&listing(t, tokens)?)
}

/// The list of a user who has one device, as answered.
pub(super) fn listing_of_one(t: &Trial<'_>, tokens: &Tokens) -> Result<Reply, Stop> {
    let reply = listing(t, tokens)?;
    match devices_in(&reply)?.len() {
        1 => Ok(reply),
        count => {
            Err(Stop::Blocked { step: "listing the one trusted device".into(), why: format!("the list shows {count}") })
        }
    }
}

/// The deviceId of the one device of a user.
pub(super) fn only_id(t: &Trial<'_>, tokens: &Tokens) -> Result<String, Stop> {
    let id = listing_of_one(t, tokens)?.text_at("/dispositivos/0/deviceId");
    if id.is_empty() {
        return Err(Stop::Blocked {
            step: "listing the one trusted device".into(),
            why: "it has no text as deviceId".into(),
        });
    }
    Ok(id)
}

/// A user for whom the case's laptop is trusted, by the first of the backup codes.
pub(super) fn trusting(t: &Trial<'_>) -> Result<Enrolled, Stop> {
    let enrolled = t.enroll()?;
    t.trust(&enrolled.user, enrolled.factor.backup_code(0)?, &t.laptop())?;
    Ok(enrolled)
}

/// Whether a login from that device asks for a second factor.
pub(super) fn asks(t: &Trial<'_>, enrolled: &Enrolled, device: &Device) -> Result<bool, Stop> {
    let reply = t.log_in_from(&enrolled.user, device)?;
    match reply.at("/requiere2FA") {
        Some(Value::Bool(asks)) => Ok(asks),
        other => Err(Stop::Blocked {
            step: "logging in".into(),
            why: format!("want a boolean at /requiere2FA, got {other:?}"),
        }),
    }
}

/// A login from that device must skip the second factor, or what is judged next would show nothing.
pub(super) fn must_skip(t: &Trial<'_>, enrolled: &Enrolled, device: &Device) -> Result<(), Stop> {
    if asks(t, enrolled, device)? {
        return Err(Stop::Blocked {
            step: "logging in from a trusted device".into(),
            why: "it asks for a second factor".into(),
        });
    }
    Ok(())
}
