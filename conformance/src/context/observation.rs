//! What a case has seen of a rule that the documents leave open. Never a failure.

/// An open rule, and which of its accepted readings the target follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The rule's id.
    pub rule: String,
    /// The id of the reading seen, behind what it was seen of where there are several; or what was told.
    pub reading: String,
    /// The same in words.
    pub meaning: String,
}
