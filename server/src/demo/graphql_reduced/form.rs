//! The query forms the reduced variant takes, recognized in a parsed query. Every other query is refused, with the reason.

use async_graphql::Value;
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{
    DocumentOperations, ExecutableDocument, Field, OperationDefinition, OperationType, Selection, SelectionSet,
};

use crate::demo::document;
use crate::demo::failure::Failure;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All users, with these fields.
    Users(Vec<UserField>),
    /// The user of this id, with these fields.
    User(String, Vec<UserField>),
}

/// A field of a user.
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

pub(super) fn read(text: &str) -> Result<Form, Failure> {
    let document = document::parse(text).map_err(|error| Failure::FormUnsupported(error.text))?;
    form_of(&document).map_err(Failure::FormUnsupported)
}

type FormResult<T> = Result<T, String>;

fn form_of(document: &ExecutableDocument) -> FormResult<Form> {
    // rule: graphql-reduced/other-syntax
    if !document.fragments.is_empty() {
        return Err("fragments are not taken".to_owned());
    }
    let operation = only_operation(&document.operations)?;
    // rule: graphql-reduced/no-mutation
    if operation.ty != OperationType::Query {
        return Err(format!("a {} is not taken, only a query", operation.ty));
    }
    if !operation.variable_definitions.is_empty() {
        return Err("variables are not taken".to_owned());
    }
    if !operation.directives.is_empty() {
        return Err("directives are not taken".to_owned());
    }
    let [root] = operation.selection_set.node.items.as_slice() else {
        return Err("exactly one of users and user may be asked for".to_owned());
    };
    let root = plain_field(root)?;
    match root.name.node.as_str() {
        "users" => {
            without_arguments(root)?;
            Ok(Form::Users(user_fields(&root.selection_set.node)?))
        }
        "user" => Ok(Form::User(id_of(root)?, user_fields(&root.selection_set.node)?)),
        other => Err(unknown("the query", other)),
    }
}

fn only_operation(operations: &DocumentOperations) -> FormResult<&OperationDefinition> {
    // rule: graphql-reduced/spelling
    let mut all = operations.iter();
    match (all.next(), all.next()) {
        (Some((_, operation)), None) => Ok(&operation.node),
        _ => Err("only one operation is taken".to_owned()),
    }
}

/// A field without alias and directives.
fn plain_field(selection: &Positioned<Selection>) -> FormResult<&Field> {
    let Selection::Field(field) = &selection.node else {
        return Err("fragments are not taken".to_owned());
    };
    if field.node.alias.is_some() {
        return Err("aliases are not taken".to_owned());
    }
    if !field.node.directives.is_empty() {
        return Err("directives are not taken".to_owned());
    }
    Ok(&field.node)
}

fn without_arguments(field: &Field) -> FormResult<()> {
    if field.arguments.is_empty() { Ok(()) } else { Err(format!("{} takes no arguments", field.name.node)) }
}

fn id_of(user: &Field) -> FormResult<String> {
    let [(name, value)] = user.arguments.as_slice() else {
        return Err("user takes one argument, its id".to_owned());
    };
    match (name.node.as_str(), value.node.clone().into_const()) {
        ("id", Some(Value::String(id))) => Ok(id),
        ("id", Some(Value::Number(id))) if id.is_i64() || id.is_u64() => Ok(id.to_string()),
        ("id", _) => Err("the id must be a text or an integer".to_owned()),
        (other, _) => Err(format!("user has no argument {other}")),
    }
}

/// The selected fields of a user, each once.
fn user_fields(set: &SelectionSet) -> FormResult<Vec<UserField>> {
    let mut all: Vec<UserField> = Vec::with_capacity(4);
    for selection in &set.items {
        let field = user_field(plain_field(selection)?)?;
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

const BOTH: &str = "of posts either id or title may be asked for, not both";

fn user_field(field: &Field) -> FormResult<UserField> {
    without_arguments(field)?;
    let name = field.name.node.as_str();
    // rule: graphql-reduced/posts-in-users
    if name == "posts" {
        return Ok(UserField::Posts(post_field(&field.selection_set.node)?));
    }
    if !field.selection_set.node.items.is_empty() {
        return Err(format!("{name} has no fields"));
    }
    // rule: graphql-reduced/fields
    match name {
        "id" => Ok(UserField::Id),
        "name" => Ok(UserField::Name),
        "age" => Ok(UserField::Age),
        other => Err(unknown("a user", other)),
    }
}

fn post_field(set: &SelectionSet) -> FormResult<PostField> {
    let mut found = None;
    for selection in &set.items {
        let field = plain_field(selection)?;
        without_arguments(field)?;
        let post_field = match field.name.node.as_str() {
            "id" if field.selection_set.node.items.is_empty() => PostField::Id,
            "title" if field.selection_set.node.items.is_empty() => PostField::Title,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_spelling_of_a_form_is_that_form() {
        let one = Form::User("1".to_owned(), vec![UserField::Id, UserField::Age]);
        for text in [
            r#"{ user(id: "1") { id age } }"#,
            r#"{user(id:1){id,age}}"#,
            "query { # by number\n user(id: 1) { id age id } }",
            r#"query One { user(id: """1""") { id age } }"#,
        ] {
            assert_eq!(read(text).as_ref(), Ok(&one), "{text}");
        }
    }

    #[test]
    fn posts_carry_one_field_in_users_too() {
        let posts = |field| Form::Users(vec![UserField::Name, UserField::Posts(field)]);
        assert_eq!(read("{users{name posts{id}}}"), Ok(posts(PostField::Id)));
        assert_eq!(read("{users{name posts{title title}posts{title}}}"), Ok(posts(PostField::Title)));
    }

    #[test]
    fn every_other_form_is_refused_with_its_reason() {
        for (text, reason) in [
            ("", "Syntax error"),
            ("{ users }", "at least one field"),
            ("{ users { } }", "Syntax error"),
            ("{ users { email } }", "a user has no such field as email"),
            ("{ users { __typename } }", "a user has no such field"),
            ("{ users(first: 1) { id } }", "users takes no arguments"),
            ("{ users { id(x: 1) } }", "id takes no arguments"),
            ("{ users { id { id } } }", "id has no fields"),
            ("{ user { id } }", "one argument"),
            ("{ user(name: 1) { id } }", "no argument name"),
            ("{ user(id: 1.5) { id } }", "text or an integer"),
            ("{ user(id: null) { id } }", "text or an integer"),
            ("{ user(id: 1, id: 2) { id } }", "one argument"),
            ("query($id: ID!) { user(id: $id) { id } }", "variables"),
            ("{ user(id: $id) { id } }", "text or an integer"),
            ("{ all: users { id } }", "aliases"),
            ("{ users { number: id } }", "aliases"),
            ("{ users { posts { number: id } } }", "aliases"),
            ("{ users { ...F } } fragment F on User { id }", "fragments"),
            ("{ users { ... { id } } }", "fragments"),
            ("{ users @skip(if: true) { id } }", "directives"),
            ("query @x { users { id } }", "directives"),
            ("{ users { id } user(id: 1) { id } }", "exactly one"),
            ("query A { users { id } } query B { users { id } }", "one operation"),
            ("{ posts { id } }", "the query has no such field as posts"),
            ("{ __schema { types { name } } }", "no such field"),
            ("{ users { posts } }", "posts needs one field"),
            ("{ users { posts { id title } } }", "not both"),
            ("{ users { posts { id } posts { title } } }", "not both"),
            ("{ users { posts { user { id } } } }", "a post has no such field as user"),
            (r#"mutation { createUser(name: "A", age: 1) { id } }"#, "a mutation is not taken"),
            ("subscription { users { id } }", "a subscription is not taken"),
        ] {
            let Err(Failure::FormUnsupported(said)) = read(text) else {
                panic!("{text} was not refused");
            };
            assert!(said.contains(reason), "{text}: {said}");
        }
    }
}
