//! Variations of the chapter two-factor.

use libros_conformance_model::accounts::session;
use libros_conformance_model::clock::iso;
use libros_conformance_model::records::TwoFactor;
use libros_conformance_model::refusals::{NO_USER, NOT_CONFIGURED, NOT_ENABLED};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "two-factor-without-credential-is-400" breaks "two-factor/credential-required": "A /2fa route without a credential answers 400."
        => reply |request, reply| if request.path.starts_with("/2fa/") && reply.is_denied_as("NO_AUTENTICADO") && request.header("authorization").is_none() { reply.refuse(400) };
    "disable-takes-any-bearer" breaks "two-factor/credential-required": "Disabling two-factor with an unknown session token answers 400."
        => reply |request, reply| if request.is("POST", "/2fa/disable") && reply.is_denied_as("TOKEN_INVALIDO") { reply.refuse(400) };
    "two-factor-api-key-is-401" breaks "two-factor/api-key-refused": "A /2fa route with an API key answers 401."
        => reply |request, reply| if reply.refuses_with(NO_USER) { deny_key(request, reply) };
    "api-key-acts-for-first-user" breaks "two-factor/api-key-refused": "An API key on a /2fa route acts for the first user."
        => around |state, request, answer| {
            let reply = answer(state, request);
            let email = state.users[0].email.clone();
            if reply.refuses_with(NO_USER) { as_user(state, &email, request, answer) } else { reply }
        };
    "enable-answers-habilitado" breaks "two-factor/enable-shape": "The answer to enabling two-factor has habilitado."
        => reply |request, reply| edit_answer(request, reply, "/2fa/enable", |body| body["habilitado"] = json!(true));
    "enable-is-201" breaks "two-factor/enable-shape": "Enabling two-factor answers 201."
        => reply |request, reply| if request.is("POST", "/2fa/enable") && reply.status == 200 { reply.status = 201 };
    "enable-checks-password" breaks "two-factor/enable-password-unchecked": "Enabling two-factor checks the password."
        => steps |s| s.two_factor.checks_password = |_| true;
    "enable-waits-for-a-code" breaks "two-factor/enable-takes-effect": "Enabling two-factor takes effect only after a code was sent."
        => steps |s| s.two_factor.enabled = |_, fresh| TwoFactor { enabled: false, ..fresh };
    "enable-again-refused" breaks "two-factor/enable-again": "Enabling two-factor a second time answers 400."
        => around |state, request, answer| {
            let is_again = request.is("POST", "/2fa/enable") && record(state, request).is_some_and(|record| record.enabled);
            let mut reply = if is_again { answer(state, &Request { body: Vec::new(), ..request.clone() }) } else { answer(state, request) };
            if is_again && reply.status == 400 {
                refuse(&mut reply, 400, "Two-factor is already enabled");
            }
            reply
        };
    "enable-again-keeps-secret" breaks "two-factor/enable-again": "Enabling two-factor a second time keeps the secret."
        => steps |s| s.two_factor.enabled = |earlier, fresh| TwoFactor { secret: earlier.map_or(fresh.secret, |record| record.secret), ..fresh };
    "enable-again-keeps-codes" breaks "two-factor/enable-again": "Enabling two-factor a second time keeps the earlier backup codes."
        => steps |s| s.two_factor.enabled = |earlier, fresh| TwoFactor { codes: earlier.into_iter().flat_map(|record| record.codes).chain(fresh.codes).collect(), ..fresh };
    "secret-of-16-bytes" breaks "two-factor/secret-form": "The secret of two-factor has 32 digits."
        => steps |s| s.two_factor.secret = || secrets::random_hex(16);
    "qr-colon-encoded" breaks "two-factor/qr-shape": "The colon in the label of qrUrl is percent-encoded."
        => reply |request, reply| qr_url(request, reply, |url| url.replacen("totp/LibraryCatalogueService:", "totp/LibraryCatalogueService%3A", 1));
    "qr-lacks-period" breaks "two-factor/qr-shape": "qrUrl lacks the period."
        => reply |request, reply| qr_url(request, reply, |url| url.replace("&period=30", ""));
    "qr-says-sha256" breaks "two-factor/qr-shape": "qrUrl names SHA256."
        => reply |request, reply| qr_url(request, reply, |url| url.replace("algorithm=SHA1", "algorithm=SHA256"));
    "qr-email-not-encoded" breaks "two-factor/qr-encoding": "The e-mail in qrUrl is not encoded."
        => reply |request, reply| qr_url(request, reply, label_decoded);
    "qr-secret-in-upper-case" breaks "two-factor/qr-secret": "The secret in qrUrl is in upper case."
        => reply |request, reply| qr_url(request, reply, secret_in_upper_case);
    "qr-issuer-of-its-own" breaks "two-factor/qr-issuer-is-realm": "The issuer in qrUrl is not the realm."
        => reply |request, reply| qr_url(request, reply, |url| url.replace("LibraryCatalogueService", "Biblioteca"));
    "disable-answers-habilitado" breaks "two-factor/disable-shape": "The answer to disabling two-factor has habilitado."
        => reply |request, reply| edit_answer(request, reply, "/2fa/disable", |body| body["habilitado"] = json!(false));
    "disable-mensaje-empty" breaks "two-factor/disable-shape": "mensaje of the answer to disabling two-factor is empty."
        => reply |request, reply| edit_answer(request, reply, "/2fa/disable", |body| body["mensaje"] = json!(""));
    "disable-checks-no-password" breaks "two-factor/disable-wrong-password": "Disabling two-factor checks no password."
        => steps |s| s.two_factor.checks_password = |path| path == "/2fa/regenerate-backup-codes";
    "disable-does-nothing" breaks "two-factor/disable-takes-effect": "Disabling two-factor leaves it enabled."
        => steps |s| s.two_factor.disabled = Some;
    "disable-forgets-the-record" breaks "two-factor/status-disabled": "Disabling two-factor deletes its record: the status is that of a user who never configured it."
        => steps |s| s.two_factor.disabled = |_| None;
    "disable-unconfigured-is-200" breaks "two-factor/disable-unconfigured": "Disabling two-factor that was never configured answers 200."
        => reply |request, reply| if request.path == "/2fa/disable" && reply.refuses_with(NOT_CONFIGURED) { answer_disabled(reply) };
    "enable-ends-sessions" breaks "two-factor/sessions-survive": "Enabling two-factor ends the sessions of the user."
        => after |state, request, reply| if request.is("POST", "/2fa/enable") && reply.status == 200 { end_sessions(state, request) };
    "disable-ends-sessions" breaks "two-factor/sessions-survive": "Disabling two-factor ends the sessions of the user."
        => after |state, request, reply| if request.is("POST", "/2fa/disable") && reply.status == 200 { end_sessions(state, request) };
    "status-unconfigured-has-devices" breaks "two-factor/status-unconfigured": "The status of a user who never configured two-factor has dispositivosConfiables."
        => reply |request, reply| edit_unconfigured(request, reply, 200, |body| body["dispositivosConfiables"] = json!(0));
    "status-unconfigured-is-400" breaks "two-factor/status-unconfigured": "The status of a user who never configured two-factor answers 400."
        => reply |request, reply| edit_unconfigured(request, reply, 400, |body| *body = json!({"error": NOT_CONFIGURED}));
    "status-shows-secret" breaks "two-factor/status-shape": "The status of two-factor shows the secret."
        => reply |request, reply| edit_configured(request, reply, |body| body["secret"] = json!(secrets::random_hex(20)));
    "status-omits-null-last-use" breaks "two-factor/status-shape": "The status of two-factor lacks ultimoUso while it is null."
        => reply |request, reply| edit_configured(request, reply, |body| if body["ultimoUso"].is_null() { drop_key(body, "ultimoUso") });
    "status-never-habilitado" breaks "two-factor/status-enabled": "habilitado in the status of two-factor is always false."
        => reply |request, reply| edit_configured(request, reply, |body| body["habilitado"] = json!(false));
    "status-since-a-number" breaks "two-factor/status-enabled-since": "habilitadoDesde in the status of two-factor is a number."
        => reply |request, reply| edit_configured(request, reply, |body| body["habilitadoDesde"] = json!(milliseconds(&body["habilitadoDesde"])));
    "status-since-is-now" breaks "two-factor/status-enabled-since": "habilitadoDesde in the status of two-factor is the time of the answer."
        => reply |request, reply| edit_configured(request, reply, |body| body["habilitadoDesde"] = json!(iso(request.now)));
    "status-last-use-never-set" breaks "two-factor/status-last-use": "ultimoUso in the status of two-factor stays null."
        => reply |request, reply| edit_configured(request, reply, |body| body["ultimoUso"] = Value::Null);
    "backup-code-leaves-last-use" breaks "two-factor/status-last-use": "A verification with a backup code leaves ultimoUso as it was."
        => around |state, request, answer| {
            let email = pending_email(state, request).unwrap_or_default();
            let earlier = second_factor(state, &email).and_then(|record| record.last_used);
            let reply = answer(state, request);
            if reply.json_body()["metodo2FA"] == "backup" && let Some(record) = second_factor(state, &email) { record.last_used = earlier }
            reply
        };
    "status-counts-used-codes-too" breaks "two-factor/status-codes-available": "backupCodesDisponibles counts used codes too."
        => reply |request, reply| edit_configured(request, reply, |body| body["backupCodesDisponibles"] = body["totalBackupCodes"].clone());
    "status-total-without-used" breaks "two-factor/status-codes-total": "totalBackupCodes counts unused codes only."
        => reply |request, reply| edit_configured(request, reply, |body| body["totalBackupCodes"] = body["backupCodesDisponibles"].clone());
    "status-methods-follow-codes" breaks "two-factor/status-methods-constant": "metodosDisponibles in status lacks backup_codes once all are used."
        => reply |request, reply| edit_configured(request, reply, |body| if body["backupCodesDisponibles"] == 0 { body["metodosDisponibles"] = json!(["authenticator"]) });
    "status-methods-empty-when-disabled" breaks "two-factor/status-methods-constant": "metodosDisponibles in the status is empty after two-factor was disabled."
        => reply |request, reply| edit_configured(request, reply, |body| if body["habilitado"] == false { body["metodosDisponibles"] = json!([]) });
    "regenerate-answers-total" breaks "two-factor/regenerate-shape": "The answer to regenerating backup codes has a total."
        => reply |request, reply| edit_answer(request, reply, "/2fa/regenerate-backup-codes", |body| body["total"] = json!(8));
    "regenerate-renews-secret" breaks "two-factor/regenerate-keeps-secret": "Regenerating backup codes makes a new secret and does not show it."
        => steps |s| s.two_factor.regenerated = |record, codes, _| TwoFactor { secret: secrets::random_hex(20), codes, ..record };
    "regenerate-disables" breaks "two-factor/regenerate-keeps-secret": "Regenerating backup codes disables two-factor."
        => steps |s| s.two_factor.regenerated = |record, codes, _| TwoFactor { enabled: false, codes, ..record };
    "regenerate-enables-anew" breaks "two-factor/regenerate-keeps-secret": "Regenerating backup codes sets habilitadoDesde to now."
        => steps |s| s.two_factor.regenerated = |record, codes, now| TwoFactor { enabled_at: now + 1, codes, ..record };
    "regenerate-checks-no-password" breaks "two-factor/regenerate-wrong-password": "Regenerating backup codes checks no password."
        => steps |s| s.two_factor.checks_password = |path| path == "/2fa/disable";
    "regenerate-when-disabled" breaks "two-factor/regenerate-not-enabled": "Regenerating backup codes works while two-factor is disabled."
        => around |state, request, answer| {
            let reply = answer(state, request);
            let is_refused = request.is("POST", "/2fa/regenerate-backup-codes") && reply.refuses_with(NOT_ENABLED);
            let Some(disabled) = record(state, request).filter(|_| is_refused) else { return reply };
            disabled.enabled = true;
            let reply = answer(state, request);
            record(state, request).into_iter().for_each(|record| record.enabled = false);
            reply
        };
    "two-factor-unknown-path-is-400" breaks "two-factor/unknown-path": "An unknown /2fa path answers 400."
        => reply |request, reply| if request.path.starts_with("/2fa/") && reply.status == 404 { reply.status = 400 };
    "two-factor-of-whom-the-body-names" breaks "two-factor/own-user": "A management route acts on the user whose e-mail is in the body."
        => around |state, request, answer| act_on_body_email(state, request, answer, "/2fa/");
    "regenerate-acts-on-body-email" breaks "two-factor/own-user": "Regenerating backup codes acts on the user whose e-mail is in the body."
        => around |state, request, answer| act_on_body_email(state, request, answer, "/2fa/regenerate-backup-codes");
    "enabling-again-stays-disabled" breaks "two-factor/enable-takes-effect": "Enabling two-factor after disabling answers as documented and leaves it disabled."
        => steps |s| s.two_factor.enabled = |earlier, fresh| TwoFactor { enabled: earlier.is_none_or(|earlier| earlier.enabled), ..fresh };
    "qr-user-not-encoded" breaks "two-factor/qr-shape": "The e-mail in qrUrl is not encoded."
        => reply |request, reply| qr_url(request, reply, label_decoded);
    "enabling-counts-as-use" breaks "two-factor/status-last-use": "ultimoUso is the time of enabling until the first success."
        => steps |s| s.two_factor.enabled = |_, fresh| TwoFactor { last_used: Some(fresh.enabled_at), ..fresh };
    "regenerate-forgets-last-use" breaks "two-factor/status-last-use": "Regenerating backup codes sets ultimoUso back to null."
        => steps |s| s.two_factor.regenerated = |record, codes, _| TwoFactor { last_used: None, codes, ..record };
    "regenerating-ends-pending" breaks "two-factor/regenerate-keeps-secret": "Regenerating the backup codes ends the pending sessions of the user."
        => after |state, request, reply| managed(state, request, reply, "/2fa/regenerate-backup-codes").into_iter().for_each(|email| state.pending.retain(|pending| pending.email != email));
    "regenerate-not-enabled-is-empty" breaks "two-factor/regenerate-not-enabled": "Regenerating backup codes without two-factor answers 200 and no codes."
        => reply |request, reply| if request.is("POST", "/2fa/regenerate-backup-codes") && reply.json_body()["error"] == NOT_ENABLED { answer_as(reply, 200, &json!({"backupCodes": [], "mensaje": "These are the new backup codes"})) };
    "status-times-without-fraction" breaks "two-factor/time-form": "habilitadoDesde and ultimoUso have no fraction of a second."
        => reply |request, reply| if request.is("GET", "/2fa/status") { reply.edit(|body| respell_times(body, |time| format!("{}Z", &time[..19]))) };
    "two-factor-times-with-microseconds" breaks "two-factor/time-form": "Times of two-factor and of devices have six decimals and an offset."
        => reply |request, reply| if request.path.starts_with("/2fa/") { reply.edit(|body| respell_times(body, |time| format!("{}000+00:00", &time[..23]))) };
    "pending-ids-in-upper-case" by "two-factor/hex-case": "sessionId of a pending session is written in upper case."
        => steps |s| s.auth.login.pending_id = |_| session::new_token(None).to_uppercase();
    "devices-told-as-list" by "two-factor/status-devices": "dispositivosConfiables in the status is a list."
        => around |state, request, answer| {
            let mut reply = answer(state, request);
            if request.is("GET", "/2fa/status") && reply.json_body()["dispositivosConfiables"].is_number() {
                let list = answer(state, &Request { path: "/2fa/trusted-devices".to_owned(), ..request.clone() });
                let mut devices = list.json_body()["dispositivos"].take();
                each_item(&mut devices, |device| *device = device["deviceId"].take());
                reply.edit(|body| body["dispositivosConfiables"] = devices);
            }
            reply
        };
    "disable-again-is-200" by "two-factor/disable-again": "Disabling two-factor that is already disabled answers 200."
        => reply |request, reply| if request.is("POST", "/2fa/disable") && reply.refuses_with(NOT_ENABLED) { answer_disabled(reply) };
    "enable-again-keeps-last-use" by "two-factor/enable-again-last-use": "Enabling two-factor again keeps ultimoUso."
        => steps |s| s.two_factor.enabled = |earlier, fresh| TwoFactor { last_used: earlier.and_then(|known| known.last_used), ..fresh };
    "qr-at-sign-literal" by "two-factor/qr-encoding": "The at sign in qrUrl is not encoded."
        => reply |request, reply| qr_url(request, reply, |url| url.replace("%40", "@"));
    "qr-user-as-path-segment" by "two-factor/qr-encoding": "The e-mail in qrUrl is encoded as a path segment: `&`, `=`, `+` and the at sign are not encoded."
        => reply |request, reply| qr_url(request, reply, spell_path_segment);
    "qr-plus-for-space" by "two-factor/qr-encoding": "A space in qrUrl is a plus sign."
        => reply |request, reply| qr_url(request, reply, |url| url.replace("%20", "+"));
    "qr-in-lower-case" by "two-factor/qr-encoding": "Percent-encoding in qrUrl has lower-case digits."
        => reply |request, reply| qr_url(request, reply, lower_sequences);
    "secrets-in-upper-case" by "two-factor/hex-case": "The secret of two-factor is written in upper case."
        => reply |request, reply| edit_answer(request, reply, "/2fa/enable", raise_secret);
    "since-null-when-disabled" by "two-factor/status-disabled": "habilitadoDesde is null after two-factor was disabled."
        => reply |request, reply| edit_configured(request, reply, |body| if body["habilitado"] == false { body["habilitadoDesde"] = Value::Null });
    "two-factor-credential-first" by "two-factor/unknown-path-credential": "Unknown paths under /2fa/ are refused for their credential before they are 404."
        => around |state, request, answer| {
            let reply = answer(state, request);
            let refusal = if of_two_factor(request) && reply.status == 404 { refusal(state, request, answer) } else { None };
            refusal.unwrap_or(reply)
        };
    "two-factor-wrong-method-is-405" by "two-factor/wrong-method": "A known /2fa path with another method answers 405."
        => reply |request, reply| if reply.status == 404 && of_two_factor(request) && is_route(&request.path) { reply.status = 405 };
    "two-factor-wrong-method-is-400" by "two-factor/wrong-method": "A known /2fa path with another method answers 400."
        => reply |request, reply| if reply.status == 404 && of_two_factor(request) && is_route(&request.path) { reply.status = 400 };
};

fn edit_answer(request: &Request, reply: &mut Reply, path: &str, change: impl FnOnce(&mut Value)) {
    edit_success(request, reply, ["POST", path], change);
}

fn answer_disabled(reply: &mut Reply) {
    answer_as(reply, 200, &json!({"mensaje": "Two-factor authentication is disabled"}));
}

fn edit_configured(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if request.is("GET", "/2fa/status") && reply.json_body()["totalBackupCodes"].is_number() {
        reply.edit(change);
    }
}

fn edit_unconfigured(request: &Request, reply: &mut Reply, status: u16, change: impl FnOnce(&mut Value)) {
    if request.is("GET", "/2fa/status") && reply.json_body() == json!({"habilitado": false}) {
        reply.status = status;
        reply.edit(change);
    }
}

fn qr_url(request: &Request, reply: &mut Reply, change: impl FnOnce(&str) -> String) {
    edit_answer(request, reply, "/2fa/enable", |body| edit_text(&mut body["qrUrl"], change));
}

fn label_decoded(url: &str) -> String {
    url.split_once('?').map_or_else(String::new, |(label, query)| format!("{}?{query}", percent_decode(label).0))
}

fn secret_in_upper_case(url: &str) -> String {
    let (before, rest) = url.split_once("secret=").unwrap_or_default();
    let (secret, after) = rest.split_at(rest.find('&').unwrap_or(rest.len()));
    format!("{before}secret={}{after}", secret.to_uppercase())
}

/// Spells the times of status and devices otherwise.
fn respell_times(body: &mut Value, respell: fn(&str) -> String) {
    const TIMES: [&str; 4] = ["habilitadoDesde", "ultimoUso", "firstUsed", "lastUsed"];
    each_member(body, &mut |name, value| {
        if TIMES.contains(&name) {
            edit_text(value, respell);
        }
    });
}

fn deny_key(request: &Request, reply: &mut Reply) {
    let timestamp = iso(request.now);
    reply.status = 401;
    reply.set("WWW-Authenticate", "Bearer realm=LibraryCatalogueService");
    reply.set("Content-Type", "application/json");
    reply.edit(|body| {
        *body = json!({"error": {"codigo": "API_KEY_INVALIDA", "mensaje": "An API key is not a user", "timestamp": timestamp}});
    });
}

/// The two-factor record of the user who sends the request.
fn record<'a>(state: &'a mut Shared, request: &Request) -> Option<&'a mut TwoFactor> {
    let email = email_of(state, request)?;
    second_factor(state, &email)
}

fn end_sessions(state: &mut Shared, request: &Request) {
    let email = email_of(state, request).unwrap_or_default();
    state.sessions.retain(|session| session.email != email);
}

fn act_on_body_email(state: &mut Shared, request: &Request, answer: &Answer<'_>, path: &str) -> Reply {
    let email = request.json_body()["email"].as_str().unwrap_or_default().to_owned();
    if !request.path.starts_with(path) || state.user(&email).is_none() {
        return answer(state, request);
    }
    let reply = answer(state, &Request { body: b"[]".to_vec(), ..request.clone() });
    if reply.status != 401 { as_user(state, &email, request, answer) } else { reply }
}

fn spell_path_segment(url: &str) -> String {
    let (label, query) = url.split_once('?').unwrap_or_default();
    let signs = [("%26", "&"), ("%3D", "="), ("%2B", "+"), ("%40", "@")];
    let label = signs.iter().fold(label.to_owned(), |label, (code, sign)| label.replace(code, sign));
    format!("{label}?{query}")
}

fn lower_sequences(url: &str) -> String {
    let lower = |part: &str| format!("%{}{}", part[..2].to_lowercase(), &part[2..]);
    let mut parts = url.split('%');
    parts.next().unwrap_or_default().to_owned() + &parts.map(lower).collect::<String>()
}

fn raise_secret(body: &mut Value) {
    edit_text(&mut body["secret"], str::to_uppercase);
    edit_text(&mut body["qrUrl"], secret_in_upper_case);
}
