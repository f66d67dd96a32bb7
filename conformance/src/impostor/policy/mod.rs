//! The steps of the impostor: what its model asks wherever an implementer may err or choose. Decides nothing.
//!
//! The default is right by the documents. A fault puts a wrong step in its place, a permitted reading another right one; the model
//! never asks which fault or reading it came from.

pub(crate) mod auth;
mod books;
pub(crate) mod demo;
mod http;
mod initial;
pub(crate) mod two_factor;

pub use auth::AuthPolicy;
pub use books::BooksPolicy;
pub(crate) use books::{
    BookPermissions, Collection, CreateWithId, FechaPublicacion, FirstCheck, Record, RefusedCreate, UnsupportedMethod,
    Write,
};
pub use demo::DemoPolicy;
pub use http::HttpPolicy;
pub(crate) use http::{Header, HeaderGroups, ListEtagCovers, revalue};
pub use initial::InitialPolicy;
pub use two_factor::TwoFactorPolicy;

use super::model::list::steps::ListSteps;

/// Everything that may be done otherwise, by area.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Lists: filters, sort, page, field selection.
    pub list: ListSteps,
    /// How books are created, read, replaced, deleted and kept.
    pub books: BooksPolicy,
    /// Paths, header groups, validators, error bodies, version labels.
    pub http: HttpPolicy,
    /// Credentials, registration, login, sessions, tokens, API keys.
    pub auth: AuthPolicy,
    /// The second factor: codes, backup codes, lockout, devices, pending logins.
    pub two_factor: TwoFactorPolicy,
    /// What the service starts with.
    pub initial: InitialPolicy,
    /// The demonstration interfaces.
    pub demo: DemoPolicy,
    /// The addresses of the catalogue.
    pub(crate) faces: Faces,
}

/// How many addresses the catalogue has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Faces {
    /// One.
    #[default]
    One,
    /// Two, which are one service but for this.
    Two(Apart),
}

/// What the second address does not share with the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Apart {
    /// Each knows the sessions that it has given.
    Sessions,
    /// Each counts the failed codes that it was sent.
    Attempts,
    /// The second reads books as they were when it was last asked for one.
    Reads,
    /// The second gives the id behind those that were there when it last gave one.
    Ids,
}
