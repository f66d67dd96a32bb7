//! Executes a query that fits the schema over the users and posts of one interface.

use serde_json::{Map, Value, json};

use super::document::{Field, SelectionSet, response_key};
use super::introspection;
use super::rest::new_user;
use super::schema::{Query, Type};
use crate::message::Interface;
use crate::records::Demo;
use crate::steps::Steps;

/// The most objects of an answer; each level of nesting may double them.
const OBJECTS_MAX: u32 = 20_000;

/// The result shaped like the query, or why an argument is refused.
pub(crate) fn execute(steps: &Steps, demo: &mut Demo, now: i64, query: &Query) -> Result<Value, String> {
    check_arguments(steps, query)?;
    let mut run = Run { steps, demo, now, query, objects: 0 };
    let root = query.root();
    let data = run.object(root, &Value::Null, &query.operation.set);
    if run.objects > OBJECTS_MAX {
        return Err("the answer would be too large".to_owned());
    }
    Ok(data)
}

fn check_arguments(steps: &Steps, query: &Query) -> Result<(), String> {
    for field in query.fields(&query.operation.set) {
        let argument = |name: &str| query.argument(field, name);
        match field.name.as_str() {
            "user" if !(argument("id").is_string() || argument("id").is_i64()) => {
                return Err("user needs an id".to_owned());
            }
            "createUser"
                if !(steps.demo.takes_name)(&argument("name")) || !(steps.demo.takes_age)(&argument("age")) =>
            {
                return Err("createUser needs a name and an age".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

struct Run<'a> {
    steps: &'a Steps,
    demo: &'a mut Demo,
    now: i64,
    query: &'a Query,
    objects: u32,
}

impl Run<'_> {
    fn object(&mut self, of: Type, source: &Value, set: &SelectionSet) -> Value {
        let query = self.query;
        self.objects += 1;
        if self.objects > OBJECTS_MAX {
            return Value::Null;
        }
        let mut object = Map::new();
        for field in query.fields(set) {
            let value = self.field(of, source, field);
            merge(object.entry(response_key(field)).or_insert(Value::Null), value);
        }
        Value::Object(object)
    }

    fn field(&mut self, of: Type, source: &Value, field: &Field) -> Value {
        let set = &field.selection_set;
        match (of, field.name.as_str()) {
            (_, "__typename") => json!(of.name()),
            (Type::Query, "__schema") => self.selected(&introspection::schema(), set),
            (Type::Query, "users") => self.list(Type::User, &self.demo.users.clone(), set),
            (Type::Query, "user") => {
                let id = match self.query.argument(field, "id") {
                    Value::String(id) => id,
                    other => other.to_string(),
                };
                let user = (self.steps.demo.user)(self.demo, &id);
                user.map_or(Value::Null, |user| self.object(Type::User, &user, set))
            }
            (Type::Mutation, _) => {
                let (name, age) = (self.query.argument(field, "name"), self.query.argument(field, "age"));
                let user = new_user(self.steps, Interface::Graphql, self.now, self.demo, &name, &age);
                self.demo.users.push(user.clone());
                self.object(Type::User, &user, set)
            }
            (Type::User, "posts") => {
                let posts = (self.steps.demo.posts_of)(Interface::Graphql, self.demo, source);
                self.list(Type::Post, &posts, set)
            }
            (Type::Post, "user") => {
                let owner = self.demo.users.iter().find(|user| user["id"] == source["userId"]).cloned();
                owner.map_or(Value::Null, |user| self.object(Type::User, &user, set))
            }
            (_, name) => source.get(name).cloned().unwrap_or(Value::Null),
        }
    }

    /// The fields of an introspection that a query selects.
    fn selected(&self, known: &Value, set: &SelectionSet) -> Value {
        match known {
            Value::Array(items) => items.iter().map(|item| self.selected(item, set)).collect(),
            Value::Object(object) => {
                let fields = self.query.fields(set).into_iter().map(|field| {
                    let value = object.get(field.name.as_str()).unwrap_or(&Value::Null);
                    (response_key(field).to_owned(), self.selected(value, &field.selection_set))
                });
                Value::Object(fields.collect())
            }
            other => other.clone(),
        }
    }

    fn list(&mut self, of: Type, items: &[Value], set: &SelectionSet) -> Value {
        items.iter().map(|item| self.object(of, item, set)).collect()
    }
}

/// Adds a second selection of a field to the result of the first.
fn merge(known: &mut Value, more: Value) {
    match (known, more) {
        (Value::Object(known), Value::Object(more)) => {
            more.into_iter().for_each(|(key, value)| merge(known.entry(key).or_insert(Value::Null), value));
        }
        (Value::Array(known), Value::Array(more)) => {
            known.iter_mut().zip(more).for_each(|(known, more)| merge(known, more));
        }
        (known, more) => *known = more,
    }
}
