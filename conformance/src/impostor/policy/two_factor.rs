//! What the impostor does wherever an implementer may slip or choose: the second factor: codes, backup codes, lockout, devices, pending logins. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct TwoFactorPolicy {}
