//! What the impostor does wherever replicas of one service may err: how many addresses the catalogue has, and what they keep apart. The
//! default is right.

/// How many addresses the catalogue has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Faces {
    /// One.
    #[default]
    One,
    /// Two, which are one service but for this.
    Two(Apart),
}

/// What the second address does not share with the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Apart {
    /// Each knows the sessions that it has given.
    Sessions,
    /// Each counts the failed codes that it was sent.
    Attempts,
    /// The second reads books as they were when it was last asked for one.
    Reads,
    /// The second gives the id behind those that were there when it last gave one.
    Ids,
}
