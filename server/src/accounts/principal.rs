//! The user or client of a valid credential. Knows neither users nor clients.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Principal {
    /// The name of an API client.
    Client(String),
    /// The e-mail of a user, by session token or by JWT.
    User(String),
}

impl Principal {
    /// The value of `creadoPor` and `actualizadoPor`: the user's e-mail, or the API client's name.
    pub(crate) fn author(&self) -> &str {
        let (Self::User(author) | Self::Client(author)) = self;
        author
    }
}
