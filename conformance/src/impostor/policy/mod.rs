//! The steps of the impostor: what its model asks wherever an implementer may err or choose. Decides nothing.
//!
//! The default is right by the documents. A fault puts a wrong step in its place, a permitted reading another right one; the model
//! never asks which fault or reading it came from.

pub(crate) mod auth;
mod books;
pub(crate) mod demo;
mod faces;
mod http;
mod initial;
pub(crate) mod two_factor;

pub use auth::AuthPolicy;
pub use books::BooksPolicy;
pub(crate) use books::{
    BookPermissions, Collection, CreateWithId, FechaPublicacion, FirstCheck, ReadsFrom, Record, RefusedCreate,
    RefusedDelete, Removes, UnsupportedMethod, Write,
};
pub use demo::DemoPolicy;
pub(crate) use faces::{Apart, Faces};
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
