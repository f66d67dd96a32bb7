//! Cases about the demonstration interfaces: users, posts, GraphQL in both forms, registration, blog.

use crate::case::Case;

pub(crate) mod blog;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
pub(crate) mod posts;
pub(crate) mod signup;
pub(crate) mod users;

/// The tables of all chapters of this folder.
pub(crate) const TABLES: &[&[Case]] = &[
    users::reading::CASES,
    users::creation::CASES,
    users::refusals::CASES,
    users::answers::CASES,
    users::preflight::CASES,
    users::paths::CASES,
    posts::CASES,
    graphql::queries::CASES,
    graphql::nesting::CASES,
    graphql::deep::CASES,
    graphql::bounds::CASES,
    graphql::http::CASES,
    graphql::mutation::CASES,
    graphql::schema::CASES,
    graphql::transport::CASES,
    graphql_reduced::forms::CASES,
    graphql_reduced::refusals::CASES,
    graphql_reduced::transport::CASES,
    graphql_reduced::open::CASES,
    signup::accepted::CASES,
    signup::refused::CASES,
    blog::entries::CASES,
    blog::absent::CASES,
];
