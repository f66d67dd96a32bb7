//! Everything confirmed is there again after a restart, also where the operator's secret or the stored records have changed.

use serde_json::json;
use totp_rs::{Algorithm, Builder};

use crate::disk::{SECRET, text};
use crate::service::{PASSWORD, Protected, Service};
use libros_server_store::Kind;

fn status(service: &Service, authorization: &str) -> u16 {
    service.get("/libros/1", authorization).status
}

#[test]
fn the_initial_state_is_stored_once() {
    let service = Service::new().restarted();
    let users = service.disk.rows(Kind::USERS);
    let service = service.restarted();
    assert_eq!(users.len(), 2);
    assert_eq!(users, service.disk.rows(Kind::USERS));
}

#[test]
fn the_last_use_of_a_session_is_stored_at_an_orderly_stop() {
    let service = Service::new();
    let session = service.registered("ana@x", "user");
    service.clock.advance(10.0).expect("a plain step");
    assert_eq!(status(&service, &session), 200);
    let service = service.restarted();
    service.clock.advance(29.0 * 60.0).expect("a plain step");
    assert_eq!(status(&service, &session), 200);
}

#[test]
fn hashes_and_sealed_values_open_after_the_secret_was_changed() {
    let service = Service::new();
    let user = service.enrolled_admin("ana@x");
    let enter = |service: &Service, backup_code: &str| {
        for code in [backup_code, &code(service, &user)] {
            let waiting = service.pending_login("ana@x");
            assert_eq!(service.verify(&waiting, code, false).status, 200, "{code}");
        }
    };
    let service = service.restarted_with(["another secret", SECRET], |_| ());
    enter(&service, &user.codes[0]);
    let service = service.restarted_with(["another secret", ""], |_| ());
    enter(&service, &user.codes[1]);
}

fn code(service: &Service, user: &Protected) -> String {
    let secret = hex::decode(&user.secret).expect("hex");
    let now_s = u64::try_from(service.clock.now().seconds()).expect("after 1970");
    let totp = Builder::new().with_algorithm(Algorithm::SHA1).with_secret(secret).build_noncompliant();
    totp.generate(now_s).to_string()
}

/// No client can deactivate a user, so no rule of the suite reaches this.
#[test]
fn an_inactive_user_can_neither_log_in_nor_use_tokens() {
    let service = Service::new();
    let session = service.registered("ana@x", "user");
    let jwt = text(&service.login("ana@x")["tokens"]["jwtToken"]);
    let enabled = service.post("/2fa/enable", &session, &json!({})).body;
    let waiting = service.pending_login("ana@x");
    let service = service.restarted_with([SECRET, ""], |loaded| {
        for row in loaded.open(Kind::USERS.0) {
            row.doc = row.doc.replace("\"isActive\":true", "\"isActive\":false");
        }
    });
    let login = json!({ "email": "ana@x", "password": PASSWORD });
    assert_eq!(service.post("/auth/login", "", &login).status, 400);
    assert_eq!(status(&service, &session), 401);
    assert_eq!(status(&service, &format!("JWT {jwt}")), 401);
    assert_eq!(service.verify(&waiting, &text(&enabled["backupCodes"][0]), false).status, 400);
}

#[test]
fn an_expired_session_is_removed_from_the_store_when_it_is_tried() {
    let service = Service::new();
    let session = service.registered("ana@x", "user");
    service.clock.advance(3601.0).expect("a plain step");
    assert_eq!(status(&service, &session), 401);
    let service = service.restarted();
    assert_eq!(service.disk.rows(Kind::SESSIONS).len(), 0);
}

/// However the reset falls among registrations.
#[test]
fn a_reset_is_stored_as_the_initial_state() {
    let service = Service::new();
    let session = service.registered("ana@x", "admin");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let service = &service;
            scope.spawn(move || match number % 4 {
                0 => service.reset(),
                // A reset may come right after it, and a login would find no user.
                _ => service.register(&format!("{number}@x"), "user"),
            });
        }
    });
    service.reset();
    let service = service.restarted();
    assert_eq!(status(&service, &session), 401);
    assert_eq!(service.disk.rows(Kind::USERS).len(), 2);
    assert_eq!(service.disk.rows(Kind::CLIENTS).len(), 2);
}
