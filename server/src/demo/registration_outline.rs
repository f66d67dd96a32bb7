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
use crate::message::Reply;
use libros_server_query::json;

const PASSWORD_MIN: usize = 8;

#[derive(Debug, Default)]
pub(super) struct RegistrationOutline {
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
        // rule: signup/success, signup/identifier, signup/password-unseen
        Ok(reply::json(StatusCode::CREATED, json::write(&json!({ "id": id, "email": email }))))
    }

    pub(super) fn reset(&self) {
        self.emails.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
