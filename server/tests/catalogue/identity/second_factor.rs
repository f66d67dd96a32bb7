//! What the routes of the second factor answer and refuse: shapes to the last key, and each cause of a refusal.

use libros_server::catalogue::{AuthRoute, Route, TwoFactorRoute};
use libros_server::message::Request;
use libros_server::response::content::HeaderProfile;
use libros_server::response::failure::Failure;
use serde_json::{Value, json};

use super::harness::{Harness, PASSWORD, check_keys, credentials, post, post_as};
use crate::disk::text;

fn second_factor_routes() -> [TwoFactorRoute; 6] {
    [
        TwoFactorRoute::Enable,
        TwoFactorRoute::Disable,
        TwoFactorRoute::Status,
        TwoFactorRoute::RegenerateBackupCodes,
        TwoFactorRoute::ListDevices,
        TwoFactorRoute::ForgetDevice("0123456789abcdef".to_owned()),
    ]
}

#[test]
fn every_route_of_the_second_factor_wants_the_credential_of_a_user() {
    let harness = Harness::new();
    let mut keyed: Request = post(&json!({ "password": "p" }));
    keyed.headers.insert("x-api-key", "ak_7e57c11e27000000000000000000c0de".parse().expect("a value"));
    for route in second_factor_routes() {
        let nobody = harness.two_factor(route.clone(), &post(&json!({})));
        assert_eq!(nobody, Err(Failure::Unauthenticated), "{route:?}");
        assert_eq!(harness.two_factor(route.clone(), &keyed), Err(Failure::PrincipalWithoutUser), "{route:?}");
    }
}

/// What a route answers to the session token.
fn ask(harness: &Harness, token: &str, route: TwoFactorRoute) -> Value {
    let request = post_as(token, &json!({ "password": PASSWORD }));
    harness.two_factor(route, &request).expect("a session")
}

#[test]
fn before_it_is_configured_there_is_nothing_to_tell() {
    let harness = Harness::new();
    harness.register("a@x", "user");
    let token = harness.token("a@x");
    let status = ask(&harness, &token, TwoFactorRoute::Status);
    assert_eq!(status, json!({ "habilitado": false }));
    let devices = ask(&harness, &token, TwoFactorRoute::ListDevices);
    assert_eq!(devices, json!({ "dispositivos": [] }));
}

#[test]
fn management_answers_in_the_documents_shapes() {
    let harness = Harness::new();
    harness.register("a+b@x", "user");
    let token = harness.token("a+b@x");
    let enabled = ask(&harness, &token, TwoFactorRoute::Enable);
    check_keys(&enabled, &["secret", "qrUrl", "backupCodes", "mensaje"]);
    let (issuer, secret) = ("LibraryCatalogueService", text(&enabled["secret"]));
    let label = format!("{issuer}:a%2Bb%40x");
    let rest = format!("secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30");
    assert_eq!(enabled["qrUrl"], format!("otpauth://totp/{label}?{rest}"));
    let renewed = ask(&harness, &token, TwoFactorRoute::RegenerateBackupCodes);
    check_keys(&renewed, &["backupCodes", "mensaje"]);
    let none = TwoFactorRoute::ForgetDevice("none".to_owned());
    check_keys(&ask(&harness, &token, none), &["mensaje"]);
    check_keys(&ask(&harness, &token, TwoFactorRoute::Disable), &["mensaje"]);
}

#[test]
fn verification_and_what_it_leaves_answer_in_the_documents_shapes() {
    let harness = Harness::new();
    harness.register("a@x", "user");
    let token = harness.token("a@x");
    let enabled = ask(&harness, &token, TwoFactorRoute::Enable);
    let login = harness.login("a@x");
    let second = "requiere2FA sessionId email metodosDisponibles mensaje trustedDeviceEnabled";
    check_keys(&login, &second.split(' ').collect::<Vec<_>>());
    let code = text(&enabled["backupCodes"][0]);
    let session = text(&login["sessionId"]);
    let verified = harness.verify(&session, &code, true).expect("a fresh code");
    let keys = ["verificado", "tokens", "metodo2FA", "esDispositivoNuevo"];
    check_keys(&verified, &keys);
    let keys = ["sessionToken", "jwtToken", "expiresIn"];
    check_keys(&verified["tokens"], &keys);

    let devices = ask(&harness, &token, TwoFactorRoute::ListDevices);
    let keys = ["deviceId", "firstUsed", "lastUsed", "userAgent"];
    check_keys(&devices["dispositivos"][0], &keys);
    let seven = "habilitado habilitadoDesde ultimoUso backupCodesDisponibles totalBackupCodes \
                 dispositivosConfiables metodosDisponibles";
    let seven: Vec<&str> = seven.split(' ').collect();
    let status = ask(&harness, &token, TwoFactorRoute::Status);
    check_keys(&status, &seven);
    assert_eq!(status["backupCodesDisponibles"], 7);
    assert_eq!(status["dispositivosConfiables"], 1);
    ask(&harness, &token, TwoFactorRoute::Disable);
    let status = ask(&harness, &token, TwoFactorRoute::Status);
    check_keys(&status, &seven);
    assert_eq!(status["habilitado"], false);
}

#[test]
fn a_login_that_waits_is_answered_bare() {
    let harness = Harness::new();
    harness.register("a@x", "user");
    let token = harness.token("a@x");
    harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let request = credentials("a@x", PASSWORD);
    let answer = harness.perform(Route::Auth(AuthRoute::Login), &request).expect("the password");
    assert_eq!(answer.profile, HeaderProfile::Bare);
}

#[test]
fn a_verification_needs_a_session_id() {
    let harness = Harness::new();
    for body in [json!({}), json!({ "token": "123456" }), json!({ "sessionId": 5, "token": "123456" })] {
        let refused = harness.auth(AuthRoute::VerifyTwoFactor, &post(&body));
        assert!(matches!(refused, Err(Failure::FieldInvalid(_))), "{body}");
    }
    assert_eq!(harness.verify(&"0".repeat(64), "123456", false), Err(Failure::PendingUnknown));
}

#[test]
fn a_missing_token_and_one_of_no_known_form_are_failed_checks() {
    let harness = Harness::new();
    harness.register("a@x", "user");
    let token = harness.token("a@x");
    harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let session = text(&harness.login("a@x")["sessionId"]);
    for body in [
        json!({ "sessionId": session }),
        json!({ "sessionId": session, "token": 123_456 }),
        json!({ "sessionId": session, "token": " 123456" }),
    ] {
        assert_eq!(harness.auth(AuthRoute::VerifyTwoFactor, &post(&body)), Err(Failure::CodeWrong), "{body}");
    }
    assert_eq!(harness.verify(&session, "", false), Err(Failure::TooManyAttempts));
}
