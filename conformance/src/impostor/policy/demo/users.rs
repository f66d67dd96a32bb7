//! What the users and posts interface decides.

use serde_json::Value;

use super::{Headers, NewId, PostsShown, Preflight, PreflightElsewhere};

/// The CORS headers of OPTIONS as the document prints them.
pub(crate) const USERS_PREFLIGHT: Headers = &[
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET,POST,OPTIONS"),
    ("Access-Control-Allow-Headers", "Content-Type"),
];

/// Takes the field of a body as it is kept, or refuses it. None: the model's own.
pub(crate) type Taken = Option<fn(Option<&Value>) -> Option<Value>>;

#[derive(Clone, Debug)]
pub(crate) struct UsersPolicy {
    pub(crate) preflight: Preflight,
    /// Headers of every other answer, beside Content-Type.
    pub(crate) headers: Headers,
    pub(crate) credentials: Credentials,
    pub(crate) trailing_slash: TrailingSlash,
    /// Statuses.
    pub(crate) wrong_method: u16,
    pub(crate) unknown_path: u16,
    pub(crate) malformed: u16,
    pub(crate) name: Taken,
    pub(crate) age: Taken,
    pub(crate) other_fields: OtherFields,
    pub(crate) new_id: NewId,
    pub(crate) posts: PostsShown,
}

impl Default for UsersPolicy {
    fn default() -> Self {
        Self {
            preflight: Preflight { status: 204, headers: USERS_PREFLIGHT, unknown_path: PreflightElsewhere::default() },
            headers: &[],
            credentials: Credentials::default(),
            trailing_slash: TrailingSlash::default(),
            wrong_method: 404,
            unknown_path: 404,
            malformed: 400,
            name: None,
            age: None,
            other_fields: OtherFields::default(),
            new_id: NewId::default(),
            posts: PostsShown::default(),
        }
    }
}

/// What an Authorization header means here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Credentials {
    #[default]
    Ignored,
    Refused,
}

/// What a slash at the end of a path means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum TrailingSlash {
    #[default]
    AnotherPath,
    Ignored,
}

/// What becomes of fields other than name and age.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum OtherFields {
    #[default]
    Dropped,
    Stored,
}
