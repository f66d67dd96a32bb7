//! What a case returns: that everything held, or why it stopped.
//!
//! Judges nothing; sends nothing.

use crate::contract::excerpt::excerpts;

/// The place of a mismatch where an open rule is read in a way that it does not accept.
pub(crate) const ANY_READING: &str = "any accepted reading";

/// What a case returns: nothing when everything held.
pub type CaseResult = Result<(), CaseError>;

/// Why a case stopped before its end.
#[derive(Debug, Clone)]
pub enum CaseError {
    /// A rule does not hold.
    Mismatch(Mismatch),
    /// The target gave no (readable) answer at all.
    NoAnswer(String),
    /// A step before the one judged failed.
    Blocked {
        /// What was being prepared.
        step: String,
        /// What came instead.
        why: String,
        /// The exchange of the case in which that was seen, by its number.
        exchange: Option<u32>,
    },
    /// The hook of the target failed.
    Hook(String),
    /// The suite itself is at fault.
    Broken(String),
}

/// A rule that does not hold, and where that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The rule's id.
    pub rule: String,
    /// Where in the exchange: `status`, `header ETag`, `body /datos/0/id`.
    pub place: String,
    /// What the rule asks for.
    pub want: String,
    /// What came.
    pub got: String,
    /// The exchanges of the case that show it together, by their numbers, the one judged last; none where no few of them do.
    pub exchanges: Vec<u32>,
}

impl Mismatch {
    /// Place, want and got in one line, long values cut around their first difference.
    pub(crate) fn told(&self) -> String {
        const VALUE_CHARS: usize = 300;
        let [want, got] = excerpts(&self.want, &self.got, VALUE_CHARS);
        format!("{}: want {want}, got {got}", self.place)
    }
}

impl CaseError {
    /// A preparation that failed, and what came instead.
    pub(crate) fn blocked(step: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Blocked { step: step.into(), why: why.into(), exchange: None }
    }

    /// The same, seen in the exchange of that number unless it was seen in another already.
    #[must_use]
    pub(crate) fn seen_in(mut self, number: u32) -> Self {
        if let Self::Blocked { exchange, .. } = &mut self {
            exchange.get_or_insert(number);
        }
        self.seen_in_all(&[number])
    }

    /// A mismatch that exchanges of these numbers show together, the one judged last, unless others were named already.
    #[must_use]
    pub(crate) fn seen_in_all(mut self, numbers: &[u32]) -> Self {
        if let Self::Mismatch(Mismatch { exchanges, .. }) = &mut self
            && exchanges.is_empty()
        {
            exchanges.extend_from_slice(numbers);
        }
        self
    }

    /// The numbers of the exchanges in which it was seen, where any show it; the one judged is the last.
    pub(crate) fn exchanges(&self) -> &[u32] {
        match self {
            Self::Mismatch(Mismatch { exchanges, .. }) => exchanges,
            Self::Blocked { exchange, .. } => exchange.as_slice(),
            _ => &[],
        }
    }
}
