//! Cases of the chapter tokens: JWT-style tokens, as issued and as presented.

pub(crate) mod foreign;
pub(crate) mod holder;
pub(crate) mod issued;
pub(crate) mod lifetime;
pub(crate) mod malformed;
