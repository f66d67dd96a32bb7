//! The rules a case declares: a check may name no other, and need not name an only one.

use crate::verdict::{CaseError, CaseResult};
use crate::violation::{Got, Mismatch, Place, Want};

#[derive(Debug, Clone, Copy)]
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
