//! Variations of the chapter devices.

use std::net::IpAddr;

use libros_conformance_model::accounts::device::{self, DeviceTraits};
use libros_conformance_model::catalogue::devices;
use libros_conformance_model::clock::DAY_MS;
use libros_conformance_model::records::Device;
use libros_conformance_model::refusals::DEVICE_ID_UNREADABLE;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "trust-device-ignored" breaks "devices/registered": "A verification with trustDevice registers no device."
        => around |state, request, answer| undone(state, request, answer, |state| &mut state.devices, |_, _| request.path == "/auth/verify-2fa");
    "devices-shared-by-users" breaks "devices/per-user": "A device trusted for one user is trusted for all."
        => steps |s| s.two_factor.devices.is_trusted = |device, _, now| device::is_trusted(device, &device.email, now);
    "device-id-of-16-bytes" breaks "devices/id-form": "A deviceId has 32 digits."
        => steps |s| s.two_factor.devices.id = |device| device::digest(device)[..32].to_owned();
    "device-id-not-hex" breaks "devices/id-form": "A deviceId has letters that are not hexadecimal digits."
        => steps |s| s.two_factor.devices.id = |device| device::id(device).replace(['a', 'b', 'c', 'd', 'e', 'f'], "x");
    "device-id-differs-by-the-minute" breaks "devices/id-stable": "The deviceId of a device changes every minute."
        => steps |s| s.two_factor.devices.id =
            |device| device::id(&DeviceTraits { peer: format!("{} {}", device.peer, device.now / MINUTE_MS), ..device.clone() });
    "device-id-ignores-user-agent" breaks "devices/id-user-agent": "Devices that differ only in User-Agent are one device."
        => steps |s| s.two_factor.devices.id = |device| device::id(&DeviceTraits { user_agent: String::new(), ..device.clone() });
    "device-id-ignores-language" breaks "devices/id-accept-language": "Devices that differ only in Accept-Language are one device."
        => request |request| request.remove("accept-language");
    "device-list-is-bare" breaks "devices/list-shape": "The list of devices is a bare array."
        => reply |request, reply| listed(request, reply, |body| *body = body["dispositivos"].take());
    "device-list-has-total" breaks "devices/list-shape": "The list of devices has a total."
        => reply |request, reply| listed(request, reply, |body| body["total"] = json!(body["dispositivos"].as_array().map(Vec::len)));
    "devices-listed-of-all-users" breaks "devices/list-shape": "The list of devices shows those of all users."
        => steps |s| s.two_factor.devices.is_listed = |_, _, _| true;
    "device-record-has-email" breaks "devices/record-shape": "A listed device has the e-mail."
        => reply |request, reply| each(request, reply, |device| device["email"] = json!("a@example.com"));
    "device-times-as-numbers" breaks "devices/first-used": "Times of a device are numbers."
        => reply |request, reply| each(request, reply, |device| {
            for name in ["firstUsed", "lastUsed"] {
                device[name] = json!(milliseconds(&device[name]));
            }
        });
    "device-user-agent-cut-at-20" breaks "devices/user-agent": "userAgent of a device is cut to 20 characters."
        => reply |request, reply| each(request, reply, |device| edit_text(&mut device["userAgent"], |agent| agent.chars().take(20).collect()));
    "device-again-keeps-last-used" breaks "devices/again-refreshes": "Registering a device again does not change lastUsed."
        => steps |s| s.two_factor.devices.registered_again = |device, _| vec![device];
    "device-again-listed-twice" breaks "devices/again-first-used": "Registering a device again adds a second entry."
        => steps |s| s.two_factor.devices.registered_again =
            |device, now| vec![device.clone(), Device { first_used: now, last_used: now, ..device }];
    "device-again-renews-first-used" breaks "devices/again-first-used": "Registering a device again changes firstUsed."
        => steps |s| s.two_factor.devices.registered_again =
            |device, now| vec![Device { first_used: now, last_used: now, ..device }];
    "third-device-pushes-out-the-first" breaks "devices/all-stay": "A user has at most two trusted devices: the third replaces the first."
        => around |state, request, answer| keep_at_most(state, request, answer, 2);
    "tenth-device-pushes-out-the-first" breaks "devices/all-stay": "A user has at most nine trusted devices: the tenth replaces the first."
        => around |state, request, answer| keep_at_most(state, request, answer, 9);
    "plain-verification-forgets-device" breaks "devices/plain-verification-keeps": "A verification without trustDevice removes the device."
        => around |state, request, answer| {
            let used = pending_device(state, request);
            let reply = answer(state, request);
            if let Some(used) = used.filter(|_| reply.status == 200 && !trusts(request)) {
                state.devices.retain(|device| !is_same(device, &used));
            }
            reply
        };
    "devices-trusted-29-days" breaks "devices/trusted-30-days": "A device is trusted for 29 days."
        => steps |s| s.two_factor.devices.is_trusted = |device, email, now| device.email == email && now <= device.last_used + 29 * DAY_MS;
    "devices-trusted-31-days" breaks "devices/expires": "A device is trusted for 31 days."
        => steps |s| s.two_factor.devices.is_trusted = |device, email, now| device.email == email && now <= device.last_used + 31 * DAY_MS;
    "devices-trusted-forever" breaks "devices/expires": "A device is trusted for ever."
        => steps |s| s.two_factor.devices.is_trusted = |device, email, now| device.email == email && now <= device.last_used + 36_500 * DAY_MS;
    "device-removal-answers-id" breaks "devices/remove-shape": "The answer to removing a device has the deviceId."
        => reply |request, reply| if is_removal(request, reply) { reply.edit(|body| body["deviceId"] = json!(request.path.rsplit('/').next())) };
    "device-removal-does-nothing" breaks "devices/remove-takes-effect": "Removing a device does not remove it."
        => steps |s| s.two_factor.devices.is_removed = |_, _, _| false;
    "device-removal-removes-all" breaks "devices/remove-takes-effect": "Removing a device removes all devices of the user."
        => steps |s| s.two_factor.devices.is_removed = |device, email, _| device.email == email;
    "device-last-used-null-at-first" breaks "devices/last-used": "lastUsed of a device is null until it is registered a second time."
        => reply |request, reply| each(request, reply, |device| {
            if device["lastUsed"] == device["firstUsed"] {
                device["lastUsed"] = Value::Null;
            }
        });
    "device-registered-before-the-check" breaks "devices/registered": "A verification with a wrong code registers the device."
        => before |state, request| {
            let device = pending_device(state, request).filter(|_| trusts(request));
            let is_new = |new: &Device| !state.devices.iter().any(|known| is_same(known, new));
            let device = device.filter(is_new);
            state.devices.extend(device);
        };
    "device-id-has-the-port" breaks "devices/id-stable": "The port of a connection is part of the device's identity."
        => steps |s| s.two_factor.devices.id = |device| device::id(&DeviceTraits { peer: format!("{}:{}", device.peer, device.port), ..device.clone() });
    "device-removed-of-every-user" breaks "devices/per-user": "Removing a device also removes it for other users."
        => steps |s| s.two_factor.devices.is_removed = |device, _, id| device.id == id;
    "device-id-has-accept-and-version" breaks "devices/id-stable": "Accept and X-API-Version are part of the device's identity."
        => request |request| request.set("Accept-Language", &["accept-language", "accept", "x-api-version"].map(|name| request.header(name).unwrap_or_default()).join(" "));
    "device-removed-by-part-of-its-id" breaks "devices/all-stay": "Removing a part of a deviceId removes the device."
        => steps |s| s.two_factor.devices.is_removed = |device, email, id| device.email == email && device.id.starts_with(id);
    "removed-device-still-counted" breaks "devices/remove-takes-effect": "dispositivosConfiables does not go down at a removal."
        => after |state, request, reply| if let Some(email) = email_of(state, request) {
            if is_removal(request, reply) { state.past.note("removed", &email) }
            if state.past.has("removed", &email) { status(request, reply, count_one_more) }
        };
    "device-refreshed-at-every-check" breaks "devices/expires": "A check of a code refreshes the known device of its login, trustDevice or not."
        => before |state, request| if let Some(used) = pending_device(state, request) {
            state.devices.iter_mut().filter(|known| is_same(known, &used)).for_each(|known| known.last_used = used.last_used);
        };
    "absent-user-agent-is-null" by "devices/absent-headers": "userAgent of a device without a User-Agent is null."
        => reply |request, reply| each_without_user_agent(request, reply, |device| device["userAgent"] = Value::Null);
    "absent-user-agent-is-named" by "devices/absent-headers": "userAgent of a device without a User-Agent is the text unknown."
        => reply |request, reply| each_without_user_agent(request, reply, |device| device["userAgent"] = json!("unknown"));
    "absent-user-agent-left-out" by "devices/absent-headers": "A device without a User-Agent has no userAgent."
        => reply |request, reply| each_without_user_agent(request, reply, |device| drop_key(device, "userAgent"));
    "absent-user-agent-refused" by "devices/absent-headers": "A login without a User-Agent is refused."
        => reply |request, reply| if request.is("POST", "/auth/login") && request.header("user-agent").is_none() { refuse(reply, 400, "a User-Agent is required") };
    "device-of-the-verification" by "devices/device-of-login": "The device that is registered is the one that sent the verification."
        => before |state, request| {
            if let Some(pending) = pending(state, request) {
                pending.device = device::id(&devices::traits(request));
                pending.user_agent = devices::user_agent(request);
            }
        };
    "disable-removes-devices" by "devices/disable-keeps": "Disabling two-factor removes the trusted devices."
        => after |state, request, reply| if request.is("POST", "/2fa/disable") && reply.status == 200 { remove_devices(state, request) };
    "expired-devices-dropped" by "devices/expired-listed": "Devices past their 30 days are not listed."
        => steps |s| s.two_factor.devices.is_listed = device::is_trusted;
    "forwarded-for-honoured" by "devices/forwarded-for": "X-Forwarded-For counts as the peer address of a device."
        => request |request| request.peer = forwarded_for(request).unwrap_or(request.peer);
    "odd-device-id-is-404" by "devices/remove-odd-id": "A deviceId that cannot be decoded answers 404."
        => reply |_request, reply| if reply.refuses_with(DEVICE_ID_UNREADABLE) { reply.status = 404 };
    "trusted-login-refreshes-device" by "devices/login-keeps-last-used": "A login that skipped the second factor refreshes lastUsed of the device."
        => after |state, request, reply| if request.is("POST", "/auth/login") && reply.status == 200 { refresh_device(state, request) };
    "unknown-device-refused" by "devices/remove-unknown": "Removing an unknown device answers 404."
        => around |state, request, answer| refuse_unknown_device(state, request, answer, 404);
    "unknown-device-is-400" by "devices/remove-unknown": "Removing an unknown device answers 400."
        => around |state, request, answer| refuse_unknown_device(state, request, answer, 400);
    "remove-without-id-is-400" by "devices/remove-without-id": "DELETE on the list of devices answers 400."
        => reply |request, reply| if removes_no_id(request, reply) { reply.status = 400 };
    "remove-without-id-is-405" by "devices/remove-without-id": "DELETE on the list of devices answers 405."
        => reply |request, reply| if removes_no_id(request, reply) { reply.status = 405 };
};

fn listed(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    edit_success(request, reply, ["GET", "/2fa/trusted-devices"], change);
}

fn each(request: &Request, reply: &mut Reply, change: fn(&mut Value)) {
    listed(request, reply, |body| each_item(&mut body["dispositivos"], change));
}

fn status(request: &Request, reply: &mut Reply, change: fn(&mut Value)) {
    edit_success(request, reply, ["GET", "/2fa/status"], change);
}

fn count_one_more(status: &mut Value) {
    status["dispositivosConfiables"] = json!(status["dispositivosConfiables"].as_u64().map(|left| left + 1));
}

fn is_removal(request: &Request, reply: &Reply) -> bool {
    request.method == "DELETE" && reply.status == 200
}

/// Whether the reply refuses a removal whose path has no id.
fn removes_no_id(request: &Request, reply: &Reply) -> bool {
    request.method == "DELETE" && request.path.trim_end_matches('/') == "/2fa/trusted-devices" && reply.status == 404
}

/// The device of the login that a verification completes.
fn pending_device(state: &mut Shared, request: &Request) -> Option<Device> {
    pending(state, request).map(|pending| Device::new(pending, request.now))
}

fn is_same(device: &Device, other: &Device) -> bool {
    device.email == other.email && device.id == other.id
}

/// Forgets the first device of a user who has more than these.
fn keep_at_most(state: &mut Shared, request: &Request, answer: &Answer<'_>, most: usize) -> Reply {
    let email = pending_email(state, request).unwrap_or_default();
    let reply = answer(state, request);
    let is_own = |device: &Device| device.email == email;
    if let Some(first) = state.devices.iter().position(is_own)
        && state.devices.iter().filter(|device| is_own(device)).count() > most
    {
        state.devices.remove(first);
    }
    reply
}

fn trusts(request: &Request) -> bool {
    js::truthy(&request.json_body()["trustDevice"])
}

fn each_without_user_agent(request: &Request, reply: &mut Reply, change: fn(&mut Value)) {
    listed(request, reply, |body| {
        each_item(&mut body["dispositivos"], |device| {
            if device["userAgent"] == "" {
                change(device);
            }
        });
    });
}

fn remove_devices(state: &mut Shared, request: &Request) {
    let email = email_of(state, request).unwrap_or_default();
    state.devices.retain(|device| device.email != email);
}

fn forwarded_for(request: &Request) -> Option<IpAddr> {
    request.header("x-forwarded-for")?.parse().ok()
}

fn refresh_device(state: &mut Shared, request: &Request) {
    let (email, id) = (request.json_body()["email"].clone(), device::id(&devices::traits(request)));
    let is_it = |known: &&mut Device| email == known.email.as_str() && known.id == id;
    let trusted =
        state.devices.iter_mut().filter(is_it).filter(|known| device::is_trusted(known, &known.email, request.now));
    trusted.for_each(|device| device.last_used = request.now);
}

fn refuse_unknown_device(state: &mut Shared, request: &Request, answer: &Answer<'_>, status: u16) -> Reply {
    let email = email_of(state, request).unwrap_or_default();
    let id = request.path.strip_prefix("/2fa/trusted-devices/").map(|id| percent_decode(id).0);
    let is_known = state.devices.iter().any(|device| device.email == email && Some(&device.id) == id.as_ref());
    let mut reply = answer(state, request);
    if request.method == "DELETE" && id.is_some() && !is_known && reply.status == 200 {
        refuse(&mut reply, status, "There is no such device");
    }
    reply
}
