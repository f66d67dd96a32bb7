//! How JWT-style tokens are issued and read. The default is right.

use serde_json::Value;

use super::Rights;
use crate::impostor::model::accounts::jwt;
use crate::impostor::model::records::User;

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct JwtPolicy {
    pub(crate) header: fn() -> Value,
    pub(crate) payload: fn(&User, i64) -> Value,
    pub(crate) bytes: fn(&Value) -> Vec<u8>,
    pub(crate) join: fn(&str, &str) -> String,
    pub(crate) issued_in: Alphabet,
    pub(crate) read_in: ReadAlphabet,
    pub(crate) well_formed: fn(&[&str]) -> bool,
    pub(crate) expired: fn(Option<&Value>, f64) -> bool,
    pub(crate) unknown_user: UnknownUser,
    /// Whether the user must have a session as well.
    pub(crate) needs_session: bool,
    pub(crate) rights: Rights,
    /// What stands in creadoPor.
    pub(crate) named_by: fn(&User) -> String,
}

impl Default for JwtPolicy {
    fn default() -> Self {
        Self {
            header: jwt::header,
            payload: jwt::payload,
            bytes: jwt::bytes,
            join: jwt::join,
            issued_in: Alphabet::default(),
            read_in: ReadAlphabet::default(),
            well_formed: jwt::well_formed,
            expired: jwt::expired,
            unknown_user: UnknownUser::default(),
            needs_session: false,
            rights: Rights::OfUser,
            named_by: |user| user.email.clone(),
        }
    }
}

/// The alphabet of issued tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Alphabet {
    #[default]
    Standard,
    UrlSafe,
}

/// The alphabet of presented tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ReadAlphabet {
    #[default]
    Either,
    AsIssued,
}

/// What a token of an unknown e-mail comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UnknownUser {
    #[default]
    Refused,
    LetIn,
}
