//! Trusted devices: what makes a device, how long it is trusted, listing and removing.

use serde_json::{Value, json};

use super::super::clock::{DAY_MS, iso};
use super::super::list::query::percent_decode;
use super::super::secrets;
use super::super::state::{Device, Pending, State};
use super::failure::Failure;
use super::{Exchange, Outcome};

/// The User-Agent of the request, as UTF-8 where it is that, else as Latin-1; empty when it is absent.
pub(crate) fn user_agent(exchange: &Exchange<'_>) -> String {
    let latin1 = exchange.request.header("user-agent").unwrap_or_default();
    let bytes = latin1.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    String::from_utf8(bytes).unwrap_or(latin1)
}

/// 16 hex digits derived from User-Agent, Accept-Language and peer address.
pub(crate) fn device_id(exchange: &Exchange<'_>) -> String {
    let agent = if exchange.on("device-id-ignores-user-agent") { String::new() } else { user_agent(exchange) };
    let language = if exchange.on("device-id-ignores-language") {
        String::new()
    } else {
        exchange.request.header("accept-language").unwrap_or_default()
    };
    let moment = if exchange.on("device-id-differs-by-the-minute") { exchange.now() / 60_000 } else { 0 };
    let forwarded = exchange.request.header("x-forwarded-for");
    let peer = exchange.request.peer.to_string();
    let peer = forwarded.filter(|_| exchange.reads("forwarded-for-honoured")).unwrap_or(peer);
    let digest = secrets::sha256(&format!("{agent}|{language}|{peer}|{moment}"));
    let length = exchange.pick("device-id-of-16-bytes", 32, 16);
    let id = digest[..length].to_owned();
    if exchange.on("device-id-not-hex") { id.replace(['a', 'b', 'c', 'd', 'e', 'f'], "x") } else { id }
}

/// Whether the device is registered for the e-mail and was verified within 30 days.
pub(crate) fn trusted(exchange: &Exchange<'_>, state: &State, email: &str, id: &str) -> bool {
    let days = match () {
        () if exchange.on("devices-trusted-29-days") => 29,
        () if exchange.on("devices-trusted-31-days") => 31,
        () if exchange.on("devices-trusted-forever") => 36_500,
        () => 30,
    };
    state.devices.iter().any(|device| {
        (device.email == email || exchange.on("devices-shared-by-users"))
            && device.id == id
            && exchange.now() <= device.last_used + days * DAY_MS
    })
}

/// Whether the device is listed and counted.
pub(crate) fn shown(exchange: &Exchange<'_>, device: &Device) -> bool {
    let expired = exchange.now() > device.last_used + 30 * DAY_MS;
    !(expired && exchange.reads("expired-devices-dropped"))
}

/// Sets the last use of a device to now.
pub(crate) fn refresh(exchange: &Exchange<'_>, state: &mut State, email: &str, id: &str) {
    let known = state.devices.iter_mut().find(|device| device.email == email && device.id == id);
    if let Some(device) = known {
        device.last_used = exchange.now();
    }
}

/// Registers the device of a verified login, or refreshes it.
pub(crate) fn register(exchange: &Exchange<'_>, state: &mut State, pending: &Pending) {
    let now = exchange.now();
    if exchange.on("trust-device-ignored") {
        return;
    }
    let known = state.devices.iter_mut().find(|device| device.email == pending.email && device.id == pending.device);
    if let Some(device) = known.filter(|_| !exchange.on("device-again-listed-twice")) {
        if !exchange.on("device-again-keeps-last-used") {
            device.last_used = now;
        }
        if exchange.on("device-again-renews-first-used") {
            device.first_used = now;
        }
        return;
    }
    let agent = &pending.user_agent;
    let cut = agent.char_indices().nth(20).map_or(agent.len(), |(at, _)| at);
    state.devices.push(Device {
        email: pending.email.clone(),
        id: pending.device.clone(),
        user_agent: if exchange.on("device-user-agent-cut-at-20") { agent[..cut].to_owned() } else { agent.clone() },
        first_used: now,
        last_used: now,
    });
}

/// GET /2fa/trusted-devices
pub(crate) fn list(exchange: &Exchange<'_>, email: &str) -> Outcome {
    let state = exchange.lock();
    let records: Vec<Value> = state
        .devices
        .iter()
        .filter(|device| device.email == email || exchange.on("devices-listed-of-all-users"))
        .filter(|device| shown(exchange, device))
        .map(|device| record(exchange, device))
        .collect();
    drop(state);
    let count = records.len();
    let mut body = json!({"dispositivos": records});
    if exchange.on("device-list-has-total") {
        body["total"] = json!(count);
    }
    if exchange.on("device-list-is-bare") {
        body = body["dispositivos"].take();
    }
    Ok(exchange.dress(200).body(&body).done())
}

fn record(exchange: &Exchange<'_>, device: &Device) -> Value {
    let time = |at: i64| {
        if exchange.on("device-times-as-numbers") { json!(at) } else { json!(iso(at)) }
    };
    let mut record = json!({
        "deviceId": device.id,
        "firstUsed": time(device.first_used),
        "lastUsed": if exchange.on("device-last-used-null-at-first") && device.last_used == device.first_used {
            Value::Null
        } else {
            time(device.last_used)
        },
        "userAgent": device.user_agent,
    });
    if device.user_agent.is_empty() && exchange.reads("absent-user-agent-is-null") {
        record["userAgent"] = Value::Null;
    }
    if exchange.on("device-record-has-email") {
        record["email"] = json!(device.email);
    }
    record
}

/// DELETE /2fa/trusted-devices/<deviceId>
pub(crate) fn remove(exchange: &Exchange<'_>, email: &str, segment: &str) -> Outcome {
    let (id, good) = percent_decode(segment);
    if !good && exchange.reads("odd-device-id-is-404") {
        return Err(Failure::new(404, "There is no such device"));
    }
    if !good {
        return Err(Failure::bad("this device id cannot be decoded"));
    }
    let mut state = exchange.lock();
    let before = state.devices.len();
    if !exchange.on("device-removal-does-nothing") {
        let all = exchange.on("device-removal-removes-all");
        state.devices.retain(|device| device.email != email || device.id != id && !all);
    }
    if state.devices.len() == before && exchange.reads("unknown-device-refused") {
        return Err(Failure::new(404, "There is no such device"));
    }
    drop(state);
    let mut body = json!({"mensaje": "The device is no longer trusted"});
    if exchange.on("device-removal-answers-id") {
        body["deviceId"] = json!(id);
    }
    Ok(exchange.dress(200).body(&body).done())
}
