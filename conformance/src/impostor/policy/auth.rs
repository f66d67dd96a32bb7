//! What the impostor does wherever an implementer may slip or choose: credentials, registration, login, sessions, tokens, API keys. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct AuthPolicy {}
