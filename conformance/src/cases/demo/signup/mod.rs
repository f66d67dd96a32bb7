//! Cases of the chapter signup: `POST /api/users/register`.

pub(crate) mod accepted;
pub(crate) mod bodies;
pub(crate) mod refused;
