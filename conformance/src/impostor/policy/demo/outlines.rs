//! What the registration route and the blog decide, which the document only outlines.

use serde_json::Value;

use super::NewId;

#[derive(Clone, Debug)]
pub(crate) struct SignupPolicy {
    /// The e-mail of a registration, or none when it is refused. None: the model's own.
    pub(crate) email: Option<fn(Option<&Value>) -> Option<String>>,
    /// Whether the password is taken. None: the model's own.
    pub(crate) takes_password: Option<fn(Option<&Value>) -> bool>,
    pub(crate) taken_email: TakenEmail,
    pub(crate) new_id: NewId,
}

impl Default for SignupPolicy {
    fn default() -> Self {
        Self { email: None, takes_password: None, taken_email: TakenEmail::default(), new_id: NewId::Count }
    }
}

/// What an e-mail gets that is registered already.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum TakenEmail {
    #[default]
    Refused,
    Conflict,
    RegisteredAgain,
}

#[derive(Clone, Debug)]
pub(crate) struct BlogPolicy {
    /// Status of an entry without a title.
    pub(crate) untitled: u16,
    pub(crate) replaced_unknown: UnknownEntry,
    /// Whether the list shows entries that were deleted.
    pub(crate) lists_deleted: bool,
}

impl Default for BlogPolicy {
    fn default() -> Self {
        Self { untitled: 400, replaced_unknown: UnknownEntry::default(), lists_deleted: false }
    }
}

/// What replacing an unknown entry does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UnknownEntry {
    #[default]
    NotFound,
    Created,
}
