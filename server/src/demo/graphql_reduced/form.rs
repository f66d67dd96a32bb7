//! Recognises the query forms of the reduced variant in a parsed query. Refuses every other query with a reason.

use juniper::{
    DefaultScalarValue, Definition, EmptyMutation, EmptySubscription, InputValue, OperationType, SchemaType, Selection,
};

use crate::demo::{document, failure::Failure, graphql::limits::Budget, graphql::schema::Query};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form<'q> {
    /// The id of the selected user; `None` for all users.
    pub(super) id: Option<String>,
    /// The selected fields, each once.
    pub(super) fields: Vec<Shown<'q>>,
}

/// The name of a field of a user; of posts with the one of their fields that is shown.
pub(super) type Shown<'q> = (&'q str, Option<&'q str>);

/// The schema that queries are parsed by: it has the types of arguments. The library's own limits are far beyond any form.
pub(super) fn schema() -> SchemaType<DefaultScalarValue> {
    SchemaType::new::<Query, EmptyMutation<Budget>, EmptySubscription<Budget>>(&(), &(), &())
}

pub(super) fn read<'q>(text: &'q str, schema: &SchemaType<DefaultScalarValue>) -> Result<Form<'q>, Failure> {
    let document = document::parse(text, schema).map_err(|error| Failure::FormUnsupported(error.text))?;
    form_of(&document).map_err(Failure::FormUnsupported)
}

type FormResult<T> = Result<T, String>;

fn form_of<'q>(document: &[Definition<'q, DefaultScalarValue>]) -> FormResult<Form<'q>> {
    // rule: graphql-reduced/other-syntax
    refuse(&[("fragments", document.iter().any(|definition| matches!(definition, Definition::Fragment(_))))])?;
    // rule: graphql-reduced/spelling, graphql-reduced/fields-beside-posts
    let [Definition::Operation(operation)] = document else {
        return Err("only one operation is taken".to_owned());
    };
    let operation = &operation.item;
    refuse(&[
        // rule: graphql-reduced/no-mutation
        ("mutations and subscriptions", operation.operation_type != OperationType::Query),
        ("variables", operation.variables_definition.is_some()),
        ("directives", operation.directives.is_some()),
    ])?;
    let [root] = operation.selection_set.as_slice() else {
        return Err("exactly one of users and user may be asked for".to_owned());
    };
    let root = Field::read(root)?;
    let id = match root.name {
        "users" => root.without_arguments().map(|_| None)?,
        "user" => Some(id_of(&root)?),
        other => return Err(unknown("the query", other)),
    };
    Ok(Form { id, fields: user_fields(root.selections)? })
}

/// Fails for the first kind of syntax that the forms do not have.
fn refuse(kinds: &[(&str, bool)]) -> FormResult<()> {
    match kinds.iter().find(|(_, is_there)| *is_there) {
        Some((kind, _)) => Err(format!("{kind} are not taken")),
        None => Ok(()),
    }
}

struct Field<'d, 'q> {
    name: &'q str,
    arguments: Vec<(&'q str, &'d InputValue)>,
    selections: &'d [Selection<'q>],
}

impl<'d, 'q> Field<'d, 'q> {
    fn read(selection: &'d Selection<'q>) -> FormResult<Self> {
        let Selection::Field(field) = selection else { return Err("fragments are not taken".to_owned()) };
        let field = &field.item;
        refuse(&[("aliases", field.alias.is_some()), ("directives", field.directives.is_some())])?;
        let arguments = field.arguments.iter().flat_map(|arguments| arguments.item.iter());
        Ok(Self {
            name: field.name.item,
            arguments: arguments.map(|(name, value)| (name.item, &value.item)).collect(),
            selections: field.selection_set.as_deref().unwrap_or_default(),
        })
    }

    fn without_arguments(&self) -> FormResult<&Self> {
        if self.arguments.is_empty() { Ok(self) } else { Err(format!("{} takes no arguments", self.name)) }
    }
}

fn id_of(user: &Field<'_, '_>) -> FormResult<String> {
    match user.arguments.as_slice() {
        // An integer is parsed to its digits.
        [("id", InputValue::Scalar(DefaultScalarValue::String(id)))] => Ok(id.clone()),
        [("id", _)] => Err("the id must be a text or an integer".to_owned()),
        [(other, _)] => Err(format!("user has no argument {other}")),
        _ => Err("user takes one argument, its id".to_owned()),
    }
}

fn user_fields<'q>(selections: &[Selection<'q>]) -> FormResult<Vec<Shown<'q>>> {
    // rule: graphql-reduced/fields
    let shown = distinct(selections, |field| match field.name {
        // rule: graphql-reduced/posts-in-users
        "posts" => Ok(("posts", Some(post_field(field.selections)?))),
        name if !field.selections.is_empty() => Err(format!("{name} has no fields")),
        "id" | "name" | "age" => Ok((field.name, None)),
        other => Err(unknown("a user", other)),
    })?;
    if shown.iter().filter(|(name, _)| *name == "posts").count() > 1 {
        return Err(BOTH.to_owned());
    }
    // rule: graphql-reduced/unsupported-form
    if shown.is_empty() { Err("at least one field must be asked for".to_owned()) } else { Ok(shown) }
}

const BOTH: &str = "of posts either id or title may be asked for, not both";

fn post_field<'q>(selections: &[Selection<'q>]) -> FormResult<&'q str> {
    let shown = distinct(selections, |field| match field.name {
        "id" | "title" if field.selections.is_empty() => Ok(field.name),
        other => Err(unknown("a post", other)),
    })?;
    match shown.as_slice() {
        [] => Err("posts needs one field, id or title".to_owned()),
        [only] => Ok(only),
        // rule: graphql-reduced/posts-both-fields
        _ => Err(BOTH.to_owned()),
    }
}

/// Applies `read` to the selected fields; returns each result once.
fn distinct<'q, T: PartialEq>(
    selections: &[Selection<'q>],
    read: impl Fn(&Field<'_, 'q>) -> FormResult<T>,
) -> FormResult<Vec<T>> {
    let mut all = Vec::with_capacity(selections.len().min(4));
    for selection in selections {
        let field = read(Field::read(selection)?.without_arguments()?)?;
        // rule: graphql-reduced/spelling
        if !all.contains(&field) {
            all.push(field);
        }
    }
    Ok(all)
}

fn unknown(of: &str, name: &str) -> String {
    let name: String = name.chars().take(40).collect();
    format!("{of} has no such field as {name}")
}
