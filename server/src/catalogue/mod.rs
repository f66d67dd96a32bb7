//! The catalogue interface: `/libros`, `/auth` and `/2fa` on one listener.
//!
//! route -> guard -> handler -> failure table -> conditional -> headers. Never touches a socket.

mod answer;
mod failure;
mod route;

pub use answer::{Answer, Cache, Dress, Pagination};
pub use failure::Failure;
pub use route::{AuthRoute, BookRoute, Route, TwoFactorRoute, route};
