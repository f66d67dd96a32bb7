//! The interfaces of the second document: users and posts, registration, blog, and GraphQL in two forms.
//!
//! None of them checks a credential, and none touches the store of the catalogue: what they hold lives in memory, and each
//! holds its own copy of the initial users and posts.

#[cfg(test)]
mod agreement;
mod blog;
mod body;
mod document;
mod failure;
pub mod graphql;
pub mod graphql_reduced;
mod people;
mod reply;
pub mod rest;
mod signup;
mod users;
