//! The result of a case: everything held, or why it stopped.

use std::fmt;

use crate::violation::{Got, Mismatch, Place, Want};

pub type CaseResult<T = ()> = Result<T, CaseError>;

#[derive(Debug, Clone)]
pub enum CaseError {
    Mismatch(Box<Mismatch>),
    NoAnswer(NoAnswer),
    /// A preparation failed, so no rule was judged.
    Blocked {
        step: String,
        why: String,
        exchanges: Vec<u32>,
    },
    /// The control listener failed.
    Hook(String),
    /// The suite itself is wrong.
    Broken(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer {
    pub why: String,
    /// Whether the time limit of the run passed; the documents set none.
    pub is_late: bool,
    /// Whether an answer came that is too long, or is not HTTP.
    pub is_unreadable: bool,
}

impl NoAnswer {
    /// Puts what was asked before the reason.
    pub fn for_request(self, asked: impl fmt::Display) -> Self {
        Self { why: format!("{asked}: {}", self.why), ..self }
    }
}

impl From<String> for NoAnswer {
    fn from(why: String) -> Self {
        Self { why, is_late: false, is_unreadable: false }
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
    pub fn blocked(step: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Blocked { step: step.into(), why: why.into(), exchanges: Vec::new() }
    }

    /// For preparations: blocks the case unless the condition holds.
    pub fn blocked_unless(holds: bool, step: &str, why: impl Into<String>) -> CaseResult {
        if holds { Ok(()) } else { Err(Self::blocked(step, why)) }
    }

    /// Adds the numbers of the exchanges that show it, the judged one last, unless it has some.
    #[must_use]
    pub fn seen_in(mut self, numbers: &[u32]) -> Self {
        let exchanges = match &mut self {
            Self::Mismatch(mismatch) => &mut mismatch.exchanges,
            Self::Blocked { exchanges, .. } => exchanges,
            _ => return self,
        };
        if exchanges.is_empty() {
            exchanges.extend_from_slice(numbers);
        }
        self
    }

    /// The numbers of the exchanges that show it, the judged one last.
    pub fn exchanges(&self) -> &[u32] {
        match self {
            Self::Mismatch(mismatch) => &mismatch.exchanges,
            Self::Blocked { exchanges, .. } => exchanges,
            _ => &[],
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct DeclaredRules(pub &'static [&'static str]);

impl DeclaredRules {
    pub fn resolve(self, named: Option<&'static str>) -> Result<&'static str, CaseError> {
        match (named, self.0) {
            (Some(rule), declared) if declared.contains(&rule) => Ok(rule),
            (Some(rule), _) => Err(CaseError::Broken(format!("the case judges {rule} without declaring it"))),
            (None, [only]) => Ok(only),
            (None, _) => Err(CaseError::Broken("the case declares several rules, and a check names none".into())),
        }
    }

    pub fn check(
        self,
        named: Option<&'static str>,
        holds: bool,
        place: impl Into<Place>,
        want: impl Into<Want>,
        got: impl Into<Got>,
    ) -> CaseResult {
        let rule = self.resolve(named)?;
        if holds { Ok(()) } else { Err(Mismatch::new(rule, place, want, got).into()) }
    }

    pub fn mismatch(
        self,
        named: Option<&'static str>,
        place: impl Into<Place>,
        want: impl Into<Want>,
        got: impl Into<Got>,
    ) -> CaseError {
        self.resolve(named).map_or_else(|error| error, |rule| Mismatch::new(rule, place, want, got).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_names_a_declared_rule_or_the_only_one_is_implied() {
        let (one, two) = (DeclaredRules(&["a/b"]), DeclaredRules(&["a/b", "a/c"]));
        assert!(matches!(one.resolve(None), Ok("a/b")));
        assert!(matches!(two.resolve(Some("a/c")), Ok("a/c")));
        let undeclared = one.check(Some("a/c"), true, "status", 200, 200);
        for stop in [two.resolve(None).map(|_| ()), undeclared, Err(one.mismatch(Some("a/c"), "status", 200, 201))] {
            assert!(matches!(stop, Err(CaseError::Broken(_))), "the suite's fault, even if the condition holds");
        }
    }
}
