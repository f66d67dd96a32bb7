//! The schema of the full GraphQL endpoint, and whether a query fits it.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::document::{Directive, Document, Field, Operation, Selection, SelectionSet, argument, as_json};

/// A type of the schema; scalars have no fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Query,
    Mutation,
    User,
    Post,
    Scalar,
    Introspection,
}

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Query => "Query",
            Self::Mutation => "Mutation",
            Self::User => "User",
            Self::Post => "Post",
            Self::Scalar => "scalar",
            Self::Introspection => "__Schema",
        }
    }

    pub(crate) fn field(self, name: &str) -> Option<Self> {
        match (self, name) {
            (_, "__typename") => Some(Self::Scalar),
            (Self::Introspection, _) | (Self::Query, "__schema") => Some(Self::Introspection),
            (Self::Query, "users" | "user") | (Self::Mutation, "createUser") | (Self::Post, "user") => Some(Self::User),
            (Self::User, "posts") => Some(Self::Post),
            (Self::User, "id" | "name" | "age") | (Self::Post, "id" | "title") => Some(Self::Scalar),
            _ => None,
        }
    }
}

/// A query that fits the schema: its operation, its fragments, its variables.
pub(crate) struct Query {
    pub(crate) operation: Operation,
    fragments: BTreeMap<String, SelectionSet>,
    variables: Map<String, Value>,
    /// Selections visited so far, for a limit: fragments that spread each other would never end.
    seen: Cell<usize>,
}

impl Query {
    /// Parses the text, picks the operation and checks it against the schema.
    /// Errors: what is wrong with it.
    pub(crate) fn read(text: &str, name: Option<&str>, sent: &Value) -> Result<Self, String> {
        let Document { operations, fragments } = Document::parse(text)?;
        let operation = pick(operations, name)?;
        let mut variables = Map::new();
        for definition in &operation.variables {
            let name = &definition.name;
            let default = definition.default_value.as_ref().map(|value| as_json(value, &|_| Value::Null));
            let value = sent.get(name).cloned().or(default).unwrap_or(Value::Null);
            if value.is_null() && matches!(definition.var_type, graphql_parser::query::Type::NonNullType(_)) {
                return Err(format!("variable ${name} is required"));
            }
            variables.insert(name.clone(), value);
        }
        if operation.keyword == "subscription" {
            return Err("the schema has no subscriptions".to_owned());
        }
        let query = Self { operation, fragments, variables, seen: Cell::new(0) };
        query.fits(query.root(), &query.operation.set, 0)?;
        Ok(query)
    }

    pub(crate) fn root(&self) -> Type {
        if self.operation.keyword == "mutation" { Type::Mutation } else { Type::Query }
    }

    pub(crate) fn fields<'a>(&'a self, set: &'a SelectionSet) -> Vec<&'a Field> {
        let mut fields = Vec::new();
        for selection in &set.items {
            match selection {
                Selection::Field(field) if !self.left_out(&field.directives) => fields.push(field),
                Selection::InlineFragment(fragment) if !self.left_out(&fragment.directives) => {
                    fields.extend(self.fields(&fragment.selection_set));
                }
                Selection::FragmentSpread(spread) if !self.left_out(&spread.directives) => {
                    let fragment = self.fragments.get(&spread.fragment_name);
                    fields.extend(fragment.map(|set| self.fields(set)).unwrap_or_default());
                }
                _ => {}
            }
        }
        fields
    }

    fn left_out(&self, directives: &[Directive]) -> bool {
        directives.iter().any(|directive| {
            let given = argument(&directive.arguments, "if");
            let holds = given.is_some_and(|value| as_json(value, &|name| self.variable(name)) == Value::Bool(true));
            match directive.name.as_str() {
                "skip" => holds,
                "include" => !holds,
                _ => false,
            }
        })
    }

    fn variable(&self, name: &str) -> Value {
        self.variables.get(name).cloned().unwrap_or(Value::Null)
    }

    pub(crate) fn argument(&self, field: &Field, name: &str) -> Value {
        argument(&field.arguments, name).map_or(Value::Null, |value| as_json(value, &|name| self.variable(name)))
    }

    fn fits(&self, of: Type, set: &SelectionSet, depth: usize) -> Result<(), String> {
        self.spreads_known(set, 0)?;
        if depth > 200 {
            // Fragments nest deeper than the text, whose depth the parser limits.
            return Err("the query is nested too deeply".to_owned());
        }
        for field in self.fields(set) {
            let name = field.name.as_str();
            let Some(inner) = of.field(name) else {
                return Err(format!("{} has no field {name}", of.name()));
            };
            let below = &field.selection_set;
            if inner != Type::Introspection && (inner == Type::Scalar) != below.items.is_empty() {
                return Err(format!("{name} has the wrong selection"));
            }
            self.fits(inner, below, depth + 1)?;
        }
        Ok(())
    }

    fn spreads_known(&self, set: &SelectionSet, depth: usize) -> Result<(), String> {
        self.seen.set(self.seen.get() + set.items.len());
        if self.seen.get() > 50_000 {
            return Err("the query selects too much".to_owned());
        }
        set.items.iter().try_for_each(|selection| match selection {
            Selection::Field(_) => Ok(()),
            Selection::InlineFragment(fragment) => self.spreads_known(&fragment.selection_set, depth + 1),
            Selection::FragmentSpread(spread) => {
                let name = spread.fragment_name.as_str();
                let known = self.fragments.get(name).filter(|_| depth < 32);
                self.spreads_known(known.ok_or_else(|| format!("fragment {name} cannot be spread"))?, depth + 1)
            }
        })
    }
}

fn pick(operations: Vec<Operation>, name: Option<&str>) -> Result<Operation, String> {
    let mut candidates = operations.into_iter().filter(|operation| name.is_none() || operation.name.as_deref() == name);
    match (candidates.next(), candidates.next()) {
        (Some(operation), None) => Ok(operation),
        _ => Err("which operation is meant?".to_owned()),
    }
}
