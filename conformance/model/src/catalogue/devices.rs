//! Trusted devices: registering, listing and removing.

use serde_json::{Value, json};

use super::handler::{Failure, Outcome, RequestContext};
use crate::accounts::device::DeviceTraits;
use crate::clock::iso;
use crate::list::query::percent_decode;
use crate::message::Request;
use crate::records::{Device, Pending};
use crate::refusals::DEVICE_ID_UNREADABLE;

/// The User-Agent of the request, as UTF-8 if it is valid, else as Latin-1; empty if it is absent.
pub fn user_agent(request: &Request) -> String {
    let latin1 = request.header("user-agent").unwrap_or_default();
    let bytes = latin1.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    String::from_utf8(bytes).unwrap_or(latin1)
}

/// What the id of a request's device is derived from.
pub fn traits(request: &Request) -> DeviceTraits {
    DeviceTraits {
        user_agent: user_agent(request),
        accept_language: request.header("accept-language").unwrap_or_default(),
        peer: request.peer.to_string(),
        port: request.port,
        now: request.now,
    }
}

pub(crate) fn device_id(cx: &RequestContext<'_>) -> String {
    (cx.steps.two_factor.devices.id)(&traits(cx.request))
}

/// Whether the device is registered for the e-mail, and still trusted.
pub(crate) fn is_trusted(cx: &RequestContext<'_>, email: &str, id: &str) -> bool {
    let is_trusted = cx.steps.two_factor.devices.is_trusted;
    cx.state.devices.iter().any(|device| device.id == id && is_trusted(device, email, cx.now()))
}

/// The devices of a user that a list shows and a status counts.
pub(crate) fn listed(cx: &RequestContext<'_>, email: &str) -> Vec<Device> {
    let is_listed = cx.steps.two_factor.devices.is_listed;
    cx.state.devices.iter().filter(|device| is_listed(device, email, cx.now())).cloned().collect()
}

/// Registers the device of a verified login, or refreshes it.
pub(crate) fn register(cx: &mut RequestContext<'_>, pending: &Pending) {
    let now = cx.now();
    let is_same = |device: &Device| device.email == pending.email && device.id == pending.device;
    if let Some(at) = cx.state.devices.iter().position(is_same) {
        let again = (cx.steps.two_factor.devices.registered_again)(cx.state.devices[at].clone(), now);
        cx.state.devices.splice(at..=at, again);
    } else {
        cx.state.devices.push(Device::new(pending, now));
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
    let records: Value = listed(cx, email).iter().map(record).collect();
    Ok(cx.reply(200, &json!({"dispositivos": records})))
}

/// DELETE /2fa/trusted-devices/<deviceId>
pub(crate) fn remove(cx: &mut RequestContext<'_>, email: &str, segment: &str) -> Outcome {
    let (id, good) = percent_decode(segment);
    if !good {
        return Err(Failure::bad(DEVICE_ID_UNREADABLE));
    }
    cx.state.devices.retain(|device| !(cx.steps.two_factor.devices.is_removed)(device, email, &id));
    Ok(cx.reply(200, &json!({"mensaje": "The device is no longer trusted"})))
}
