//! A GraphQL query text, parsed: its operations and fragments. Knows no schema.

use std::collections::BTreeMap;

use graphql_parser::query::{self, Definition, OperationDefinition};
use serde_json::{Value, json};

pub(crate) type Argument = query::Value<'static, String>;
pub(crate) type Directive = query::Directive<'static, String>;
pub(crate) type Field = query::Field<'static, String>;
pub(crate) type Selection = query::Selection<'static, String>;
pub(crate) type SelectionSet = query::SelectionSet<'static, String>;
pub(crate) type VariableDefinition = query::VariableDefinition<'static, String>;

pub(crate) struct Document {
    pub(crate) operations: Vec<Operation>,
    pub(crate) fragments: BTreeMap<String, SelectionSet>,
}

pub(crate) struct Operation {
    /// `query`, `mutation` or `subscription`.
    pub(crate) keyword: &'static str,
    pub(crate) name: Option<String>,
    pub(crate) variables: Vec<VariableDefinition>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) set: SelectionSet,
}

impl Document {
    /// Parses a text; the library refuses what is nested too deeply.
    /// Errors: what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parsed = graphql_parser::parse_query::<String>(text).map_err(|error| error.to_string())?.into_static();
        let mut document = Self { operations: Vec::new(), fragments: BTreeMap::new() };
        for definition in parsed.definitions {
            match definition {
                Definition::Operation(operation) => document.operations.push(Operation::from(operation)),
                Definition::Fragment(fragment) => {
                    document.fragments.insert(fragment.name, fragment.selection_set);
                }
            }
        }
        Ok(document)
    }
}

impl From<OperationDefinition<'static, String>> for Operation {
    fn from(definition: OperationDefinition<'static, String>) -> Self {
        let (keyword, name, variables, directives, set) = match definition {
            OperationDefinition::SelectionSet(set) => ("query", None, Vec::new(), Vec::new(), set),
            OperationDefinition::Query(of) => {
                ("query", of.name, of.variable_definitions, of.directives, of.selection_set)
            }
            OperationDefinition::Mutation(of) => {
                ("mutation", of.name, of.variable_definitions, of.directives, of.selection_set)
            }
            OperationDefinition::Subscription(of) => {
                ("subscription", of.name, of.variable_definitions, of.directives, of.selection_set)
            }
        };
        Self { keyword, name, variables, directives, set }
    }
}

pub(crate) fn response_key(field: &Field) -> &str {
    field.alias.as_ref().unwrap_or(&field.name)
}

pub(crate) fn argument<'a>(arguments: &'a [(String, Argument)], name: &str) -> Option<&'a Argument> {
    arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// An argument as JSON, with the value that `variable` gives each variable. An enum word becomes an object, which no argument accepts.
pub(crate) fn as_json(argument: &Argument, variable: &impl Fn(&str) -> Value) -> Value {
    match argument {
        Argument::Variable(name) => variable(name),
        Argument::Int(number) => json!(number.as_i64()),
        Argument::Float(number) => json!(number),
        Argument::String(text) => json!(text),
        Argument::Boolean(value) => json!(value),
        Argument::Null => Value::Null,
        Argument::Enum(word) => json!({ "word": word }),
        Argument::List(items) => items.iter().map(|item| as_json(item, variable)).collect(),
        Argument::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), as_json(value, variable))).collect()
        }
    }
}
