//! Everything confirmed is there again after a restart, and nothing secret is in the store or in an answer it does not belong to.

use crate::harness::{Harness, PASSWORD, authorization, credentials, post, post_as, text, wait};
use libros_server::accounts::permission::Permission;
use libros_server::catalogue::{AuthRoute, TwoFactorRoute};
use libros_server::response::failure::Failure;
use libros_server::store::{Change, Kind};
use serde_json::json;

#[test]
fn users_sessions_and_keys_outlive_a_restart() {
    let harness = Harness::new();
    harness.register("ana@x", "admin");
    let token = harness.token("ana@x");
    let body = json!({ "nombre": "kiosk", "permisos": ["write:libros"], "rateLimit": 7 });
    let created = harness.auth(AuthRoute::CreateApiKey, &post_as(&token, &body)).expect("an admin");
    let key = text(&created["apiKey"]);

    let harness = harness.restarted();
    assert!(harness.bearer(&token, &[Permission::ManageApiKeys]).is_ok());
    let mut headers = http::HeaderMap::new();
    headers.insert("x-api-key", http::HeaderValue::from_str(&key).expect("a value"));
    assert!(harness.identity().guard(&headers, &[Permission::WriteBooks]).is_ok());
    let again = harness.auth(AuthRoute::Register, &post(&json!({ "email": "ana@x", "password": "p" })));
    assert_eq!(again, Err(Failure::UserExists));
    let other = json!({ "email": "eva@x", "password": "p" });
    let other = harness.auth(AuthRoute::Register, &post(&other)).expect("a free e-mail");
    assert_eq!(other["id"], "user_4", "numbers go on");
    let list = harness.auth(AuthRoute::ListApiKeys, &post_as(&token, &json!(null))).expect("an admin");
    assert_eq!(list.as_array().map(Vec::len), Some(3));
    assert_eq!(list[2]["the service"]["id"], "client_3");
    assert_eq!(list[2]["the service"]["rateLimit"], 7);
    assert!(list[2]["the service"]["lastUsed"].is_string());
}

#[test]
fn the_initial_state_is_laid_down_once() {
    let harness = Harness::new().restarted();
    let laid = harness.kept.rows(Kind::USERS);
    let harness = harness.restarted();
    assert_eq!(laid.len(), 2);
    assert_eq!(laid, harness.kept.rows(Kind::USERS));
}

#[test]
fn the_last_use_of_a_session_is_told_at_an_orderly_stop() {
    let harness = Harness::new();
    harness.register("ana@x", "user");
    let token = harness.token("ana@x");
    harness.advance(10.0);
    assert!(harness.bearer(&token, &[]).is_ok());
    let told = harness.kept.rows(Kind::SESSIONS);
    assert!(harness.bearer(&token, &[]).is_ok());
    let harness = harness.restarted();
    harness.advance(29.0 * 60.0);
    assert!(harness.bearer(&token, &[]).is_ok());
    assert_eq!(told.len(), 1);
}

#[test]
fn a_second_factor_and_its_marks_outlive_a_restart() {
    let harness = Harness::new();
    harness.register("ana@x", "user");
    let token = harness.token("ana@x");
    let enabled = harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let codes: Vec<String> = (0..3).map(|at| text(&enabled["backupCodes"][at])).collect();
    let waiting = text(&harness.login("ana@x")["sessionId"]);
    assert_eq!(harness.verify(&waiting, "wrong", false), Err(Failure::CodeWrong));

    let harness = harness.restarted();
    assert!(harness.verify(&waiting, &codes[0], true).is_ok(), "a waiting login goes on");

    let harness = harness.restarted();
    assert_eq!(harness.login("ana@x")["requiere2FA"], false, "the device is known");
    let mut elsewhere = credentials("ana@x", PASSWORD);
    elsewhere.headers.clear();
    let login = || text(&harness.auth(AuthRoute::Login, &elsewhere).expect("the password")["sessionId"]);
    let waiting = login();
    assert_eq!(harness.verify(&waiting, &codes[0], false), Err(Failure::CodeWrong), "used before");
    assert_eq!(harness.verify(&waiting, "wrong", false), Err(Failure::CodeWrong));
    assert_eq!(harness.verify(&login(), &codes[1], false), Err(Failure::TooManyAttempts), "one failure was before");
}

#[test]
fn no_secret_is_ever_in_the_store() {
    let harness = Harness::new();
    harness.register("ana@x", "admin");
    let login = harness.login("ana@x");
    let token = text(&login["tokens"]["sessionToken"]);
    let key = harness.auth(AuthRoute::CreateApiKey, &post_as(&token, &json!({ "nombre": "kiosk" }))).expect("an admin");
    let enabled = harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let waiting = text(&harness.login("ana@x")["sessionId"]);
    let mut secrets =
        vec![PASSWORD.to_owned(), token, text(&login["tokens"]["jwtToken"]), text(&key["apiKey"]), waiting];
    secrets.extend((0..8).map(|at| text(&enabled["backupCodes"][at])));
    for change in harness.kept.changes() {
        if let Change::Put { key, doc, .. } = change {
            for secret in &secrets {
                let stored = format!("{key} {doc}").to_lowercase();
                assert!(!stored.contains(&secret.to_lowercase()), "{stored}");
            }
        }
    }
    let shown = format!("{:?}", harness.identity());
    assert!(!shown.contains(&text(&enabled["secret"])) && !shown.contains("argon2"), "{shown}");
}

#[test]
fn an_expired_session_is_removed_from_the_store_when_it_is_tried() {
    let harness = Harness::new();
    harness.register("ana@x", "user");
    let token = harness.token("ana@x");
    harness.advance(3601.0);
    assert_eq!(harness.bearer(&token, &[]), Err(Failure::TokenInvalid));
    let harness = harness.restarted();
    assert_eq!(harness.kept.rows(Kind::SESSIONS).len(), 0);
}

#[test]
fn a_reset_is_stored_as_the_initial_state() {
    let harness = Harness::new();
    harness.register("ana@x", "admin");
    let token = harness.token("ana@x");
    wait(harness.identity().reset()).expect("the initial state");
    let harness = harness.restarted();
    assert_eq!(harness.bearer(&token, &[]), Err(Failure::TokenInvalid));
    let headers = authorization(&format!("Bearer {token}"));
    assert!(harness.identity().guard(&headers, &[]).is_err());
    assert_eq!(harness.kept.rows(Kind::USERS).len(), 2);
    assert_eq!(harness.kept.rows(Kind::CLIENTS).len(), 2);
}
