//! Who a credential belongs to, and what its holder may do.

use super::request_context::RequestContext;
use crate::accounts::permissions::Operation;

/// The holder of the credential.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    /// The e-mail of a user; an API client has none.
    pub(crate) email: Option<String>,
    /// The value of creadoPor: the user's e-mail or the client's name.
    pub(crate) name: String,
}

/// Whether these permissions are enough.
pub(crate) fn allows(cx: &RequestContext<'_>, held: &[String], operation: Operation) -> bool {
    let needed = (cx.steps.auth.permission)(operation);
    needed.is_none_or(|needed| (cx.steps.auth.holds)(held, needed))
}
