//! The registration route outline of the second document: `POST /api/users/register`; its rules are `signup/*`.
//!
//! Stores e-mails only: no route ever asks for the password again.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use http::StatusCode;
use serde_json::json;

use super::body;
use super::failure::Failure;
use super::reply;
use crate::json;
use crate::message::Reply;

/// Characters a password must have at least.
const PASSWORD_MIN: usize = 8;

#[derive(Debug, Default)]
pub(super) struct RegistrationOutline {
    // rule: signup/own-store
    emails: Mutex<HashSet<String>>,
}

impl RegistrationOutline {
    /// `POST /api/users/register`.
    pub(super) fn register(&self, body: &[u8]) -> Result<Reply, Failure> {
        let fields = body::object(body)?;
        // rule: signup/wrong-type
        // rule: signup/email-missing
        let email = body::text(&fields, "email")?;
        // rule: signup/password-missing
        let password = body::text(&fields, "password")?;
        // rule: signup/validity
        if !email.contains('@') {
            return Err(Failure::EmailInvalid);
        }
        if password.chars().count() < PASSWORD_MIN {
            return Err(Failure::PasswordShort(PASSWORD_MIN));
        }
        let mut emails = self.emails.lock().unwrap_or_else(PoisonError::into_inner);
        // rule: signup/duplicate-email
        if !emails.insert(email.clone()) {
            return Err(Failure::EmailTaken);
        }
        let id = emails.len().to_string(); // Nothing is ever removed, so the count is free.
        // rule: signup/success, signup/identifier, signup/identifier-key, signup/password-unseen
        Ok(reply::json(StatusCode::CREATED, json::write(&json!({ "id": id, "email": email }))))
    }

    /// Forgets every e-mail.
    pub(super) fn reset(&self) {
        self.emails.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_e_mail_gets_an_identifier_of_its_own() {
        let outline = RegistrationOutline::default();
        let body = |email: &str| json!({ "email": email, "password": "8 ñandúes" }).to_string();
        let first = outline.register(body("a@x.example").as_bytes()).expect("valid");
        assert_eq!(first.status, StatusCode::CREATED);
        assert_eq!(first.body.as_ref(), br#"{"id":"1","email":"a@x.example"}"#);
        let second = outline.register(body("b@x.example").as_bytes()).expect("valid");
        assert_eq!(second.body.as_ref(), br#"{"id":"2","email":"b@x.example"}"#);
        let again = outline.register(body("a@x.example").as_bytes());
        assert!(matches!(again, Err(Failure::EmailTaken)));
        outline.reset();
        assert!(outline.register(body("a@x.example").as_bytes()).is_ok());
    }

    #[test]
    fn an_invalid_body_registers_nobody() {
        let outline = RegistrationOutline::default();
        for (body, failure) in [
            (r#"{"password":"long enough"}"#, Failure::FieldMissing("email")),
            (r#"{"email":"a@x.example"}"#, Failure::FieldMissing("password")),
            (r#"{"email":5,"password":"long enough"}"#, Failure::FieldNotText("email")),
            (r#"{"email":"a@x.example","password":12345678}"#, Failure::FieldNotText("password")),
            (r#"{"email":"nobody","password":"long enough"}"#, Failure::EmailInvalid),
            (r#"{"email":"a@x.example","password":"sevenññ"}"#, Failure::PasswordShort(8)),
            ("", Failure::BodyNotJson),
        ] {
            let refused = outline.register(body.as_bytes()).expect_err(body);
            assert_eq!(refused, failure, "{body}");
        }
        assert!(outline.emails.lock().expect("not poisoned").is_empty());
    }
}
