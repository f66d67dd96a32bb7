//! The schema of the full GraphQL endpoint, and whether a query fits it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;

use async_graphql_parser::Positioned;
use async_graphql_parser::types::{
    Directive, DocumentOperations, ExecutableDocument, Field, OperationDefinition, OperationType, Selection,
    SelectionSet,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::too_deep;

/// A type of the schema; scalars have no fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Query,
    Mutation,
    User,
    Post,
    Scalar,
    /// What introspection tells.
    Introspection,
}

impl Type {
    /// Its name.
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

    /// The type of a field, if there is such a field.
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
    pub(crate) operation: OperationDefinition,
    fragments: BTreeMap<String, SelectionSet>,
    variables: Map<String, Value>,
    /// How many selections were looked at; fragments that spread each other would have no end.
    seen: Cell<u32>,
}

impl Query {
    /// Parses the text, picks the operation and checks it against the schema.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(text: &str, name: Option<&str>, sent: &Value) -> Result<Self, String> {
        if too_deep(text) {
            return Err("the query is nested too deeply".to_owned());
        }
        let document: ExecutableDocument = async_graphql_parser::parse_query(text).map_err(|e| e.to_string())?;
        let fragments = document
            .fragments
            .iter()
            .map(|(name, fragment)| (name.to_string(), fragment.node.selection_set.node.clone()))
            .collect();
        let operation = pick(&document.operations, name)?;
        let mut variables = Map::new();
        for definition in &operation.variable_definitions {
            let name = definition.node.name.node.to_string();
            let default = definition.node.default_value.as_ref().map(|value| value.node.clone().into_json());
            let value = sent.get(&name).cloned().or(default.and_then(Result::ok)).unwrap_or(Value::Null);
            if value.is_null() && !definition.node.var_type.node.nullable {
                return Err(format!("variable ${name} is required"));
            }
            variables.insert(name, value);
        }
        let query = Self { operation, fragments, variables, seen: Cell::new(0) };
        query.fits(query.root(), &query.operation.selection_set.node, 0)?;
        Ok(query)
    }

    /// Query or Mutation.
    pub(crate) fn root(&self) -> Type {
        if self.operation.ty == OperationType::Mutation { Type::Mutation } else { Type::Query }
    }

    /// The fields of a selection, with fragments spread out.
    pub(crate) fn fields<'a>(&'a self, set: &'a SelectionSet) -> Vec<&'a Field> {
        let mut fields = Vec::new();
        for selection in &set.items {
            if self.left_out(selection.node.directives()) {
                continue;
            }
            match &selection.node {
                Selection::Field(field) => fields.push(&field.node),
                Selection::InlineFragment(fragment) => {
                    fields.extend(self.fields(&fragment.node.selection_set.node));
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = self.fragments.get(spread.node.fragment_name.node.as_str());
                    fields.extend(fragment.map(|set| self.fields(set)).unwrap_or_default());
                }
            }
        }
        fields
    }

    /// Whether `@skip` or `@include` leaves a selection out.
    fn left_out(&self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().any(|directive| {
            let given = directive.node.get_argument("if");
            let holds = given.is_some_and(|value| self.value(&value.node) == Value::Bool(true));
            match directive.node.name.node.as_str() {
                "skip" => holds,
                "include" => !holds,
                _ => false,
            }
        })
    }

    /// The value of an argument, variables put in.
    pub(crate) fn argument(&self, field: &Field, name: &str) -> Value {
        let Some(value) = field.get_argument(name) else {
            return Value::Null;
        };
        self.value(&value.node)
    }

    /// A value with variables put in. A bare word is no text: it comes out as an object, which fits nowhere.
    fn value<V: Display + Clone + Serialize>(&self, value: &V) -> Value {
        let spelled = value.to_string();
        if let Some(variable) = spelled.strip_prefix('$') {
            return self.variables.get(variable).cloned().unwrap_or(Value::Null);
        }
        let word = spelled.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if word && !matches!(spelled.as_str(), "true" | "false" | "null") {
            return json!({ "word": spelled });
        }
        serde_json::to_value(value).unwrap_or_default()
    }

    fn fits(&self, of: Type, set: &SelectionSet, depth: usize) -> Result<(), String> {
        self.spreads_known(set, 0)?;
        self.seen.set(self.seen.get() + 1);
        if depth > 200 || self.seen.get() > 50_000 {
            // Fragments may spread what the text itself does not show.
            return Err("the query is nested too deeply".to_owned());
        }
        for field in self.fields(set) {
            let name = field.name.node.as_str();
            let Some(inner) = of.field(name) else {
                return Err(format!("{} has no field {name}", of.name()));
            };
            let below = &field.selection_set.node;
            if inner != Type::Introspection && (inner == Type::Scalar) != below.items.is_empty() {
                return Err(format!("{name} has the wrong selection"));
            }
            self.fits(inner, below, depth + 1)?;
        }
        Ok(())
    }

    fn spreads_known(&self, set: &SelectionSet, depth: usize) -> Result<(), String> {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(_) => {}
                Selection::InlineFragment(fragment) => {
                    self.spreads_known(&fragment.node.selection_set.node, depth + 1)?;
                }
                Selection::FragmentSpread(spread) => {
                    let name = spread.node.fragment_name.node.as_str();
                    let known = self.fragments.get(name).filter(|_| depth < 32);
                    self.spreads_known(known.ok_or_else(|| format!("fragment {name} cannot be spread"))?, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}

fn pick(operations: &DocumentOperations, name: Option<&str>) -> Result<OperationDefinition, String> {
    let mut candidates = operations
        .iter()
        .filter(|(known, _)| name.is_none_or(|name| known.is_some_and(|known| known.as_str() == name)));
    match (candidates.next(), candidates.next()) {
        (Some((_, operation)), None) => Ok(operation.node.clone()),
        _ => Err("which operation is meant?".to_owned()),
    }
}
