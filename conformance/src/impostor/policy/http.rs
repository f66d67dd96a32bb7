//! What the impostor does wherever an implementer may slip or choose: paths, header groups, validators, error bodies, version labels. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct HttpPolicy {}
