//! The interfaces of the documents. Knows no address.

use std::fmt;

/// An interface of the documents; each has its own URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interface {
    /// `/libros`, `/auth`, `/2fa`.
    Catalogue,
    Users,
    Graphql,
    GraphqlReduced,
    /// `POST /api/users/register`.
    Registration,
    /// The blog outline, `/posts`.
    Blog,
}

impl Interface {
    pub const ALL: [Self; 6] =
        [Self::Catalogue, Self::Users, Self::Graphql, Self::GraphqlReduced, Self::Registration, Self::Blog];

    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interface| interface.key() == key)
    }

    /// Its key under `[urls]`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Catalogue => "catalogue",
            Self::Users => "users",
            Self::Graphql => "graphql",
            Self::GraphqlReduced => "graphql_reduced",
            Self::Registration => "registration",
            Self::Blog => "blog",
        }
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
