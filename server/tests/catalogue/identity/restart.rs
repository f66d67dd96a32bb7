//! Everything confirmed is there again after a restart, and nothing secret is in the store or in an answer it does not belong to.

use super::harness::{Harness, PASSWORD, authorization, credentials, post, post_as};
use crate::disk::{SECRET, text, wait};
use libros_server::accounts::permission::Permission;
use libros_server::catalogue::{AuthRoute, TwoFactorRoute};
use libros_server::response::failure::Failure;
use libros_server_store::{Change, Kind, Row};
use serde_json::json;
use totp_rs::{Algorithm, Builder};

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
    assert!(wait(harness.identity().guard(&headers, &[Permission::WriteBooks])).is_ok());
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
    secrets.push(text(&enabled["secret"]));
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
fn whatever_was_hashed_or_sealed_opens_after_the_secret_was_changed() {
    let harness = Harness::new();
    harness.register("ana@x", "user");
    let token = harness.token("ana@x");
    let enabled = harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let enter = |harness: &Harness, code: &str| {
        let waiting = text(&harness.login("ana@x")["sessionId"]);
        assert!(harness.verify(&waiting, code, false).is_ok(), "{code}");
    };
    let harness = harness.restarted_with_secrets(["another secret", SECRET]);
    enter(&harness, &text(&enabled["backupCodes"][0]));
    enter(&harness, &code(&enabled, &harness));
    let harness = harness.restarted_with_secrets(["another secret", ""]);
    enter(&harness, &text(&enabled["backupCodes"][1]));
    enter(&harness, &code(&enabled, &harness));
}

#[test]
fn a_one_time_secret_that_an_earlier_version_kept_in_clear_is_sealed_at_the_start() {
    let harness = Harness::new();
    harness.register("ana@x", "user");
    let token = harness.token("ana@x");
    let enabled = harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let harness = harness.restarted_after(|loaded| {
        let rows = loaded.take(Kind::USERS).expect("users");
        let in_clear = |row: Row| {
            let mut user: serde_json::Value = serde_json::from_str(&row.doc).expect("JSON");
            if user["twoFactorAuth"]["secret"].is_string() {
                user["twoFactorAuth"]["secret"] = enabled["secret"].clone();
            }
            Row { doc: user.to_string(), ..row }
        };
        rows.into_iter().map(in_clear).for_each(|row| loaded.push(Kind::USERS.0, row));
    });
    let waiting = text(&harness.login("ana@x")["sessionId"]);
    assert!(harness.verify(&waiting, &code(&enabled, &harness), false).is_ok());
    let stored = harness.kept.rows(Kind::USERS);
    assert!(stored.iter().all(|row| !row.doc.contains(&text(&enabled["secret"]))), "{stored:?}");
}

/// The code that an authenticator shows now.
fn code(enabled: &serde_json::Value, harness: &Harness) -> String {
    let secret = hex::decode(text(&enabled["secret"])).expect("hex");
    let now_s = u64::try_from(harness.clock.now().seconds()).expect("after 1970");
    let totp = Builder::new().with_algorithm(Algorithm::SHA1).with_secret(secret).build_noncompliant();
    totp.generate(now_s).to_string()
}

/// No client can deactivate a user, so no rule of the suite reaches this.
#[test]
fn an_inactive_user_can_neither_log_in_nor_use_tokens() {
    let harness = Harness::new();
    harness.register("ana@x", "user");
    let tokens = harness.login("ana@x")["tokens"].clone();
    let token = text(&tokens["sessionToken"]);
    let enabled = harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
    let waiting = text(&harness.login("ana@x")["sessionId"]);
    let harness = harness.restarted_after(|rows| {
        for row in rows.open(Kind::USERS.0) {
            row.doc = row.doc.replace("\"isActive\":true", "\"isActive\":false");
        }
    });
    assert_eq!(harness.auth(AuthRoute::Login, &credentials("ana@x", PASSWORD)), Err(Failure::UserInactive));
    assert_eq!(harness.bearer(&token, &[]), Err(Failure::TokenInvalid));
    let jwt = authorization(&format!("JWT {}", text(&tokens["jwtToken"])));
    assert_eq!(wait(harness.identity().guard(&jwt, &[])), Err(Failure::JwtInvalid));
    assert_eq!(harness.verify(&waiting, &text(&enabled["backupCodes"][0]), false), Err(Failure::UserInactive));
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
    assert!(wait(harness.identity().guard(&headers, &[])).is_err());
    assert_eq!(harness.kept.rows(Kind::USERS).len(), 2);
    assert_eq!(harness.kept.rows(Kind::CLIENTS).len(), 2);
}
