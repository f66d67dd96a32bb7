//! The demonstration interfaces: users and posts over REST, registration, blog, GraphQL in full and reduced.
//! No credential is asked for anywhere.

mod answers;
mod document;
mod execute;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
mod introspection;
pub(crate) mod rest;
mod schema;
