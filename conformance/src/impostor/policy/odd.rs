//! What becomes of a sent value that the documents do not foresee. Holds the choice, looks at no value.

/// The choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OddValue {
    /// It is stored as sent.
    Kept,
    /// As if it had not been sent.
    AsAbsent,
    /// 400.
    Refused,
}

impl OddValue {
    /// The value to go on with; nothing when it is refused.
    pub(crate) fn settle<T>(self, sent: T, default: impl FnOnce() -> T) -> Option<T> {
        match self {
            Self::Kept => Some(sent),
            Self::AsAbsent => Some(default()),
            Self::Refused => None,
        }
    }
}
