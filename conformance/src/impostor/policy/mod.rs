//! The typed policy of the impostor: what its model does wherever an implementer may err or choose. Holds values, decides nothing.
//!
//! The default is right by the documents. A fault sets a wrong value, a permitted reading another right one; the model asks the
//! value and never which fault or reading it came from.

pub(crate) mod auth;
mod books;
pub(crate) mod demo;
mod faces;
mod http;
mod initial;
pub(crate) mod list;
mod odd;
pub(crate) mod paging;
pub(crate) mod two_factor;

pub use auth::AuthPolicy;
pub use books::BooksPolicy;
pub(crate) use books::{
    BlankText, BookPermissions, Collection, CreatePolicy, CreateWithId, FechaPublicacion, FieldOrder, FirstCheck,
    ListOrder, OtherType, Passes, Place, ReadsFirst, ReadsFrom, Record, RefusedCreate, RefusedDelete, Removes,
    UnknownId, UnsupportedMethod, Version, Write,
};
pub use demo::DemoPolicy;
pub(crate) use faces::{Apart, Faces};
pub use http::HttpPolicy;
pub(crate) use http::{
    EtagForm, Header, HeaderGroups, IfNoneMatch, ListEtagCovers, NotModified, RequestContentType, SessionsAfterFailure,
    revalue,
};
pub use initial::InitialPolicy;
pub use list::ListPolicy;
pub(crate) use odd::OddValue;
pub use paging::PagingPolicy;
pub use two_factor::TwoFactorPolicy;

/// Everything that may be done otherwise, by area.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// How a list filters, sorts and selects.
    pub list: ListPolicy,
    /// How page and limit are read and a page is told.
    pub paging: PagingPolicy,
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
