//! The reference server of the Library Catalogue Service: every rule of the two documents, fast, and readable as a model.
//!
//! The way of a request: bytes -> [`transport`] reads it whole, within limits -> [`message::Request`] ->
//! [`catalogue::route()`], pure; what ends there ends before any credential -> [`auth`] yields a principal or a failure ->
//! a handler of [`books`], [`auth`] or [`two_factor`] -> an answer or a failure -> one table renders failures -> a
//! validator may turn the answer into a 304 -> one place dresses it with headers -> bytes. [`demo`] holds the interfaces
//! of the second document, each on its own.
//!
//! What holds everywhere:
//! - [`query`] knows no HTTP, no clock and no store; sockets stay in [`transport`], time in [`clock`], chance in [`entropy`].
//! - Readers never wait for writers or the disk; a write is answered once it is durable ([`store`]).
//! - No lock is held while waiting, and a panic stays within its request.
//! - A comment that names a rule of `seeds/rules` stands at the line that decides it.

pub mod app;
pub mod auth;
pub mod books;
pub mod catalogue;
pub mod clock;
pub mod config;
pub mod context;
pub mod control;
pub mod demo;
pub mod entropy;
pub mod json;
pub mod logging;
pub mod message;
pub mod query;
pub mod store;
pub mod transport;
pub mod two_factor;

pub use app::run;
