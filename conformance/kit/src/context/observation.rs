//! What a case observed of a rule that the documents leave open. Never a failure.

/// An open rule and the accepted reading that the implementation follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The rule's id.
    pub rule: String,
    /// The id of the reading, after its subject if there are several; or the free text reported.
    pub reading: String,
    /// The same in words.
    pub meaning: String,
}
