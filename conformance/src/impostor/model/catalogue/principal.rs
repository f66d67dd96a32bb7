//! Who is asking, once a credential holds, and whether the permissions they hold are enough. Reads no credential.

use super::request_context::RequestContext;

/// The holder of the credential.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    /// The e-mail of a user; an API client has none.
    pub(crate) email: Option<String>,
    /// The value of creadoPor: the user's e-mail or the client's name.
    pub(crate) name: String,
}

/// Whether these permissions are enough.
pub(crate) fn allows(cx: &RequestContext<'_>, held: &[String], needed: Option<&str>) -> bool {
    needed.is_none_or(|needed| (cx.policy().auth.credentials.holds)(held, needed))
}
