//! Cases about the demonstration interfaces: users, posts, GraphQL in both forms, registration, blog.

pub mod blog;
pub mod graphql;
pub mod graphql_reduced;
pub mod posts;
pub mod signup;
pub mod users;
