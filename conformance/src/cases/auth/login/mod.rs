//! Cases of the chapter login: `POST /auth/login`.

pub(crate) mod first_shape;
pub(crate) mod known_devices;
pub(crate) mod refusals;
pub(crate) mod second_factor;
