//! The contract: rules, verdicts and violations. Knows no implementation and no case.

pub mod declared_rules;
pub mod edition;
pub mod excerpt;
pub mod ledger;
pub mod locations;
pub mod renamed;
pub mod rule;
pub(crate) mod sentences;
pub mod since;
pub mod verdict;
pub mod violation;
