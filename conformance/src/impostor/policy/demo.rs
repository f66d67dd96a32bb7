//! What the impostor does wherever an implementer may slip or choose: the demonstration interfaces. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct DemoPolicy {}
