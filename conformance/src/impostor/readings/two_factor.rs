//! Permitted readings other than the reference's: the second factor: codes, backup codes, lockout, devices, pending logins.

use std::net::IpAddr;

use libros_conformance_model::accounts::{device, session};
use libros_conformance_model::catalogue::devices;
use libros_conformance_model::clock::MINUTE_MS;
use libros_conformance_model::list::query::percent_decode;
use libros_conformance_model::records::{Device, TwoFactor};
use libros_conformance_model::refusals::{BLOCKED, DEVICE_ID_UNREADABLE, NOT_ENABLED};
use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "codes-not-replayed" by "codes/replay": "A time-based code is accepted once."
        => around |held, request, answer| refuse_replayed(held, request, answer);
    "odd-tokens-spare-the-lockout" by "codes/other-forms-count": "A token of no known form counts for its session alone."
        => after |held, request, reply| if is_wrong(request, reply, is_odd) { held.attempts.pop(); };
    "odd-tokens-uncounted" by "codes/other-forms-count": "A token of no known form counts for nothing."
        => after |held, request, reply| if is_wrong(request, reply, is_odd) { uncount(held, request) };
    "tokens-spelled-freely" by "codes/token-spelling": "A code may be a number."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(spell_token) };
    "absent-user-agent-is-null" by "devices/absent-headers": "An absent User-Agent is recorded as null."
        => reply |request, reply| if request.is("GET", "/2fa/trusted-devices") { reply.edit(|body| each_without_user_agent(body, |device| device["userAgent"] = Value::Null)) };
    "absent-user-agent-is-named" by "devices/absent-headers": "An absent User-Agent is recorded as unknown."
        => reply |request, reply| if request.is("GET", "/2fa/trusted-devices") { reply.edit(|body| each_without_user_agent(body, |device| device["userAgent"] = json!("unknown"))) };
    "absent-user-agent-left-out" by "devices/absent-headers": "Without a User-Agent the key userAgent is left out."
        => reply |request, reply| if request.is("GET", "/2fa/trusted-devices") { reply.edit(|body| each_without_user_agent(body, |device| drop_key(device, "userAgent"))) };
    "absent-user-agent-refused" by "devices/absent-headers": "A login without a User-Agent is refused."
        => reply |request, reply| if request.is("POST", "/auth/login") && request.header("user-agent").is_none() { refuse(reply, 400, "a User-Agent is required") };
    "device-of-the-verification" by "devices/device-of-login": "The device registered is that of the verification."
        => before |held, request| take_own_device(held, request);
    "disable-removes-devices" by "devices/disable-keeps": "Disabling removes the trusted devices."
        => after |held, request, reply| if request.is("POST", "/2fa/disable") && reply.status == 200 { remove_devices(held, request) };
    "expired-devices-dropped" by "devices/expired-listed": "Devices past their 30 days are not listed."
        => steps |s| s.two_factor.devices.is_listed = device::is_trusted;
    "forwarded-for-honoured" by "devices/forwarded-for": "X-Forwarded-For is the peer address."
        => request |request| request.peer = forwarded_for(request).unwrap_or(request.peer);
    "odd-device-id-is-404" by "devices/remove-odd-id": "A deviceId that cannot be decoded answers 404."
        => reply |_request, reply| if reply.refuses_with(DEVICE_ID_UNREADABLE) { reply.status = 404 };
    "trusted-login-refreshes-device" by "devices/login-keeps-last-used": "A login that skipped the second factor refreshes the device."
        => after |held, request, reply| if request.is("POST", "/auth/login") && reply.status == 200 { refresh_device(held, request) };
    "unknown-device-refused" by "devices/remove-unknown": "Removing an unknown device answers 404."
        => around |held, request, answer| refuse_unknown_device(held, request, answer, 404);
    "unknown-device-is-400" by "devices/remove-unknown": "Removing an unknown device answers 400."
        => around |held, request, answer| refuse_unknown_device(held, request, answer, 400);
    "remove-without-id-is-400" by "devices/remove-without-id": "Removing a device without naming it answers 400."
        => reply |request, reply| if request.method == "DELETE" && request.path.trim_end_matches('/') == "/2fa/trusted-devices" && reply.status == 404 { reply.status = 400 };
    "remove-without-id-is-405" by "devices/remove-without-id": "Removing a device without naming it answers 405."
        => reply |request, reply| if request.method == "DELETE" && request.path.trim_end_matches('/') == "/2fa/trusted-devices" && reply.status == 404 { reply.status = 405 };
    "failures-counted-at-every-check" by "lockout/oldest-leaves": "A block is over when fewer than three failures are an hour old at most."
        => before |held, request| forget_old_failures(held, request);
    "refused-checks-prolong-the-block" by "lockout/refused-not-counted": "A check refused by the block counts as a failure."
        => after |held, request, reply| if reply.refuses_with(BLOCKED) { count(held, request) };
    "pending-outlives-disable" by "pending/disabled-meanwhile": "A pending session is completed although two-factor was disabled meanwhile."
        => around |held, request, answer| verify_disabled(held, request, answer);
    "pending-ids-in-upper-case" by "two-factor/hex-case": "The id of a pending session is written in upper case."
        => steps |s| s.auth.login.pending_id = |_| session::new_token(None).to_uppercase();
    "devices-told-as-list" by "two-factor/status-devices": "dispositivosConfiables is a list."
        => around |held, request, answer| list_devices(held, request, answer);
    "disable-again-is-200" by "two-factor/disable-again": "Disabling what is disabled answers 200."
        => reply |request, reply| if request.is("POST", "/2fa/disable") && reply.refuses_with(NOT_ENABLED) { answer_disabled(reply) };
    "enable-again-keeps-last-use" by "two-factor/enable-again-last-use": "Enabling again keeps ultimoUso."
        => steps |s| s.two_factor.enabled = |earlier, fresh| TwoFactor { last_used: earlier.and_then(|record| record.last_used), ..fresh };
    "qr-at-sign-literal" by "two-factor/qr-encoding": "The at sign in qrUrl is left as it is."
        => reply |request, reply| if request.is("POST", "/2fa/enable") { reply.edit(spell_at_sign) };
    "qr-user-as-path-segment" by "two-factor/qr-encoding": "The e-mail in qrUrl is encoded as a segment of a path: `&`, `=`, `+` and the at sign are left as they are."
        => reply |request, reply| if request.is("POST", "/2fa/enable") { reply.edit(spell_path_segment) };
    "qr-plus-for-space" by "two-factor/qr-encoding": "A space in qrUrl is a plus sign."
        => reply |request, reply| if request.is("POST", "/2fa/enable") { reply.edit(spell_space) };
    "qr-in-lower-case" by "two-factor/qr-encoding": "Percent sequences in qrUrl have lower-case digits."
        => reply |request, reply| if request.is("POST", "/2fa/enable") { reply.edit(lower_sequences) };
    "secrets-in-upper-case" by "two-factor/hex-case": "The secret is written in upper case."
        => reply |request, reply| if request.is("POST", "/2fa/enable") && reply.status == 200 { reply.edit(raise_secret) };
    "since-null-when-disabled" by "two-factor/status-disabled": "habilitadoDesde is null after disabling."
        => reply |request, reply| if request.is("GET", "/2fa/status") { reply.edit(null_since_when_disabled) };
    "two-factor-credential-first" by "two-factor/unknown-path-credential": "Under /2fa/ the credential is looked at before the path."
        => around |held, request, answer| {
            let reply = answer(held, request);
            let refusal = if of_two_factor(request) && reply.status == 404 { refusal(held, request, answer) } else { None };
            refusal.unwrap_or(reply)
        };
    "two-factor-wrong-method-is-405" by "two-factor/wrong-method": "A known /2fa path answers 405 to another method."
        => reply |request, reply| if reply.status == 404 && is_known_path(&request.path) { reply.status = 405 };
    "two-factor-wrong-method-is-400" by "two-factor/wrong-method": "A known /2fa path answers 400 to another method."
        => reply |request, reply| if reply.status == 404 && is_known_path(&request.path) { reply.status = 400 };
    "missing-token-not-counted" by "verification/missing-token-counts": "A missing token does not count as a failed attempt."
        => after |held, request, reply| if is_wrong(request, reply, |token| token.is_none()) { uncount(held, request) };
    "trust-device-must-be-boolean" by "verification/trust-other-type": "A trustDevice that is not a boolean is refused."
        => request |request| if request.is("POST", "/auth/verify-2fa") && !matches!(request.json_body()["trustDevice"], Value::Null | Value::Bool(_)) { request.body = b"{".to_vec() };
    "trust-device-true-only" by "verification/trust-other-type": "Only true trusts the device."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(|sent| sent["trustDevice"] = json!(sent["trustDevice"] == true)) };
};

fn spell_token(sent: &mut Value) {
    if let Value::Number(number) = &sent["token"] {
        sent["token"] = json!(format!("{:0>6}", number.to_string()));
    }
}

/// Changes each listed device that has no User-Agent.
fn each_without_user_agent(body: &mut Value, change: fn(&mut Value)) {
    let devices = body.get_mut("dispositivos").and_then(Value::as_array_mut).into_iter().flatten();
    devices.filter(|device| device["userAgent"] == "").for_each(change);
}

fn lower_sequences(body: &mut Value) {
    if let Some(url) = body["qrUrl"].as_str() {
        let (first, rest) = url.split_once('%').unwrap_or((url, ""));
        let lower = |part: &str| format!("%{}{}", part[..2].to_lowercase(), &part[2..]);
        let rest: String = if rest.is_empty() { String::new() } else { rest.split('%').map(lower).collect() };
        body["qrUrl"] = json!(format!("{first}{rest}"));
    }
}

fn forwarded_for(request: &Request) -> Option<IpAddr> {
    request.header("x-forwarded-for")?.parse().ok()
}

fn answer_disabled(reply: &mut Reply) {
    reply.status = 200;
    reply.edit(|body| *body = json!({"mensaje": "Two-factor authentication is disabled"}));
}

fn raise_secret(body: &mut Value) {
    let (secret, url) = (body["secret"].as_str().unwrap_or_default(), body["qrUrl"].as_str().unwrap_or_default());
    let raised = secret.to_uppercase();
    let url = url.replace(&format!("secret={secret}"), &format!("secret={raised}"));
    (body["secret"], body["qrUrl"]) = (json!(raised), json!(url));
}

fn spell_at_sign(body: &mut Value) {
    if let Some(url) = body["qrUrl"].as_str() {
        body["qrUrl"] = json!(url.replace("%40", "@"));
    }
}

fn spell_path_segment(body: &mut Value) {
    if let Some((label, query)) = body["qrUrl"].as_str().and_then(|url| url.split_once('?')) {
        let signs = [("%26", "&"), ("%3D", "="), ("%2B", "+"), ("%40", "@")];
        let label = signs.iter().fold(label.to_owned(), |label, (code, sign)| label.replace(code, sign));
        body["qrUrl"] = json!(format!("{label}?{query}"));
    }
}

fn spell_space(body: &mut Value) {
    if let Some(url) = body["qrUrl"].as_str() {
        body["qrUrl"] = json!(url.replace("%20", "+"));
    }
}

fn null_since_when_disabled(body: &mut Value) {
    if body["habilitado"] == false && body.get("habilitadoDesde").is_some() {
        body["habilitadoDesde"] = Value::Null;
    }
}

fn is_known_path(path: &str) -> bool {
    let names = ["enable", "disable", "status", "regenerate-backup-codes", "trusted-devices"];
    path.strip_prefix("/2fa/").is_some_and(|name| names.contains(&name))
}

/// Whether a token has neither the length of a code nor that of a backup code.
fn is_odd(token: Option<&str>) -> bool {
    token.is_some_and(|token| !matches!(token.len(), 6 | 10))
}

/// Takes a code that was accepted before for one that has no form of a code.
fn refuse_replayed(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let email = pending(held, request).map(|pending| pending.email.clone()).unwrap_or_default();
    let token = token_of(request).unwrap_or_default();
    let mut seen = request.clone();
    if held.past.has(&email, &token) {
        seen.edit(|sent| sent["token"] = json!("******"));
    }
    let reply = answer(held, &seen);
    if reply.json_body()["metodo2FA"] == "totp" {
        // The code that was accepted last, not all of them.
        held.past.notes.retain(|(name, _)| *name != email);
        held.past.note(&email, &token);
    }
    reply
}

fn take_own_device(held: &mut Held, request: &Request) {
    if let Some(pending) = pending(held, request) {
        pending.device = device::id(&devices::traits(request));
        pending.user_agent = devices::user_agent(request);
    }
}

fn remove_devices(held: &mut Held, request: &Request) {
    let email = email_of(held, request).unwrap_or_default();
    held.devices.retain(|device| device.email != email);
}

fn refresh_device(held: &mut Held, request: &Request) {
    let (email, id) = (request.json_body()["email"].clone(), device::id(&devices::traits(request)));
    let is_it = |known: &&mut Device| email == known.email.as_str() && known.id == id;
    let trusted =
        held.devices.iter_mut().filter(is_it).filter(|known| device::is_trusted(known, &known.email, request.now));
    trusted.for_each(|device| device.last_used = request.now);
}

fn refuse_unknown_device(held: &mut Held, request: &Request, answer: &Answer<'_>, status: u16) -> Reply {
    let email = email_of(held, request).unwrap_or_default();
    let id = request.path.strip_prefix("/2fa/trusted-devices/").map(|id| percent_decode(id).0);
    let is_known = held.devices.iter().any(|device| device.email == email && Some(&device.id) == id.as_ref());
    let mut reply = answer(held, request);
    if request.method == "DELETE" && id.is_some() && !is_known && reply.status == 200 {
        refuse(&mut reply, status, "There is no such device");
    }
    reply
}

fn forget_old_failures(held: &mut Held, request: &Request) {
    let Some(email) = pending(held, request).map(|pending| pending.email.clone()) else { return };
    held.attempts.retain(|attempt| attempt.owner != email || request.now - attempt.at <= 60 * MINUTE_MS);
}

/// Counts a check for its e-mail and its pending login.
fn count(held: &mut Held, request: &Request) {
    let Some(pending) = pending(held, request) else { return };
    pending.failures += 1;
    let email = pending.email.clone();
    held.remember(&email, request.now, false);
}

fn verify_disabled(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let email = pending(held, request).map(|pending| pending.email.clone()).unwrap_or_default();
    let reply = answer(held, request);
    if !reply.refuses_with(NOT_ENABLED) {
        return reply;
    }
    let Some(record) = held.user_mut(&email).and_then(|user| user.two_factor.as_mut()) else { return reply };
    record.enabled = true;
    let reply = answer(held, request);
    let record = held.user_mut(&email).and_then(|user| user.two_factor.as_mut());
    record.into_iter().for_each(|record| record.enabled = false);
    reply
}

fn list_devices(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut reply = answer(held, request);
    if request.is("GET", "/2fa/status") && reply.json_body()["dispositivosConfiables"].is_number() {
        let list = answer(held, &Request { path: "/2fa/trusted-devices".to_owned(), ..request.clone() });
        let mut devices = list.json_body()["dispositivos"].clone();
        devices.as_array_mut().into_iter().flatten().for_each(|device| *device = device["deviceId"].take());
        reply.edit(|body| body["dispositivosConfiables"] = devices);
    }
    reply
}
