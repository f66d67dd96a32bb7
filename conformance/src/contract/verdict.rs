//! What a case returns: that everything held, or why it stopped.
//!
//! Judges nothing; sends nothing.

use std::fmt;

use crate::contract::violation::Mismatch;

/// What a case returns: nothing when everything held.
pub type CaseResult = Result<(), CaseError>;

/// Why a case stopped before its end.
#[derive(Debug, Clone)]
pub enum CaseError {
    /// A rule does not hold.
    Mismatch(Box<Mismatch>),
    /// The target gave no (readable) answer at all.
    NoAnswer(NoAnswer),
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

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer {
    /// In a sentence.
    pub why: String,
    /// Whether the time for it was over; no sentence of the documents gives one.
    pub is_late: bool,
}

impl NoAnswer {
    /// The same, to that request.
    pub(crate) fn to(self, asked: impl fmt::Display) -> Self {
        Self { why: format!("{asked}: {}", self.why), ..self }
    }
}

impl From<String> for NoAnswer {
    fn from(why: String) -> Self {
        Self { why, is_late: false }
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl From<Mismatch> for CaseError {
    fn from(mismatch: Mismatch) -> Self {
        Self::Mismatch(Box::new(mismatch))
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
        if let Self::Mismatch(mismatch) = &mut self
            && mismatch.exchanges.is_empty()
        {
            mismatch.exchanges.extend_from_slice(numbers);
        }
        self
    }

    /// The numbers of the exchanges in which it was seen, where any show it; the one judged is the last.
    pub(crate) fn exchanges(&self) -> &[u32] {
        match self {
            Self::Mismatch(mismatch) => &mismatch.exchanges,
            Self::Blocked { exchange, .. } => exchange.as_slice(),
            _ => &[],
        }
    }
}
