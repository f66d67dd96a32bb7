//! Carries out a query that fits the schema over the users and posts of one interface.

use serde_json::{Map, Value, json};

use super::super::records::Demo;
use super::super::world::World;
use super::document::{Field, SelectionSet, response_key};
use super::schema::{Query, Type};
use super::{add_user, introspection, new_user, policy, posts_shown};
use crate::impostor::policy::demo::GraphqlPolicy;

/// Most objects of an answer; nesting doubles them level by level.
const OBJECTS_MAX: u32 = 20_000;

/// The result shaped like the query, or what went wrong with an argument.
pub(crate) fn execute(world: &World, demo: &mut Demo, query: &Query) -> Result<Value, String> {
    check_arguments(world, demo, query)?;
    let mut run = Run { world, demo, query, objects: 0 };
    let root = query.root();
    let data = run.object(root, &Value::Null, &query.operation.set, 0);
    if run.objects > OBJECTS_MAX {
        return Err("the answer would be too large".to_owned());
    }
    Ok(data)
}

/// Checks all arguments before anything is created.
fn check_arguments(world: &World, demo: &mut Demo, query: &Query) -> Result<(), String> {
    let policy = &policy(world).graphql;
    for field in query.fields(&query.operation.set) {
        match field.name.as_str() {
            "__schema" if !policy.introspects => {
                return Err("introspection is switched off".to_owned());
            }
            "user" => {
                let id = query.argument(field, "id");
                if !(id.is_string() || id.is_i64()) {
                    return Err("user needs an id".to_owned());
                }
            }
            "createUser" => {
                let (name, age) = (query.argument(field, "name"), query.argument(field, "age"));
                let takes_name = policy.takes_name.unwrap_or(Value::is_string)(&name);
                let takes_age = policy.takes_age.unwrap_or(is_int)(&age);
                if !takes_name || !takes_age {
                    if policy.keeps_refused {
                        let user = new_user(world, demo, &name, &age, policy.new_id);
                        demo.users.push(user);
                    }
                    return Err("createUser needs a name and an age".to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a value is an Int of GraphQL: 32 bits.
pub(crate) fn is_int(value: &Value) -> bool {
    value.as_i64().is_some_and(|value| i32::try_from(value).is_ok())
}

struct Run<'a> {
    world: &'a World,
    demo: &'a mut Demo,
    query: &'a Query,
    /// How many objects the answer has so far.
    objects: u32,
}

impl Run<'_> {
    fn policy(&self) -> &GraphqlPolicy {
        &policy(self.world).graphql
    }

    fn object(&mut self, of: Type, source: &Value, set: &SelectionSet, depth: usize) -> Value {
        let query = self.query;
        self.objects += 1;
        if self.objects > OBJECTS_MAX {
            return Value::Null;
        }
        let mut object = Map::new();
        if of == Type::User && self.policy().adds_id {
            object.insert("id".to_owned(), source["id"].clone());
        }
        for field in query.fields(set) {
            let value = self.field(of, source, field, depth);
            let key = if self.policy().ignores_aliases { &field.name } else { response_key(field) };
            object.insert(key.to_owned(), value);
        }
        Value::Object(object)
    }

    fn field(&mut self, of: Type, source: &Value, field: &Field, depth: usize) -> Value {
        let set = &field.selection_set;
        match (of, field.name.as_str()) {
            (_, "__typename") => json!(of.name()),
            (Type::Query, "__schema") => self.selected(&introspection::schema(self.world), set),
            (Type::Query, "users") => self.users(set, depth),
            (Type::Query, "user") => self.user(field, depth),
            (Type::Mutation, _) => self.create(field, depth),
            (Type::User | Type::Post, "posts" | "user") if depth >= self.policy().levels_max => Value::Null,
            (Type::User, "posts") => {
                let posts = posts_shown(self.demo, source, self.policy().posts_of_everybody);
                let is_null = posts.is_empty() && self.policy().no_posts_is_null;
                if is_null { Value::Null } else { self.list(Type::Post, &posts, set, depth) }
            }
            (Type::Post, "user") => {
                let owner = self.demo.users.iter().find(|user| user["id"] == source["userId"]).cloned();
                owner.map_or(Value::Null, |user| self.object(Type::User, &user, set, depth + 1))
            }
            (_, name) => source.get(name).cloned().unwrap_or(Value::Null),
        }
    }

    fn users(&mut self, set: &SelectionSet, depth: usize) -> Value {
        let mut users = self.demo.users.clone();
        if let Some(spoil) = self.policy().users {
            spoil(&mut users);
        }
        self.list(Type::User, &users, set, depth)
    }

    fn user(&mut self, field: &Field, depth: usize) -> Value {
        let id = match self.query.argument(field, "id") {
            Value::String(id) => id,
            other => other.to_string(),
        };
        let is_asked = |user: &&Value| self.policy().user_is_first || user["id"] == id.as_str();
        let user = match self.demo.users.iter().find(is_asked) {
            Some(user) => user.clone(),
            None if self.policy().unknown_user_is_empty => json!({}),
            None => return Value::Null,
        };
        self.object(Type::User, &user, &field.selection_set, depth + 1)
    }

    /// The fields of an introspection that a query selects.
    fn selected(&self, told: &Value, set: &SelectionSet) -> Value {
        match told {
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

    fn list(&mut self, of: Type, items: &[Value], set: &SelectionSet, depth: usize) -> Value {
        items.iter().map(|item| self.object(of, item, set, depth + 1)).collect()
    }

    fn create(&mut self, field: &Field, depth: usize) -> Value {
        let name = self.query.argument(field, "name");
        let age = self.query.argument(field, "age");
        let user = new_user(self.world, self.demo, &name, &age, self.policy().new_id);
        if !self.policy().forgets_created {
            add_user(self.world, self.demo, user.clone());
        }
        self.object(Type::User, &user, &field.selection_set, depth + 1)
    }
}
