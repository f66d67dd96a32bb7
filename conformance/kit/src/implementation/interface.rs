//! The interfaces of the documents. Knows no address.

use std::fmt;

use crate::worded;

worded! {
    /// An interface of the documents; each has its own URL, and its key under `[urls]`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Interface by key {
        /// `/libros`, `/auth`, `/2fa`.
        Catalogue = "catalogue",
        Users = "users",
        Graphql = "graphql",
        GraphqlReduced = "graphql_reduced",
        /// `POST /api/users/register`.
        Registration = "registration",
        /// The blog outline, `/posts`.
        Blog = "blog",
    }
}

impl Interface {
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|interface| interface.key() == key)
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
