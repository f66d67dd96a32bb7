//! The verdicts on a case and on a run, and their words in reports.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Pass,
    Fail,
    /// Everything held, and all of it was open: the reading seen is reported.
    Noted,
    ExpectedFail,
    UnexpectedPass,
    /// Not run: something it needs is not there.
    Skipped,
    /// A step before the one judged failed, or no answer came in time.
    Blocked,
    Flaky,
    Broken,
}

impl Verdict {
    pub const ALL: [Self; 9] = [
        Self::Pass,
        Self::Fail,
        Self::Noted,
        Self::ExpectedFail,
        Self::UnexpectedPass,
        Self::Skipped,
        Self::Blocked,
        Self::Flaky,
        Self::Broken,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Noted => "noted",
            Self::ExpectedFail => "expected-fail",
            Self::UnexpectedPass => "unexpected-pass",
            Self::Skipped => "skipped",
            Self::Blocked => "blocked",
            Self::Flaky => "flaky",
            Self::Broken => "broken",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunVerdict {
    /// All stated rules of the interfaces offered were judged, and hold.
    Conformant,
    /// Nothing failed, but some stated rules were not judged, or a case was flaky.
    Partial,
    Undecided,
    NotConformant,
    NothingJudged,
    Interrupted,
    /// The target stopped answering, or nothing failed but its hook.
    Unreachable,
}

impl RunVerdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::Partial => "partial",
            Self::Undecided => "undecided",
            Self::NotConformant => "not-conformant",
            Self::NothingJudged => "nothing-judged",
            Self::Interrupted => "interrupted",
            Self::Unreachable => "unreachable",
        }
    }
}
