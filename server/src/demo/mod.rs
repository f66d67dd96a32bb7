//! The interfaces of the second document: users and posts, registration, blog, and GraphQL in two forms.
//!
//! None of them checks a credential, and none touches the store of the catalogue: what they hold lives in memory, each with
//! its own copy of the initial users and posts.

mod blog;
mod body;
mod document;
mod failure;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
mod registration_outline;
mod reply;
pub(crate) mod rest;
mod users;
mod users_store;
