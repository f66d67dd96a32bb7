//! The reference server of the Library Catalogue Service.

pub mod auth;
pub mod books;
pub mod catalogue;
pub mod clock;
pub mod context;
pub mod demo;
pub mod entropy;
pub mod json;
pub mod message;
pub mod query;
pub mod store;
pub mod two_factor;
