//! A write of an account that is answered 500 is not in force afterwards.

use libros_server_store::Kind;
use serde_json::{Value, json};

use crate::disk::{Mode, text};
use crate::service::{Credential, PASSWORD, Service};

/// Sends a request while the disk is full.
fn post_on_full_disk(service: &Service, path: &str, credential: Credential<'_>, body: &Value) {
    service.disk.set(Mode::Full);
    let refused = service.post(path, credential, body);
    service.disk.set(Mode::Working);
    assert_eq!(refused.status, 500, "{path}: {}", refused.body);
}

#[test]
fn a_refused_registration_takes_neither_the_email_nor_a_number() {
    let service = Service::new();
    let body = json!({ "email": "ana@x", "password": PASSWORD });
    post_on_full_disk(&service, "/auth/registro", Credential::Nobody, &body);
    assert_eq!(service.post("/auth/login", Credential::Nobody, &body).status, 400);
    let created = service.post("/auth/registro", Credential::Nobody, &body);
    assert_eq!((created.status, &created.body["id"]), (201, &json!("user_3")));
}

#[test]
fn a_refused_enable_locks_nobody_out() {
    let service = Service::new();
    let token = service.registered("ana@x", "user");
    post_on_full_disk(&service, "/2fa/enable", Credential::Session(&token), &json!({}));
    assert_eq!(service.login("ana@x")["requiere2FA"], false);
    let status = service.send("GET /2fa/status", Credential::Session(&token), "");
    assert_eq!(status.body, json!({ "habilitado": false }));
}

#[test]
fn a_refused_disable_or_regenerate_leaves_the_second_factor_as_it_was() {
    let service = Service::new();
    let user = service.protected("ana@x");
    for path in ["/2fa/disable", "/2fa/regenerate-backup-codes"] {
        post_on_full_disk(&service, path, Credential::Session(&user.token), &json!({ "password": PASSWORD }));
    }
    let body = json!({ "sessionId": service.waiting_login("ana@x"), "token": user.codes[7] });
    assert_eq!(service.post("/auth/verify-2fa", Credential::Nobody, &body).status, 200);
}

#[test]
fn a_refused_use_spends_no_backup_code_and_ends_no_waiting_login() {
    let service = Service::new();
    let user = service.protected("ana@x");
    let body = json!({ "sessionId": service.waiting_login("ana@x"), "token": user.codes[0], "trustDevice": true });
    post_on_full_disk(&service, "/auth/verify-2fa", Credential::Nobody, &body);
    let status = service.send("GET /2fa/status", Credential::Session(&user.token), "");
    assert_eq!(status.body["backupCodesDisponibles"], 8);
    assert_eq!(status.body["dispositivosConfiables"], 0, "nor is the device trusted");
    assert_eq!(status.body["ultimoUso"], Value::Null);
    assert_eq!(service.post("/auth/verify-2fa", Credential::Nobody, &body).status, 200);
}

#[test]
fn a_device_whose_removal_was_refused_is_still_trusted() {
    let service = Service::new();
    let user = service.protected("ana@x");
    let body = json!({ "sessionId": service.waiting_login("ana@x"), "token": user.codes[0], "trustDevice": true });
    assert_eq!(service.post("/auth/verify-2fa", Credential::Nobody, &body).status, 200);
    let listed = service.send("GET /2fa/trusted-devices", Credential::Session(&user.token), "");
    let removal = format!("DELETE /2fa/trusted-devices/{}", text(&listed.body["dispositivos"][0]["deviceId"]));
    service.disk.set(Mode::Full);
    assert_eq!(service.send(&removal, Credential::Session(&user.token), "").status, 500);
    service.disk.set(Mode::Working);
    assert_eq!(service.login("ana@x")["requiere2FA"], false);
}

#[test]
fn a_refused_api_key_is_not_listed() {
    let service = Service::new();
    let token = service.registered("admin@x", "admin");
    post_on_full_disk(&service, "/auth/api-keys", Credential::Session(&token), &json!({ "nombre": "kiosk" }));
    let listed = service.send("GET /auth/api-keys", Credential::Session(&token), "");
    assert_eq!(listed.body.as_array().map(Vec::len), Some(2));
    let created = service.post("/auth/api-keys", Credential::Session(&token), &json!({ "nombre": "kiosk" }));
    assert_eq!(created.body["the service"]["id"], "client_3", "a refused client takes no number");
}

#[test]
fn a_refused_login_leaves_nothing_behind_after_a_restart() {
    let service = Service::new();
    let token = service.registered("ana@x", "user");
    post_on_full_disk(&service, "/auth/login", Credential::Nobody, &json!({ "email": "ana@x", "password": PASSWORD }));
    assert_eq!(service.disk.rows(Kind::SESSIONS).len(), 1);
    let service = service.restarted();
    assert_eq!(service.disk.rows(Kind::SESSIONS).len(), 1, "nor is the session of the refused login noted at the stop");
    assert_eq!(service.send("GET /2fa/status", Credential::Session(&token), "").status, 200);
}
