//! The users REST interface, with the registration and blog outlines. Source: demonstration-endpoints, "Endpoints".

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use http::{Method, StatusCode};
use serde_json::json;

use super::users_store::{User, UsersStore};
use super::{Demo, blog::Blog, failure::Failure, preflight};
use crate::json_body::{filled_text, number, object, text};
use crate::message::{Reply, Request};
use libros_server_query::json;
use libros_server_system::clock::Clock;

const PASSWORD_MIN: usize = 8;

#[derive(Debug)]
pub(crate) struct Rest {
    clock: Clock,
    users: UsersStore,
    /// Registered e-mails; no route ever asks for the password again.
    emails: Mutex<HashSet<String>>,
    blog: Blog,
}

impl Rest {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, users: UsersStore::initial(), emails: Mutex::default(), blog: Blog::default() }
    }

    /// Restores the initial users and forgets registrations and blog entries. The clock keeps its offset.
    pub(crate) fn reset(&self) {
        self.users.reset();
        self.emails.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.blog.reset();
    }

    fn user(&self, id: &str) -> Result<Arc<User>, Failure> {
        self.users.find(id).ok_or(Failure::UserUnknown)
    }

    fn create_user(&self, body: &[u8]) -> Result<Reply, Failure> {
        let mut fields = object(body)?;
        // rule: users/name-missing, users/name-type, users/name-empty, users/name-spaces
        let name = filled_text(&mut fields, "name")?;
        // rule: users/age-missing, users/age-type, users/age-zero, users/age-range
        let age = number(&mut fields, "age")?;
        // rule: users/extra-fields
        let user = self.users.create(name, age, self.clock.now());
        // rule: users/create-body
        Ok(Reply::json(StatusCode::CREATED, user.text.clone()))
    }

    /// The registration outline, whose rules are `signup/*`.
    fn register(&self, body: &[u8]) -> Result<Reply, Failure> {
        let mut fields = object(body)?;
        // rule: signup/wrong-type, signup/email-missing
        let email = text(&mut fields, "email")?;
        // rule: signup/password-missing
        let password = text(&mut fields, "password")?;
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
        let id = emails.len().to_string(); // Only a reset removes any, and all: the count is free.
        // rule: signup/success, signup/identifier, signup/password-unseen
        Ok(Reply::json(StatusCode::CREATED, json::write(&json!({ "id": id, "email": email }))))
    }
}

impl Demo for Rest {
    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: users/no-credential
        if request.method == Method::OPTIONS {
            // rule: users/options-status, users/options-methods, users/options-spelling
            return Ok(preflight("GET,POST,OPTIONS"));
        }
        let ok = |text: String| Ok(Reply::json(StatusCode::OK, text));
        let segments: Vec<&str> = request.path().split('/').collect();
        match (request.method.as_str(), segments.as_slice()) {
            // rule: users/list-array, users/list-created, users/list-all
            ("GET", ["", "users"]) => ok(self.users.list_text()),
            ("POST", ["", "users"]) => self.create_user(&request.body),
            // rule: users/read-status
            ("GET", ["", "users", id]) => ok(self.user(id)?.text.clone()),
            // rule: posts/created-user-empty
            ("GET", ["", "users", id, "posts"]) => ok(self.user(id)?.posts_text.clone()),
            ("POST", ["", "api", "users", "register"]) => self.register(&request.body),
            ("GET", ["", "posts"]) => Ok(self.blog.list()),
            ("POST", ["", "posts"]) => self.blog.create(&request.body),
            ("GET", ["", "posts", id]) => self.blog.read(id),
            ("PUT", ["", "posts", id]) => self.blog.replace(id, &request.body),
            ("DELETE", ["", "posts", id]) => self.blog.delete(id),
            // rule: users/wrong-method, users/trailing-slash
            _ => Err(Failure::PathUnknown),
        }
    }
}
