//! How much a query may ask for: before execution by its shape, fragments followed; during execution by what it has found.
//! [`crate::demo::document`] bounds its text.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use async_graphql::ServerError;
use async_graphql_parser::types::{ExecutableDocument, Field, Selection, SelectionSet};

/// Selections that may stand within each other once fragments are followed; a spread counts as a level.
///
/// Validating and answering descend level by level: up to 27 KiB of stack each, unoptimised. The transport's threads have
/// more than twice as much.
pub(super) const DEPTH_MAX: usize = 256;
/// Fields and spreads a query may have once fragments are followed.
pub(super) const SELECTIONS_MAX: usize = 2_000;
/// Lists of introspection that may stand within each other. Each level multiplies the answer; usual tools need one or two.
pub(super) const INTROSPECTION_LISTS_MAX: usize = 3;
/// Fields an answer may hold beyond those of a plain list of all users.
pub(super) const ANSWER_FIELDS_MAX: usize = 50_000;

/// What a selection costs, fragments followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cost {
    depth: usize,
    selections: usize,
    introspection_lists: usize,
}

/// Checks a query by its shape, in time linear in its text.
///
/// # Errors
/// One that says which limit the query exceeds, or which fragment spreads itself.
pub(super) fn check(document: &ExecutableDocument) -> Result<(), ServerError> {
    let mut meter = Meter { document, fragments: HashMap::new() };
    let mut total = Cost::default();
    for (_, operation) in document.operations.iter() {
        total = total.beside(meter.selection(&operation.node.selection_set.node, 1)?);
    }
    // Fragments that nothing spreads are still validated.
    let mut names: Vec<&str> = document.fragments.keys().map(|name| name.as_str()).collect();
    names.sort_unstable();
    for name in names {
        meter.fragment(name, 1)?;
    }
    total.within_limits()
}

impl Cost {
    /// Two selections of one object.
    fn beside(self, other: Self) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            selections: self.selections.saturating_add(other.selections),
            introspection_lists: self.introspection_lists.max(other.introspection_lists),
        }
    }

    fn within_limits(self) -> Result<(), ServerError> {
        if self.depth > DEPTH_MAX {
            return Err(too_deep());
        }
        if self.selections > SELECTIONS_MAX {
            return Err(limit_error(format!(
                "The query makes more than {SELECTIONS_MAX} selections, fragments followed"
            )));
        }
        if self.introspection_lists > INTROSPECTION_LISTS_MAX {
            return Err(limit_error(format!(
                "The query nests lists of introspection more than {INTROSPECTION_LISTS_MAX} deep"
            )));
        }
        Ok(())
    }
}

struct Meter<'a> {
    document: &'a ExecutableDocument,
    /// The cost of each fragment; `None` while it is being measured.
    fragments: HashMap<&'a str, Option<Cost>>,
}

impl<'a> Meter<'a> {
    fn selection(&mut self, set: &'a SelectionSet, level: usize) -> Result<Cost, ServerError> {
        // Also bounds how far this function descends.
        if level > DEPTH_MAX {
            return Err(too_deep());
        }
        let mut cost = Cost::default();
        for selection in &set.items {
            cost = cost.beside(match &selection.node {
                Selection::Field(field) => self.field(&field.node, level)?,
                Selection::InlineFragment(fragment) => {
                    self.selection(&fragment.node.selection_set.node, level + 1)?.deeper()
                }
                Selection::FragmentSpread(spread) => {
                    self.fragment(spread.node.fragment_name.node.as_str(), level + 1)?.deeper()
                }
            });
        }
        Ok(cost)
    }

    fn field(&mut self, field: &'a Field, level: usize) -> Result<Cost, ServerError> {
        let cost = self.selection(&field.selection_set.node, level + 1)?.deeper();
        let is_list = matches!(field.name.node.as_str(), "fields" | "interfaces" | "possibleTypes" | "inputFields");
        Ok(Cost { introspection_lists: cost.introspection_lists + usize::from(is_list), ..cost })
    }

    fn fragment(&mut self, name: &'a str, level: usize) -> Result<Cost, ServerError> {
        match self.fragments.get(name) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err(limit_error(format!("The fragment {name} spreads itself"))),
            None => {}
        }
        // An unknown fragment is for the validation to name.
        let Some(fragment) = self.document.fragments.get(name) else {
            return Ok(Cost::default());
        };
        self.fragments.insert(name, None);
        let cost = self.selection(&fragment.node.selection_set.node, level)?;
        self.fragments.insert(name, Some(cost));
        Ok(cost)
    }
}

impl Cost {
    fn deeper(self) -> Self {
        Self { depth: self.depth.saturating_add(1), selections: self.selections.saturating_add(1), ..self }
    }
}

fn too_deep() -> ServerError {
    limit_error(format!("The query is nested more than {DEPTH_MAX} deep, fragments followed"))
}

fn limit_error(text: String) -> ServerError {
    ServerError::new(text, None)
}

/// How many more fields the answer to one query may hold.
#[derive(Debug)]
pub(super) struct Budget {
    /// Below 0 once more was asked for.
    left: AtomicI64,
}

/// The answer would hold too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The answer would hold more than {ANSWER_FIELDS_MAX} fields")]
pub(super) struct Exhausted;

impl Budget {
    /// Enough for four fields of each of `users` users, and then [`ANSWER_FIELDS_MAX`].
    pub(super) fn for_users(users: usize) -> Self {
        Self { left: AtomicI64::new(signed(users.saturating_mul(4).saturating_add(ANSWER_FIELDS_MAX))) }
    }

    /// Takes `fields` off; after one failure every later charge fails.
    ///
    /// # Errors
    /// [`Exhausted`] when there were not that many left.
    pub(super) fn charge(&self, fields: usize) -> Result<(), Exhausted> {
        let _ = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(signed(fields))));
        self.balance()
    }

    /// Whether the budget covered everything charged so far.
    ///
    /// # Errors
    /// [`Exhausted`] when it did not.
    pub(super) fn balance(&self) -> Result<(), Exhausted> {
        if self.left.load(Ordering::Relaxed) < 0 { Err(Exhausted) } else { Ok(()) }
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_graphql_parser::parse_query;
    use std::fmt::Write as _;

    fn verdict(text: &str) -> String {
        let document = parse_query(text).expect("GraphQL");
        check(&document).map_or_else(|error| error.message, |()| "fine".to_owned())
    }

    #[test]
    fn selections_are_counted_where_they_are_spread() {
        let spread =
            |times: usize| format!("{{ {} }} fragment F on Query {{ {} }}", "...F ".repeat(times), "a ".repeat(99));
        // The fragment itself is validated, too, but counted where it is spread.
        assert_eq!(verdict(&spread(20)), "fine");
        assert_eq!(verdict(&spread(21)), TOO_MANY);
    }

    const TOO_MANY: &str = "The query makes more than 2000 selections, fragments followed";

    #[test]
    fn fragments_that_double_each_other_are_measured_at_once() {
        let mut text = String::from("{ ...F0 } fragment F60 on Query { a }");
        for number in 0..60 {
            let _ = write!(text, " fragment F{number} on Query {{ ...F{next} ...F{next} }}", next = number + 1);
        }
        assert_eq!(verdict(&text), TOO_MANY);
    }

    #[test]
    fn fragments_may_not_stretch_the_depth_nor_spread_themselves() {
        let chain = |length: usize| {
            let mut text = format!("{{ ...F0 }} fragment F{length} on Query {{ a }}");
            for number in 0..length {
                let _ = write!(text, " fragment F{number} on Query {{ a {{ ...F{} }} }}", number + 1);
            }
            text
        };
        assert_eq!(verdict(&chain(10)), "fine");
        assert_eq!(verdict(&chain(5_000)), "The query is nested more than 256 deep, fragments followed");
        let ring = "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }";
        assert_eq!(verdict(ring), "The fragment A spreads itself");
        assert_eq!(verdict("{ a } fragment A on Query { b { ...A } }"), "The fragment A spreads itself");
        assert_eq!(verdict("{ ...Unknown }"), "fine");
    }

    #[test]
    fn lists_of_introspection_may_be_nested_three_deep() {
        let nested = |depth: usize| {
            format!("{{ __schema {{ types {}{{ name }}{} }} }}", "{ fields { type ".repeat(depth), "} }".repeat(depth))
        };
        assert_eq!(verdict(&nested(3)), "fine");
        assert_eq!(verdict(&nested(4)), "The query nests lists of introspection more than 3 deep");
    }

    #[test]
    fn a_budget_is_spent_once() {
        let budget = Budget::for_users(1);
        assert_eq!(budget.charge(ANSWER_FIELDS_MAX + 4), Ok(()));
        assert_eq!(budget.balance(), Ok(()));
        assert_eq!(budget.charge(1), Err(Exhausted));
        assert_eq!(budget.charge(0), Err(Exhausted));
        assert_eq!(Budget::for_users(usize::MAX).charge(usize::MAX), Ok(()));
    }
}
