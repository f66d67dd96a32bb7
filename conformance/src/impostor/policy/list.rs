//! What the impostor does wherever an implementer may slip or choose: how a list filters, sorts and selects. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct ListPolicy {
    /// Whether `min_` keeps a field equal to the value.
    pub min: Bound,
}

/// A bound of a range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bound {
    /// Keeps what is equal to it.
    #[default]
    Inclusive,
    /// Drops what is equal to it.
    Exclusive,
}
