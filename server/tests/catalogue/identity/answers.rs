//! What registration, login and API keys answer and refuse: shapes to the last key, and each cause of a refusal.

use libros_server::accounts::permission::Permission;
use libros_server::catalogue::{AuthRoute, TwoFactorRoute};
use libros_server::response::failure::Failure;
use libros_server::store::Kind;
use serde_json::{Value, json};

use super::harness::{Harness, Outcome, PASSWORD, authorization, check_keys, credentials, post, post_as};
use crate::disk::{text, wait};

/// The initial admin, who may not manage API keys.
const INITIAL_ADMIN: (&str, &str) = ("admin@biblioteca.example", "Admin-de-prueba-1");

fn register(harness: &Harness, body: &Value) -> Outcome {
    harness.auth(AuthRoute::Register, &post(body))
}

#[test]
fn a_registration_answers_what_was_sent_and_no_more() {
    let harness = Harness::new();
    let body = json!({ "email": "a@x", "password": "p", "nombre": "Ana", "role": "librarian", "permissions": ["write:libros"] });
    let created = register(&harness, &body).expect("a free e-mail");
    assert_eq!(created, json!({ "id": "user_3", "email": "a@x", "nombre": "Ana" }));
    let nameless = register(&harness, &json!({ "email": "b@x", "password": "p" })).expect("a free e-mail");
    assert_eq!(nameless, json!({ "id": "user_4", "email": "b@x" }));
    let login = harness.auth(AuthRoute::Login, &credentials("a@x", "p")).expect("the password");
    assert_eq!(login["the service"]["role"], "librarian");
    assert_eq!(login["the service"]["permissions"], json!(["read:libros"]));
}

#[test]
fn a_registration_needs_a_filled_email_and_password_and_a_free_email() {
    let harness = Harness::new();
    for body in [
        json!({ "password": "p" }),
        json!({ "email": "", "password": "p" }),
        json!({ "email": 5, "password": "p" }),
        json!({ "email": "a@x" }),
        json!({ "email": "a@x", "password": "" }),
        json!({ "email": "a@x", "password": null }),
    ] {
        let refused = register(&harness, &body);
        assert!(matches!(refused, Err(Failure::FieldInvalid(_))), "{body}: {refused:?}");
    }
    assert!(register(&harness, &json!({ "email": "a@x", "password": "p" })).is_ok());
    let again = register(&harness, &json!({ "email": "a@x", "password": "q" }));
    assert_eq!(again, Err(Failure::UserExists));
    assert!(harness.auth(AuthRoute::Login, &credentials("a@x", "p")).is_ok(), "the first stays");
    assert!(register(&harness, &json!({ "email": "A@x", "password": "p" })).is_ok(), "letter case counts");
}

#[test]
fn a_login_without_second_factor_answers_the_first_shape() {
    let harness = Harness::new();
    let login = harness.auth(AuthRoute::Login, &credentials(INITIAL_ADMIN.0, INITIAL_ADMIN.1)).expect("the password");
    check_keys(&login, &["requiere2FA", "the service", "tokens"]);
    let shown = &login["the service"];
    check_keys(shown, &["id", "email", "nombre", "role", "permissions", "twoFactorEnabled"]);
    assert_eq!((&shown["id"], &shown["role"]), (&json!("user_1"), &json!("admin")));
    assert_eq!(shown["permissions"], json!(["read:libros", "write:libros", "delete:libros", "manage:users"]));
    check_keys(&login["tokens"], &["sessionToken", "jwtToken", "expiresIn"]);
    assert_eq!(login["tokens"]["expiresIn"], 3600);
    let token = text(&login["tokens"]["sessionToken"]);
    assert!(token.len() == 64 && token.bytes().all(|byte| b"0123456789abcdef".contains(&byte)));
    assert!(harness.bearer(&token, &[Permission::ManageUsers]).is_ok());
    let jwt = authorization(&format!("JWT {}", text(&login["tokens"]["jwtToken"])));
    assert!(wait(harness.identity().guard(&jwt, &[Permission::ManageUsers])).is_ok());
}

#[test]
fn each_refused_login_has_its_cause() {
    let harness = Harness::new();
    harness.register("a@x", "user");
    for (email, password, expected) in [
        ("b@x", PASSWORD, Failure::UserUnknown),
        ("A@x", PASSWORD, Failure::UserUnknown),
        ("a@x", "", Failure::PasswordWrong),
        ("a@x", "una contraseña cualquiera ", Failure::PasswordWrong),
    ] {
        assert_eq!(harness.auth(AuthRoute::Login, &credentials(email, password)), Err(expected), "{email} {password}");
    }
    for body in [json!({}), json!({ "email": "a@x" }), json!({ "email": "a@x", "password": 5 })] {
        let refused = harness.auth(AuthRoute::Login, &post(&body));
        assert!(matches!(refused, Err(Failure::FieldInvalid(_))), "{body}");
    }
}

#[test]
fn an_inactive_user_can_neither_log_in_nor_use_tokens() {
    let harness = Harness::new();
    harness.register("a@x", "user");
    let login = harness.login("a@x");
    let waiting = {
        let token = text(&login["tokens"]["sessionToken"]);
        let enabled = harness.two_factor(TwoFactorRoute::Enable, &post_as(&token, &json!({}))).expect("a session");
        (text(&harness.login("a@x")["sessionId"]), text(&enabled["backupCodes"][0]))
    };
    let harness = harness.restarted_after(|rows| {
        for row in rows.open(Kind::USERS.0) {
            row.doc = row.doc.replace("\"isActive\":true", "\"isActive\":false");
        }
    });
    assert_eq!(harness.auth(AuthRoute::Login, &credentials("a@x", PASSWORD)), Err(Failure::UserInactive));
    let token = text(&login["tokens"]["sessionToken"]);
    assert_eq!(harness.bearer(&token, &[]), Err(Failure::TokenInvalid));
    let jwt = authorization(&format!("JWT {}", text(&login["tokens"]["jwtToken"])));
    assert_eq!(wait(harness.identity().guard(&jwt, &[])), Err(Failure::JwtInvalid));
    assert_eq!(harness.verify(&waiting.0, &waiting.1, false), Err(Failure::UserInactive));
}

#[test]
fn keys_are_shown_once_and_listed_masked() {
    let harness = Harness::new();
    harness.register("a@x", "admin");
    let token = harness.token("a@x");
    let created = harness.auth(AuthRoute::CreateApiKey, &post_as(&token, &json!({ "nombre": "kiosk" })));
    let created = created.expect("an admin");
    check_keys(&created, &["apiKey", "the service", "advertencia"]);
    let client = json!({ "id": "client_3", "name": "kiosk", "permissions": ["read:libros"], "rateLimit": 1000.0 });
    check_keys(&created["the service"], &["id", "name", "permissions", "rateLimit"]);
    assert_eq!(created["the service"]["permissions"], client["permissions"]);
    let key = text(&created["apiKey"]);
    assert!(key.starts_with("ak_") && key.len() == 35);

    let list = harness.auth(AuthRoute::ListApiKeys, &post_as(&token, &json!(null))).expect("an admin");
    let shown: Vec<&Value> = list.as_array().expect("a list").iter().map(|entry| &entry["apiKey"]).collect();
    assert_eq!(shown, ["ak_7e57c...", "ak_ad310...", &format!("{}...", &key[..8])]);
    check_keys(&list[2], &["apiKey", "the service"]);
    check_keys(&list[2]["the service"], &["id", "name", "permissions", "rateLimit", "createdAt", "lastUsed"]);
    assert_eq!(list[2]["the service"]["lastUsed"], Value::Null);
}

#[test]
fn keys_are_for_those_who_manage_them() {
    let harness = Harness::new();
    let (email, password) = INITIAL_ADMIN;
    let login = harness.auth(AuthRoute::Login, &credentials(email, password)).expect("the password");
    let token = text(&login["tokens"]["sessionToken"]);
    let refused = harness.auth(AuthRoute::CreateApiKey, &post_as(&token, &json!({ "nombre": "kiosk" })));
    assert_eq!(refused, Err(Failure::TokenInvalid));
    assert_eq!(harness.auth(AuthRoute::ListApiKeys, &post(&json!(null))), Err(Failure::Unauthenticated));

    harness.register("a@x", "admin");
    let token = harness.token("a@x");
    for body in [
        json!({}),
        json!({ "nombre": "" }),
        json!({ "nombre": "k", "permisos": "read:libros" }),
        json!({ "nombre": "k", "rateLimit": 1.5 }),
    ] {
        let refused = harness.auth(AuthRoute::CreateApiKey, &post_as(&token, &body));
        assert!(matches!(refused, Err(Failure::FieldInvalid(_))), "{body}");
    }
}
