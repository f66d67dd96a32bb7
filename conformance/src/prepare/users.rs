//! Users of a case's own, and their ways in.

use serde_json::json;

use crate::case::Stop;
use crate::expect::Reply;
use crate::trial::Trial;

/// A user the target has registered for a case.
#[derive(Debug, Clone)]
pub struct MadeUser {
    /// Id as answered.
    pub id: String,
    /// E-mail, unique to the case.
    pub email: String,
    /// Password.
    pub password: String,
}

/// What a login or a verification issued.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// Session token.
    pub session: String,
    /// JWT-style token.
    pub jwt: String,
}

/// Long, mixed, and valid under any sensible policy.
pub const PASSWORD: &str = "Una-clave-larga-2026!";

impl Trial<'_> {
    /// Registers a user with that role; the e-mail is unique.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target does not answer 201.
    pub fn register(&self, role: &str) -> Result<MadeUser, Stop> {
        let email = format!("{}@example.test", self.unique("user"));
        let body = json!({ "email": email, "password": PASSWORD, "nombre": "Prueba", "role": role });
        let reply = self.post("/auth/registro").json(&body).send()?.prepared("registering a user", 201)?;
        Ok(MadeUser { id: reply.text_at("/id"), email, password: PASSWORD.into() })
    }

    /// Sends a login, and takes whatever answer comes.
    ///
    /// # Errors
    /// [`Stop::NoAnswer`] when none comes.
    pub fn try_log_in(&self, email: &str, password: &str) -> Result<Reply, Stop> {
        let body = json!({ "email": email, "password": password });
        self.post("/auth/login").json(&body).send()
    }

    /// The JSON pointer of a field of the principal, under the key the profile names.
    pub fn principal_field(&self, field: &str) -> String {
        let key = self.target().principal.replace('~', "~0").replace('/', "~1");
        format!("/{key}/{field}")
    }

    /// Logs in a user without a second factor.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when no tokens come.
    pub fn log_in(&self, email: &str, password: &str) -> Result<Tokens, Stop> {
        let reply = self.try_log_in(email, password)?;
        let reply = reply.prepared("logging in", 200)?;
        let (session, jwt) = (reply.text_at("/tokens/sessionToken"), reply.text_at("/tokens/jwtToken"));
        if session.is_empty() || jwt.is_empty() {
            let why = format!("want tokens.sessionToken and tokens.jwtToken, got {}", reply.received().text());
            return Err(Stop::Blocked { step: "logging in".into(), why });
        }
        Ok(Tokens { session, jwt })
    }

    /// Registers a user with that role and logs it in.
    ///
    /// # Errors
    /// As [`Self::register`] and [`Self::log_in`].
    pub fn register_and_log_in(&self, role: &str) -> Result<(MadeUser, Tokens), Stop> {
        let user = self.register(role)?;
        let tokens = self.log_in(&user.email, &user.password)?;
        Ok((user, tokens))
    }
}
