//! The query forms the reduced variant takes, recognized in a parsed query. Every other query is refused, with the reason.

use juniper::{
    DefaultScalarValue, Definition, EmptyMutation, EmptySubscription, InputValue, Operation, OperationType, SchemaType,
    Selection,
};

use crate::demo::{document, failure::Failure, graphql::limits::Budget, graphql::schema::Query};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All users, with these fields.
    Users(Vec<UserField>),
    /// The user of this id, with these fields.
    User(String, Vec<UserField>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UserField {
    Id,
    Name,
    Age,
    Posts(PostField),
}

/// The one selected field of posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PostField {
    Id,
    Title,
}

/// What a query is parsed by: the types of arguments, and the library's own limits, far beyond any form.
pub(super) fn schema() -> SchemaType<DefaultScalarValue> {
    SchemaType::new::<Query, EmptyMutation<Budget>, EmptySubscription<Budget>>(&(), &(), &())
}

pub(super) fn read(text: &str, schema: &SchemaType<DefaultScalarValue>) -> Result<Form, Failure> {
    let document = document::parse(text, schema).map_err(|error| Failure::FormUnsupported(error.text))?;
    form_of(&document).map_err(Failure::FormUnsupported)
}

type FormResult<T> = Result<T, String>;

fn form_of<'d>(document: &'d [Definition<'d, DefaultScalarValue>]) -> FormResult<Form> {
    let operation = only_operation(document)?;
    // rule: graphql-reduced/no-mutation
    match operation.operation_type {
        OperationType::Query => {}
        OperationType::Mutation => return Err("a mutation is not taken, only a query".to_owned()),
        OperationType::Subscription => return Err("a subscription is not taken, only a query".to_owned()),
    }
    if operation.variables_definition.is_some() {
        return Err("variables are not taken".to_owned());
    }
    if operation.directives.is_some() {
        return Err("directives are not taken".to_owned());
    }
    let [root] = operation.selection_set.as_slice() else {
        return Err("exactly one of users and user may be asked for".to_owned());
    };
    let root = Field::read(root)?;
    match root.name {
        "users" => {
            root.without_arguments()?;
            Ok(Form::Users(user_fields(root.selections)?))
        }
        "user" => Ok(Form::User(id_of(&root)?, user_fields(root.selections)?)),
        other => Err(unknown("the query", other)),
    }
}

fn only_operation<'d>(
    document: &'d [Definition<'d, DefaultScalarValue>],
) -> FormResult<&'d Operation<'d, DefaultScalarValue>> {
    // rule: graphql-reduced/other-syntax
    if document.iter().any(|definition| matches!(definition, Definition::Fragment(_))) {
        return Err("fragments are not taken".to_owned());
    }
    // rule: graphql-reduced/spelling, graphql-reduced/fields-beside-posts
    match document {
        [Definition::Operation(operation)] => Ok(&operation.item),
        _ => Err("only one operation is taken".to_owned()),
    }
}

/// A field without alias and directives.
struct Field<'d> {
    name: &'d str,
    arguments: Vec<(&'d str, &'d InputValue)>,
    selections: &'d [Selection<'d>],
}

impl<'d> Field<'d> {
    fn read(selection: &'d Selection<'d>) -> FormResult<Self> {
        let Selection::Field(field) = selection else {
            return Err("fragments are not taken".to_owned());
        };
        let field = &field.item;
        if field.alias.is_some() {
            return Err("aliases are not taken".to_owned());
        }
        if field.directives.is_some() {
            return Err("directives are not taken".to_owned());
        }
        let arguments = field.arguments.iter().flat_map(|arguments| arguments.item.iter());
        Ok(Self {
            name: field.name.item,
            arguments: arguments.map(|(name, value)| (name.item, &value.item)).collect(),
            selections: field.selection_set.as_deref().unwrap_or_default(),
        })
    }

    fn without_arguments(&self) -> FormResult<()> {
        if self.arguments.is_empty() { Ok(()) } else { Err(format!("{} takes no arguments", self.name)) }
    }
}

fn id_of(user: &Field<'_>) -> FormResult<String> {
    match user.arguments.as_slice() {
        // An integer is parsed to its digits.
        [("id", InputValue::Scalar(DefaultScalarValue::String(id)))] => Ok(id.clone()),
        [("id", _)] => Err("the id must be a text or an integer".to_owned()),
        [(other, _)] => Err(format!("user has no argument {other}")),
        _ => Err("user takes one argument, its id".to_owned()),
    }
}

const BOTH: &str = "of posts either id or title may be asked for, not both";

/// The selected fields of a user, each once.
fn user_fields<'d>(selections: &'d [Selection<'d>]) -> FormResult<Vec<UserField>> {
    let mut all: Vec<UserField> = Vec::with_capacity(4);
    for selection in selections {
        let field = Field::read(selection)?;
        field.without_arguments()?;
        // rule: graphql-reduced/fields
        let field = match field.name {
            // rule: graphql-reduced/posts-in-users
            "posts" => UserField::Posts(post_field(field.selections)?),
            name if !field.selections.is_empty() => return Err(format!("{name} has no fields")),
            "id" => UserField::Id,
            "name" => UserField::Name,
            "age" => UserField::Age,
            other => return Err(unknown("a user", other)),
        };
        if all.iter().any(|other| matches!((other, field), (UserField::Posts(a), UserField::Posts(b)) if *a != b)) {
            return Err(BOTH.to_owned());
        }
        // rule: graphql-reduced/spelling
        if !all.contains(&field) {
            all.push(field);
        }
    }
    // rule: graphql-reduced/unsupported-form
    if all.is_empty() { Err("at least one field must be asked for".to_owned()) } else { Ok(all) }
}

fn post_field<'d>(selections: &'d [Selection<'d>]) -> FormResult<PostField> {
    let mut found = None;
    for selection in selections {
        let field = Field::read(selection)?;
        field.without_arguments()?;
        let post_field = match field.name {
            "id" if field.selections.is_empty() => PostField::Id,
            "title" if field.selections.is_empty() => PostField::Title,
            other => return Err(unknown("a post", other)),
        };
        // rule: graphql-reduced/posts-both-fields
        if found.is_some_and(|earlier| earlier != post_field) {
            return Err(BOTH.to_owned());
        }
        found = Some(post_field);
    }
    found.ok_or_else(|| "posts needs one field, id or title".to_owned())
}

fn unknown(of: &str, name: &str) -> String {
    let name: String = name.chars().take(40).collect();
    format!("{of} has no such field as {name}")
}
