//! Cases of the chapter api-keys: `POST` and `GET /auth/api-keys`.

pub(crate) mod creation;
pub(crate) mod fields;
pub(crate) mod keeper;
pub(crate) mod listing;
