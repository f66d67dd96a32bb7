//! Trusted devices: how long one is trusted, registering, listing and removing.

use serde_json::{Value, json};

use super::super::accounts::device::DeviceTraits;
use super::super::clock::{DAY_MS, iso};
use super::super::list::query::percent_decode;
use super::super::records::{Device, Pending};
use super::super::refusals::DEVICE_ID_UNREADABLE;
use super::super::state::State;
use super::failure::{Failure, Outcome};
use super::request_context::RequestContext;

/// The User-Agent of the request, as UTF-8 where it is that, else as Latin-1; empty when it is absent.
pub(crate) fn user_agent(cx: &RequestContext<'_>) -> String {
    let latin1 = cx.request.header("user-agent").unwrap_or_default();
    let bytes = latin1.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    String::from_utf8(bytes).unwrap_or(latin1)
}

/// 16 hex digits derived from User-Agent, Accept-Language and peer address.
pub(crate) fn device_id(cx: &RequestContext<'_>) -> String {
    let device = DeviceTraits {
        user_agent: user_agent(cx),
        accept_language: cx.request.header("accept-language").unwrap_or_default(),
        peer: cx.request.peer.to_string(),
        port: cx.request.port,
        now: cx.now(),
    };
    (cx.policy().two_factor.devices.id)(&device)
}

/// Whether the device is registered for the e-mail and was verified within 30 days.
pub(crate) fn trusted(cx: &RequestContext<'_>, state: &State, email: &str, id: &str) -> bool {
    let policy = &cx.policy().two_factor.devices;
    state.devices.iter().any(|device| {
        (device.email == email || policy.trusted_for_every_user)
            && device.id == id
            && cx.now() <= device.last_used + policy.trusted_days * DAY_MS
    })
}

/// The devices of a user that are listed and counted.
pub(crate) fn listed<'a>(
    cx: &'a RequestContext<'_>,
    state: &'a State,
    email: &'a str,
) -> impl Iterator<Item = &'a Device> {
    let policy = &cx.policy().two_factor.devices;
    let current = move |device: &Device| cx.now() <= device.last_used + 30 * DAY_MS;
    let own = state.devices.iter().filter(move |device| device.email == email || policy.listed_of_every_user);
    own.filter(move |device| policy.expired_listed || current(device))
}

/// Sets the last use of a device to now.
pub(crate) fn refresh(cx: &RequestContext<'_>, state: &mut State, email: &str, id: &str) {
    let known = state.devices.iter_mut().find(|device| device.email == email && device.id == id);
    if let Some(device) = known {
        device.last_used = cx.now();
    }
}

/// Registers the device of a verified login, or refreshes it.
pub(crate) fn register(cx: &RequestContext<'_>, state: &mut State, pending: &Pending) {
    let policy = &cx.policy().two_factor.devices;
    if !policy.registered {
        return;
    }
    let now = cx.now();
    let is_it = |device: &Device| device.email == pending.email && device.id == pending.device;
    if let Some(at) = state.devices.iter().position(is_it) {
        let again = (policy.registered_again)(state.devices[at].clone(), now);
        state.devices.splice(at..=at, again);
    } else {
        state.devices.push(Device {
            email: pending.email.clone(),
            id: pending.device.clone(),
            user_agent: (policy.kept_user_agent)(&pending.user_agent),
            first_used: now,
            last_used: now,
        });
    }
    let is_own = |device: &Device| device.email == pending.email;
    if state.devices.iter().filter(|device| is_own(device)).count() > policy.kept_max
        && let Some(first) = state.devices.iter().position(is_own)
    {
        state.devices.remove(first);
    }
}

/// GET /2fa/trusted-devices
pub(crate) fn list(cx: &RequestContext<'_>, email: &str) -> Outcome {
    let record = |device: &Device| {
        json!({
            "deviceId": device.id,
            "firstUsed": iso(device.first_used),
            "lastUsed": iso(device.last_used),
            "userAgent": device.user_agent,
        })
    };
    let state = cx.lock();
    let records: Value = listed(cx, &state, email).map(record).collect();
    drop(state);
    Ok(cx.reply(200).body(&json!({"dispositivos": records})).build())
}

/// DELETE /2fa/trusted-devices/<deviceId>
pub(crate) fn remove(cx: &RequestContext<'_>, email: &str, segment: &str) -> Outcome {
    let policy = &cx.policy().two_factor.devices;
    let (id, good) = percent_decode(segment);
    if !good {
        return Err(Failure::bad(DEVICE_ID_UNREADABLE));
    }
    let mut state = cx.lock();
    let known = state.devices.iter().any(|device| device.email == email && device.id == id);
    if let Some(status) = policy.unknown_status.filter(|_| !known) {
        return Err(Failure::new(status, "There is no such device"));
    }
    state.devices.retain(|device| !(policy.is_removed)(device, email, &id));
    drop(state);
    Ok(cx.reply(200).body(&json!({"mensaje": "The device is no longer trusted"})).build())
}
