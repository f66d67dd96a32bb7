//! Faults that break rules of the chapter verification.

use serde_json::{Value, json};

use super::Fault;
use crate::impostor::http::{Reply, Request, drop_key};
use crate::impostor::model::accounts::session;
use crate::impostor::model::clock::MINUTE_MS;
use crate::impostor::model::refusals::{INVALID_CODE, PENDING_MISSING, PENDING_UNKNOWN};

pub(crate) const FAULTS: &[Fault] = faults! {
    "verification-answers-email" breaks "verification/shape": "The answer to a verification has the e-mail."
        => reply |request, reply| verified(request, reply, |body| body["email"] = json!("a@example.com"));
    "verification-lacks-verificado" breaks "verification/shape": "The answer to a verification lacks verificado."
        => reply |request, reply| verified(request, reply, |body| drop_key(body, "verificado"));
    "verification-expires-in-1800" breaks "verification/tokens-shape": "expiresIn is 1800 after a verification."
        => reply |request, reply| verified(request, reply, |body| body["tokens"]["expiresIn"] = json!(1800));
    "verification-session-not-stored" breaks "verification/session-token": "The session token issued by a verification is unknown."
        => reply |request, reply| verified(request, reply, |body| body["tokens"]["sessionToken"] = json!(session::new_token(None)));
    "verification-jwt-cut-short" breaks "verification/jwt-token": "The JWT issued by a verification lacks its final segment."
        => reply |request, reply| verified(request, reply, cut_jwt_short);
    "method-says-authenticator" breaks "verification/method-totp": "metodo2FA says authenticator instead of totp."
        => reply |request, reply| verified(request, reply, |body| if body["metodo2FA"] == "totp" { body["metodo2FA"] = json!("authenticator") });
    "method-always-totp" breaks "verification/method-backup": "metodo2FA says totp after a backup code."
        => reply |request, reply| verified(request, reply, |body| body["metodo2FA"] = json!("totp"));
    "devices-trusted-by-default" breaks "verification/trust-default": "Without trustDevice the device is registered."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(trust_unless_told) };
    "new-device-says-whether-unknown" breaks "verification/new-device-true" and "verification/new-device-false": "esDispositivoNuevo says whether the device was unknown."
        => policy |p| p.two_factor.verification.new_device = |_, known| !known;
    "new-device-always-true" breaks "verification/new-device-false": "esDispositivoNuevo is always true."
        => policy |p| p.two_factor.verification.new_device = |_, _| true;
    "missing-session-is-404" breaks "verification/missing-session": "A verification without sessionId answers 404."
        => reply |_request, reply| if reply.refuses_with(PENDING_MISSING) { reply.status = 404 };
    "unknown-pending-is-401" breaks "verification/unknown-session": "An unknown sessionId answers 401."
        => reply |_request, reply| if reply.refuses_with(PENDING_UNKNOWN) { reply.status = 401 };
    "missing-token-is-500" breaks "verification/missing-token": "A verification without token answers 500."
        => reply |request, reply| if reply.refuses_with(INVALID_CODE) && request.json_body()["token"].is_null() { reply.status = 500 };
    "invalid-code-is-401" breaks "verification/invalid-code": "A wrong code answers 401."
        => reply |_request, reply| if reply.refuses_with(INVALID_CODE) { reply.status = 401 };
    "verify-get-is-404" breaks "verification/non-post-405": "GET on the verification path answers 404."
        => reply |request, reply| if request.is("GET", "/auth/verify-2fa") { reply.status = 404 };
    "verify-put-verifies" breaks "verification/non-post-405": "PUT on the verification path verifies."
        => request |request| if request.is("PUT", "/auth/verify-2fa") { request.method = "POST".to_owned() };
    "verified-session-lives-30-minutes" breaks "verification/session-life": "A session issued by a verification lives 30 minutes."
        => policy |p| p.two_factor.verification.session_lives_ms = Some(30 * MINUTE_MS);
    "verified-session-lives-a-day" breaks "verification/session-life": "A session issued by a verification lives a day."
        => policy |p| p.two_factor.verification.session_lives_ms = Some(24 * 60 * MINUTE_MS);
    "devices-trusted-where-told-anything" breaks "verification/trust-default": "A trustDevice of false registers the device, too."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(trust_where_told) };
    "new-device-says-whether-trusted" breaks "verification/new-device-true" and "verification/new-device-false": "esDispositivoNuevo is what trustDevice was."
        => policy |p| p.two_factor.verification.new_device = |trusted, _| trusted;
    "verify-head-is-404" breaks "verification/non-post-405": "HEAD on the verification path answers 404."
        => reply |request, reply| if request.is("HEAD", "/auth/verify-2fa") { reply.status = 404 };
};

/// Changes the answer to a good code.
fn verified(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if request.path == "/auth/verify-2fa" && reply.status == 200 {
        reply.edit(change);
    }
}

fn cut_jwt_short(body: &mut Value) {
    let jwt = body["tokens"]["jwtToken"].as_str().and_then(|jwt| jwt.rsplit_once('.'));
    body["tokens"]["jwtToken"] = json!(jwt.map(|(signed, _)| signed));
}

fn trust_unless_told(sent: &mut Value) {
    if sent["trustDevice"].is_null() {
        sent["trustDevice"] = json!(true);
    }
}

fn trust_where_told(sent: &mut Value) {
    if sent.get("trustDevice").is_some() {
        sent["trustDevice"] = json!(true);
    }
}
