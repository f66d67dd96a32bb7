//! Limits of a query that the library lacks: on its shape, before validation, and on the fields of its answer, during execution.
//! [`super::schema`] limits depth, tokens and fields of a query; [`crate::demo::document`] limits its text.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use juniper::{DefaultScalarValue, Definition, Operation, SchemaType, Selection, Variables};

/// Most nested lists of introspection. Each level multiplies the answer; usual tools need one or two.
const INTROSPECTION_LISTS_MAX: usize = 3;
/// Most spreads of fragments in a query: validation compares those of one selection pair by pair.
pub(super) const SPREADS_MAX: usize = 500;
/// Most bytes of the name of an operation: errors repeat it for each variable.
pub(super) const NAME_BYTES_MAX: usize = 1_000;
/// Most fields of an answer, beyond those of a plain list of all users.
const ANSWER_FIELDS_MAX: usize = 50_000;

/// Checks the shape of a query with its fragments, in time linear in its text. Fails with the limit that it exceeds.
pub(super) fn check<'d>(
    document: &'d [Definition<'d, DefaultScalarValue>],
    variables: &Variables,
    schema: &SchemaType<DefaultScalarValue>,
) -> Result<(), String> {
    let mut shape = Shape::default();
    for definition in document {
        if let Definition::Fragment(fragment) = definition {
            shape.fragments.insert(fragment.item.name.item, &fragment.item.selection_set);
        }
    }
    for definition in document {
        let lists = match definition {
            Definition::Operation(operation) => shape.lists_within(&operation.item.selection_set),
            // The library validates it even if nothing spreads it.
            Definition::Fragment(fragment) => shape.lists_of(fragment.item.name.item),
        };
        if lists > INTROSPECTION_LISTS_MAX {
            return Err(format!("The query nests lists of introspection more than {INTROSPECTION_LISTS_MAX} deep"));
        }
        if shape.spreads > SPREADS_MAX {
            return Err(format!("The query spreads fragments more than {SPREADS_MAX} times"));
        }
        let Definition::Operation(operation) = definition else { continue };
        if operation.item.name.is_some_and(|name| name.item.len() > NAME_BYTES_MAX) {
            return Err(format!("The name of an operation has more than {NAME_BYTES_MAX} bytes"));
        }
        check_defaults(&operation.item, variables, schema)?;
    }
    Ok(())
}

/// Refuses queries at which the library panics: a default of a type that is not in the schema, and a null where it relies on the default.
fn check_defaults(
    operation: &Operation<'_, DefaultScalarValue>,
    variables: &Variables,
    schema: &SchemaType<DefaultScalarValue>,
) -> Result<(), String> {
    for (name, variable) in operation.variables_definition.iter().flat_map(|all| all.item.iter()) {
        let Some(default) = &variable.default_value else { continue };
        let of_type = variable.var_type.item.innermost_name();
        if schema.type_by_name(of_type).is_none() {
            return Err(format!("Unknown type \"{of_type}\""));
        }
        if default.item.is_null() || variables.get(name.item).is_some_and(|value| value.is_null()) {
            return Err("A variable that has a default is null, which fits no argument".to_owned());
        }
    }
    Ok(())
}

#[derive(Default)]
struct Shape<'d> {
    fragments: HashMap<&'d str, &'d [Selection<'d>]>,
    /// Lists of introspection within a fragment; 0 while it is measured: validation refuses one that spreads itself.
    measured: HashMap<&'d str, usize>,
    /// Spreads seen, each counted in its place.
    spreads: usize,
}

impl<'d> Shape<'d> {
    /// The nesting of lists of introspection.
    fn lists_within(&mut self, selections: &'d [Selection<'d>]) -> usize {
        let lists = selections.iter().map(|selection| match selection {
            Selection::Field(field) => {
                let is_list = matches!(field.item.name.item, "fields" | "interfaces" | "possibleTypes" | "inputFields");
                let below = field.item.selection_set.as_deref().unwrap_or_default();
                self.lists_within(below) + usize::from(is_list)
            }
            Selection::InlineFragment(fragment) => self.lists_within(&fragment.item.selection_set),
            Selection::FragmentSpread(spread) => {
                self.spreads += 1;
                self.lists_of(spread.item.name.item)
            }
        });
        lists.max().unwrap_or_default()
    }

    fn lists_of(&mut self, fragment: &'d str) -> usize {
        if let Some(lists) = self.measured.get(fragment) {
            return *lists;
        }
        self.measured.insert(fragment, 0);
        let selections = self.fragments.get(fragment).copied().unwrap_or_default();
        let lists = self.lists_within(selections);
        self.measured.insert(fragment, lists);
        lists
    }
}

/// The fields that the answer to one query may still have.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Below 0 once it was exceeded.
    left: AtomicI64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The answer would hold more than {ANSWER_FIELDS_MAX} fields, each KiB of a text counted as one")]
pub(super) struct Exhausted;

impl juniper::Context for Budget {}

impl Budget {
    /// Enough for four fields of each of `users` users, and then [`ANSWER_FIELDS_MAX`].
    pub(super) fn for_users(users: usize) -> Self {
        Self { left: AtomicI64::new(signed(users.saturating_mul(4).saturating_add(ANSWER_FIELDS_MAX))) }
    }

    /// Subtracts `fields`. Fails with [`Exhausted`] if fewer are left; after one failure every later charge fails.
    pub(super) fn charge(&self, fields: usize) -> Result<(), Exhausted> {
        let _ = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(signed(fields))));
        self.balance()
    }

    /// Charges one field for each whole KiB of a text, since a name can be as long as a body.
    pub(super) fn charge_text(&self, text: &str) -> Result<(), Exhausted> {
        if text.len() < 1024 { Ok(()) } else { self.charge(text.len() / 1024) }
    }

    /// Whether the budget covered everything charged so far. Fails with [`Exhausted`] when it did not.
    pub(super) fn balance(&self) -> Result<(), Exhausted> {
        if self.left.load(Ordering::Relaxed) < 0 { Err(Exhausted) } else { Ok(()) }
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
