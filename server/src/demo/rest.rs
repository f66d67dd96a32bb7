//! The listener of the users REST interface, with the registration and blog outlines beside it: routes a path and a method
//! to a handler. Source: demonstration-endpoints, "Endpoints".

use http::Method;

use super::Demo;
use super::blog::Blog;
use super::failure::Failure;
use super::registration_outline::RegistrationOutline;
use super::reply;
use super::users;
use super::users_store::UsersStore;
use crate::message::{Reply, Request};
use libros_server_system::clock::Clock;

#[derive(Debug)]
pub(crate) struct Rest {
    clock: Clock,
    users: UsersStore,
    registration: RegistrationOutline,
    blog: Blog,
}

impl Rest {
    pub(crate) fn new(clock: Clock) -> Self {
        Self {
            clock,
            users: UsersStore::initial(),
            registration: RegistrationOutline::default(),
            blog: Blog::default(),
        }
    }

    /// Restores the initial users and forgets registrations and blog entries. The clock keeps its offset.
    pub(crate) fn reset(&self) {
        self.users.reset();
        self.registration.reset();
        self.blog.reset();
    }
}

impl Demo for Rest {
    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: users/no-credential
        if request.method == Method::OPTIONS {
            // rule: users/options-status, users/options-methods, users/options-spelling
            return Ok(reply::preflight("GET,POST,OPTIONS"));
        }
        let segments: Vec<&str> = request.path().split('/').collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("GET", ["", "users"]) => Ok(users::list(&self.users)),
            ("POST", ["", "users"]) => users::create(&self.users, &request.body, self.clock.now()),
            ("GET", ["", "users", id]) => users::read(&self.users, id),
            ("GET", ["", "users", id, "posts"]) => users::posts(&self.users, id),
            ("POST", ["", "api", "users", "register"]) => self.registration.register(&request.body),
            ("GET", ["", "posts"]) => Ok(self.blog.list()),
            ("POST", ["", "posts"]) => self.blog.create(&request.body),
            ("GET", ["", "posts", id]) => self.blog.read(id),
            ("PUT", ["", "posts", id]) => self.blog.replace(id, &request.body),
            ("DELETE", ["", "posts", id]) => self.blog.delete(id),
            // rule: users/wrong-method
            _ => Err(Failure::PathUnknown),
        }
    }
}
