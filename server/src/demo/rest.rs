//! The listener of the users REST interface, with the registration and the blog outline beside it: which path and method
//! lead where. Source: demonstration-endpoints, "Endpoints".

use http::Method;

use super::blog::Blog;
use super::failure::Failure;
use super::people::People;
use super::reply;
use super::signup::Signup;
use super::users;
use crate::clock::Clock;
use crate::message::{Interface, Refusal, Reply, Request};

/// Users and posts, registration, blog.
#[derive(Debug)]
pub struct Rest {
    clock: Clock,
    people: People,
    signup: Signup,
    blog: Blog,
}

impl Rest {
    /// The interface in its initial state.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, people: People::initial(), signup: Signup::default(), blog: Blog::default() }
    }

    /// Goes back to the initial state. The clock is left alone.
    pub fn reset(&self) {
        self.people.reset();
        self.signup.reset();
        self.blog.reset();
    }

    /// What the path and the method lead to.
    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // No header is looked at. // rule: users/no-credential
        if request.method == Method::OPTIONS {
            return Ok(reply::preflight("GET,POST,OPTIONS")); // rule: users/options-status, users/options-methods
        }
        let segments: Vec<&str> = request.path.split('/').collect();
        match (request.method.as_str(), segments.as_slice()) {
            ("GET", ["", "users"]) => Ok(users::list(&self.people)),
            ("POST", ["", "users"]) => users::create(&self.people, &request.body, self.clock.now()),
            ("GET", ["", "users", id]) => users::read(&self.people, id),
            ("GET", ["", "users", id, "posts"]) => users::posts(&self.people, id),
            ("POST", ["", "api", "users", "register"]) => self.signup.register(&request.body),
            ("GET", ["", "posts"]) => Ok(self.blog.list()),
            ("POST", ["", "posts"]) => self.blog.create(&request.body),
            ("GET", ["", "posts", id]) => self.blog.read(id),
            ("PUT", ["", "posts", id]) => self.blog.replace(id, &request.body),
            ("DELETE", ["", "posts", id]) => self.blog.delete(id),
            _ => Err(Failure::PathUnknown), // rule: users/wrong-method
        }
    }
}

impl Interface for Rest {
    async fn answer(&self, request: &Request) -> Reply {
        self.respond(request).unwrap_or_else(|failure| failure.render())
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        Failure::from(refusal).render()
    }
}
