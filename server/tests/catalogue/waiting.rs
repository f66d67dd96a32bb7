//! An answer that rests on changes not yet durable waits for them, and becomes a failure if they fail.

use serde_json::json;

use crate::disk::{Mode, text, wait};
use crate::service::{Credential, Exchange, PASSWORD, Service, is_answered};

const BOOK: &str = r#"{"titulo":"a","autor":"b"}"#;

fn begin_hanging<'a>(service: &'a Service, line: &str, credential: Credential<'_>, body: &str) -> Exchange<'a> {
    service.disk.set(Mode::Hanging);
    let mut exchange = service.begin(line, credential, body);
    assert!(!is_answered(&mut exchange), "{line} is not yet stored");
    service.disk.wait_until_hanging();
    exchange
}

#[test]
fn a_404_that_rests_on_a_delete_waits_for_it_and_falls_with_it() {
    for (mode, statuses, left) in [(Mode::Working, [204, 404, 404], 404), (Mode::Full, [500; 3], 200)] {
        let service = Service::new();
        let first = begin_hanging(&service, "DELETE /libros/3", Credential::Admin, "");
        let mut second = service.begin("DELETE /libros/3", Credential::Admin, "");
        let mut third = service.begin("PUT /libros/3", Credential::Admin, BOOK);
        assert!(!is_answered(&mut second) && !is_answered(&mut third), "the book is still there for readers");
        assert_eq!(service.get("/libros/3", Credential::Admin).status, 200);
        service.disk.set(mode);
        assert_eq!([first, second, third].map(|exchange| wait(exchange).status), statuses);
        assert_eq!(service.get("/libros/3", Credential::Admin).status, left);
    }
}

#[test]
fn a_refusal_that_rests_on_nothing_is_answered_at_once() {
    let service = Service::new();
    service.disk.set(Mode::Hanging);
    assert!(is_answered(&mut service.begin("DELETE /libros/77", Credential::Admin, "")));
    assert!(is_answered(&mut service.begin("POST /libros", Credential::Admin, "{}")));
    service.disk.set(Mode::Working);
}

#[test]
fn a_taken_email_is_refused_only_once_it_is_taken_for_good() {
    let service = Service::new();
    let body = json!({ "email": "ana@x", "password": PASSWORD }).to_string();
    service.disk.set(Mode::Hanging);
    let mut first = service.begin("POST /auth/registro", Credential::None, &body);
    while !is_answered(&mut first) && !service.disk.is_hanging() {
        std::thread::yield_now();
    }
    let mut second = service.begin("POST /auth/registro", Credential::None, &body);
    assert!(!is_answered(&mut second), "the e-mail is not yet taken");
    service.disk.set(Mode::Full);
    assert_eq!((wait(first).status, wait(second).status), (500, 500));
    service.disk.set(Mode::Working);
    let created = service.send("POST /auth/registro", Credential::None, &body);
    assert_eq!((created.status, &created.body["id"]), (201, &json!("user_3")));
}

#[test]
fn a_backup_code_refused_as_used_was_used_for_good() {
    let service = Service::new();
    let user = service.protected("ana@x");
    let [first, second] = [(); 2].map(|()| service.waiting_login("ana@x"));
    let verify = |session: &str| json!({ "sessionId": session, "token": user.codes[0] }).to_string();
    let first = begin_hanging(&service, "POST /auth/verify-2fa", Credential::None, &verify(&first));
    let mut again = service.begin("POST /auth/verify-2fa", Credential::None, &verify(&second));
    assert!(!is_answered(&mut again));
    service.disk.set(Mode::FailsOnce);
    assert_eq!((wait(first).status, wait(again).status), (500, 500));
    let third = service.send("POST /auth/verify-2fa", Credential::None, &verify(&second));
    assert_eq!((third.status, text(&third.body["metodo2FA"]).as_str()), (200, "backup"));
}
