//! Cases of the chapter registration: `POST /auth/registro`.

pub(crate) mod answers;
pub(crate) mod bodies;
pub(crate) mod emails;
pub(crate) mod fields;
pub(crate) mod roles;
