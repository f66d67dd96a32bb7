//! Variations of the chapter verification.

use libros_conformance_model::accounts::{device, session};
use libros_conformance_model::records::Device;
use libros_conformance_model::refusals::{INVALID_CODE, PENDING_MISSING, PENDING_UNKNOWN};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "verification-answers-email" breaks "verification/shape": "The answer to a verification has the e-mail."
        => reply |request, reply| verified(request, reply, |body| body["email"] = json!("a@example.com"));
    "verification-lacks-verificado" breaks "verification/shape": "The answer to a verification lacks verificado."
        => reply |request, reply| verified(request, reply, |body| drop_key(body, "verificado"));
    "verification-expires-in-1800" breaks "verification/tokens-shape": "expiresIn in the answer to a verification is 1800."
        => reply |request, reply| verified(request, reply, |body| body["tokens"]["expiresIn"] = json!(1800));
    "verification-session-not-stored" breaks "verification/session-token": "The session token issued by a verification is unknown."
        => reply |request, reply| verified(request, reply, |body| body["tokens"]["sessionToken"] = json!(session::new_token(None)));
    "verification-that-trusts-stores-no-session" breaks "verification/session-token": "The session token of a verification that trusts the device is unknown."
        => reply |request, reply| if request.json_body()["trustDevice"] == true {
            verified(request, reply, |body| body["tokens"]["sessionToken"] = json!(session::new_token(None)));
        };
    "verification-jwt-cut-short" breaks "verification/jwt-token": "The JWT issued by a verification lacks its final segment."
        => reply |request, reply| verified(request, reply, |body| edit_text(&mut body["tokens"]["jwtToken"], |jwt| jwt.rsplit_once('.').unwrap_or_default().0.to_owned()));
    "method-says-authenticator" breaks "verification/method-totp": "metodo2FA says authenticator instead of totp."
        => reply |request, reply| verified(request, reply, |body| if body["metodo2FA"] == "totp" { body["metodo2FA"] = json!("authenticator") });
    "method-always-totp" breaks "verification/method-backup": "metodo2FA says totp after a backup code."
        => reply |request, reply| verified(request, reply, |body| body["metodo2FA"] = json!("totp"));
    "devices-trusted-by-default" breaks "verification/trust-default": "A verification without trustDevice registers the device."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(|sent| if sent["trustDevice"].is_null() { sent["trustDevice"] = json!(true) }) };
    "new-device-says-whether-unknown" breaks "verification/new-device-true" and "verification/new-device-false": "esDispositivoNuevo says whether the device was unknown."
        => around |state, request, answer| {
            let used = pending(state, request).map(|pending| pending.clone());
            let is_it = |known: &Device| {
                let used = used.as_ref().filter(|used| used.device == known.id);
                used.is_some_and(|used| device::is_trusted(known, &used.email, request.now))
            };
            let is_known = state.devices.iter().any(is_it);
            let mut reply = answer(state, request);
            verified(request, &mut reply, |body| body["esDispositivoNuevo"] = json!(!is_known));
            reply
        };
    "new-device-always-true" breaks "verification/new-device-false": "esDispositivoNuevo is always true."
        => reply |request, reply| verified(request, reply, |body| body["esDispositivoNuevo"] = json!(true));
    "missing-session-is-404" breaks "verification/missing-session": "A verification without sessionId answers 404."
        => reply |_request, reply| if reply.refuses_with(PENDING_MISSING) { reply.status = 404 };
    "unknown-pending-is-401" breaks "verification/unknown-session": "A verification with an unknown sessionId answers 401."
        => reply |_request, reply| if reply.refuses_with(PENDING_UNKNOWN) { reply.status = 401 };
    "missing-token-is-500" breaks "verification/missing-token": "A verification without token answers 500."
        => reply |request, reply| if reply.refuses_with(INVALID_CODE) && request.json_body()["token"].is_null() { reply.status = 500 };
    "invalid-code-is-401" breaks "verification/invalid-code": "A verification with a wrong code answers 401."
        => reply |_request, reply| if reply.refuses_with(INVALID_CODE) { reply.status = 401 };
    "verify-get-is-404" breaks "verification/non-post-405": "GET on the verification path answers 404."
        => reply |request, reply| if request.is("GET", "/auth/verify-2fa") { reply.status = 404 };
    "verify-put-verifies" breaks "verification/non-post-405": "PUT on the verification path is handled as POST."
        => request |request| if request.is("PUT", "/auth/verify-2fa") { request.method = "POST".to_owned() };
    "verified-session-lives-30-minutes" breaks "verification/session-life": "A session issued by a verification lives 30 minutes."
        => after |state, request, reply| set_life(state, request, reply, 30 * MINUTE_MS);
    "verified-session-lives-a-day" breaks "verification/session-life": "A session issued by a verification lives a day."
        => after |state, request, reply| set_life(state, request, reply, 24 * 60 * MINUTE_MS);
    "verified-session-dated-from-login" breaks "verification/session-life": "The hour of a session issued by a verification runs from the login."
        => around |state, request, answer| {
            let since = pending(state, request).map_or(request.now, |pending| pending.since);
            let reply = answer(state, request);
            set_life(state, request, &reply, since - request.now + 60 * MINUTE_MS);
            reply
        };
    "devices-trusted-where-told-anything" breaks "verification/trust-default": "A verification with trustDevice false registers the device."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(|sent| if sent.get("trustDevice").is_some() { sent["trustDevice"] = json!(true) }) };
    "new-device-says-whether-trusted" breaks "verification/new-device-true" and "verification/new-device-false": "esDispositivoNuevo is the value of trustDevice."
        => reply |request, reply| verified(request, reply, |body| body["esDispositivoNuevo"] = json!(js::truthy(&request.json_body()["trustDevice"])));
    "verify-head-is-404" breaks "verification/non-post-405": "HEAD on the verification path answers 404."
        => reply |request, reply| if request.is("HEAD", "/auth/verify-2fa") { reply.status = 404 };
    "malformed-before-405" by "verification/method-before-body" "books/method-before-body": "Malformed JSON on the verification path answers 400 to any method."
        => reply |request, reply| if from_builder(reply) && reply.status == 405 && !request.body.is_empty() && is_malformed(request) { reply.status = 400 };
    "missing-token-not-counted" by "verification/missing-token-counts": "A verification without token does not count as a failed attempt."
        => after |state, request, reply| if is_wrong(request, reply, |token| token.is_none()) { uncount(state, request) };
    "trust-device-must-be-boolean" by "verification/trust-other-type": "A verification whose trustDevice is not a boolean is refused."
        => request |request| if request.is("POST", "/auth/verify-2fa") && !matches!(request.json_body()["trustDevice"], Value::Null | Value::Bool(_)) { request.body = b"{".to_vec() };
    "trust-device-true-only" by "verification/trust-other-type": "Only a trustDevice of true registers the device."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(|sent| sent["trustDevice"] = json!(sent["trustDevice"] == true)) };
};

fn verified(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    edit_success(request, reply, ["POST", "/auth/verify-2fa"], change);
}

fn set_life(state: &mut Shared, request: &Request, reply: &Reply, life_ms: i64) {
    if request.path == "/auth/verify-2fa" && reply.status == 200 {
        state.sessions.last_mut().into_iter().for_each(|session| session.expires = request.now + life_ms);
    }
}
