//! The user or client of a valid credential. Knows neither users nor clients.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Principal {
    Client {
        name: String,
    },
    /// A user, by session token or by JWT.
    User {
        email: String,
    },
}

impl Principal {
    /// The value of `creadoPor` and `actualizadoPor`: the user's e-mail, or the API client's name.
    pub(crate) fn author(&self) -> &str {
        match self {
            Self::User { email } => email,
            Self::Client { name } => name,
        }
    }
}
