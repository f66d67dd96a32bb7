//! Permitted readings other than the reference's: the second factor: codes, backup codes, lockout, devices, pending logins.

use std::net::IpAddr;

use serde_json::{Value, json};

use super::Reading;
use crate::impostor::effect::catalogue::refuse;
use crate::impostor::http::{Reply, Request};
use crate::impostor::model::accounts::session;
use crate::impostor::model::records::TwoFactor;
use crate::impostor::model::refusals::{DEVICE_ID_UNREADABLE, NOT_ENABLED};
use crate::impostor::policy::two_factor::Counted;

pub(crate) const READINGS: &[Reading] = readings! {
    "codes-not-replayed" by "codes/replay": "A time-based code is accepted once."
        => policy |p| p.two_factor.codes.accepted_again = false;
    "odd-tokens-spare-the-lockout" by "codes/other-forms-count": "A token of no known form counts for its session alone."
        => policy |p| p.two_factor.lockout.odd_token = Counted::InItsLogin;
    "odd-tokens-uncounted" by "codes/other-forms-count": "A token of no known form counts for nothing."
        => policy |p| p.two_factor.lockout.odd_token = Counted::Nowhere;
    "tokens-spelled-freely" by "codes/token-spelling": "A code may be a number."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(spell_token) };
    "absent-user-agent-is-null" by "devices/absent-headers": "An absent User-Agent is recorded as null."
        => reply |request, reply| if request.is("GET", "/2fa/trusted-devices") { reply.edit(null_empty_user_agents) };
    "absent-user-agent-is-named" by "devices/absent-headers": "An absent User-Agent is recorded as unknown."
        => reply |request, reply| if request.is("GET", "/2fa/trusted-devices") { reply.edit(name_empty_user_agents) };
    "absent-user-agent-left-out" by "devices/absent-headers": "Without a User-Agent the key userAgent is left out."
        => reply |request, reply| if request.is("GET", "/2fa/trusted-devices") { reply.edit(drop_empty_user_agents) };
    "absent-user-agent-refused" by "devices/absent-headers": "A login without a User-Agent is refused."
        => reply |request, reply| if request.is("POST", "/auth/login") && request.header("user-agent").is_none() { refuse(reply, 400, "a User-Agent is required") };
    "device-of-the-verification" by "devices/device-of-login": "The device registered is that of the verification."
        => policy |p| p.two_factor.verification.registers_its_own_device = true;
    "disable-removes-devices" by "devices/disable-keeps": "Disabling removes the trusted devices."
        => policy |p| p.two_factor.management.disable_removes_devices = true;
    "expired-devices-dropped" by "devices/expired-listed": "Devices past their 30 days are not listed."
        => policy |p| p.two_factor.devices.expired_listed = false;
    "forwarded-for-honoured" by "devices/forwarded-for": "X-Forwarded-For is the peer address."
        => request |request| request.peer = forwarded_for(request).unwrap_or(request.peer);
    "odd-device-id-is-404" by "devices/remove-odd-id": "A deviceId that cannot be decoded answers 404."
        => reply |_request, reply| if reply.refuses_with(DEVICE_ID_UNREADABLE) { reply.status = 404 };
    "trusted-login-refreshes-device" by "devices/login-keeps-last-used": "A login that skipped the second factor refreshes the device."
        => policy |p| p.two_factor.devices.login_refreshes = true;
    "unknown-device-refused" by "devices/remove-unknown": "Removing an unknown device answers 404."
        => policy |p| p.two_factor.devices.unknown_status = Some(404);
    "unknown-device-is-400" by "devices/remove-unknown": "Removing an unknown device answers 400."
        => policy |p| p.two_factor.devices.unknown_status = Some(400);
    "remove-without-id-is-400" by "devices/remove-without-id": "Removing a device without naming it answers 400."
        => reply |request, reply| if request.method == "DELETE" && request.path.trim_end_matches('/') == "/2fa/trusted-devices" && reply.status == 404 { reply.status = 400 };
    "remove-without-id-is-405" by "devices/remove-without-id": "Removing a device without naming it answers 405."
        => reply |request, reply| if request.method == "DELETE" && request.path.trim_end_matches('/') == "/2fa/trusted-devices" && reply.status == 404 { reply.status = 405 };
    "failures-counted-at-every-check" by "lockout/oldest-leaves": "A block is over when fewer than three failures are an hour old at most."
        => policy |p| p.two_factor.lockout.over_when_failures_leave = true;
    "refused-checks-prolong-the-block" by "lockout/refused-not-counted": "A check refused by the block counts as a failure."
        => policy |p| p.two_factor.lockout.refused_check_counts = true;
    "pending-outlives-disable" by "pending/disabled-meanwhile": "A pending session is completed although two-factor was disabled meanwhile."
        => policy |p| p.two_factor.pending.outlives_disabling = true;
    "pending-ids-in-upper-case" by "two-factor/hex-case": "The id of a pending session is written in upper case."
        => policy |p| p.auth.login.pending_id = |_| session::new_token(None).to_uppercase();
    "devices-told-as-list" by "two-factor/status-devices": "dispositivosConfiables is a list."
        => policy |p| p.two_factor.management.told_devices = |ids| json!(ids);
    "disable-again-is-200" by "two-factor/disable-again": "Disabling what is disabled answers 200."
        => reply |request, reply| if request.is("POST", "/2fa/disable") && reply.refuses_with(NOT_ENABLED) { answer_disabled(reply) };
    "enable-again-keeps-last-use" by "two-factor/enable-again-last-use": "Enabling again keeps ultimoUso."
        => policy |p| p.two_factor.management.enabled = |earlier, fresh| TwoFactor { last_used: earlier.and_then(|record| record.last_used), ..fresh };
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
        => policy |p| p.two_factor.management.credential_before_path = true;
    "two-factor-wrong-method-is-405" by "two-factor/wrong-method": "A known /2fa path answers 405 to another method."
        => reply |request, reply| if reply.status == 404 && is_known_path(&request.path) { reply.status = 405 };
    "two-factor-wrong-method-is-400" by "two-factor/wrong-method": "A known /2fa path answers 400 to another method."
        => reply |request, reply| if reply.status == 404 && is_known_path(&request.path) { reply.status = 400 };
    "missing-token-not-counted" by "verification/missing-token-counts": "A missing token does not count as a failed attempt."
        => policy |p| p.two_factor.lockout.missing_token = Counted::Nowhere;
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

fn null_empty_user_agents(body: &mut Value) {
    for device in body.get_mut("dispositivos").and_then(Value::as_array_mut).into_iter().flatten() {
        if device["userAgent"] == "" {
            device["userAgent"] = Value::Null;
        }
    }
}

fn name_empty_user_agents(body: &mut Value) {
    for device in body.get_mut("dispositivos").and_then(Value::as_array_mut).into_iter().flatten() {
        if device["userAgent"] == "" {
            device["userAgent"] = json!("unknown");
        }
    }
}

fn lower_sequences(body: &mut Value) {
    if let Some(url) = body["qrUrl"].as_str() {
        let (first, rest) = url.split_once('%').unwrap_or((url, ""));
        let lower = |part: &str| format!("%{}{}", part[..2].to_lowercase(), &part[2..]);
        let rest: String = if rest.is_empty() { String::new() } else { rest.split('%').map(lower).collect() };
        body["qrUrl"] = json!(format!("{first}{rest}"));
    }
}

fn drop_empty_user_agents(body: &mut Value) {
    for device in body.get_mut("dispositivos").and_then(Value::as_array_mut).into_iter().flatten() {
        if device["userAgent"] == ""
            && let Some(device) = device.as_object_mut()
        {
            device.shift_remove("userAgent");
        }
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
