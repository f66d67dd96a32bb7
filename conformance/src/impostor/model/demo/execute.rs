//! Carries out a query that fits the schema over the users and posts of one endpoint.

use async_graphql_parser::types::{Field, SelectionSet};
use serde_json::{Map, Value, json};

use super::super::state::Demo;
use super::super::world::World;
use super::schema::{Query, Type};
use super::{add_user, introspection};

/// Most objects of an answer; nesting doubles them level by level.
const OBJECTS_MAX: u32 = 20_000;

/// The result shaped like the query, or what went wrong with an argument.
pub(crate) fn execute(world: &World, demo: &mut Demo, query: &Query) -> Result<Value, String> {
    check_arguments(world, demo, query)?;
    let mut run = Run { world, demo, query, objects: 0 };
    let root = query.root();
    let data = run.object(root, &Value::Null, &query.operation.selection_set.node, 0);
    if run.objects > OBJECTS_MAX {
        return Err("the answer would be too large".to_owned());
    }
    Ok(data)
}

/// All arguments are checked before anything is created.
fn check_arguments(world: &World, demo: &mut Demo, query: &Query) -> Result<(), String> {
    let on = |fault: &str| world.faults.on(fault);
    for field in query.fields(&query.operation.selection_set.node) {
        match field.name.node.as_str() {
            "__schema" if world.faults.reads("graphql-introspection-off") => {
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
                let name_fine = name.is_string()
                    || name.is_null() && on("graphql-create-without-name")
                    || name.is_number() && on("graphql-create-with-number-as-name");
                let age_fine = age.as_i64().is_some_and(|age| i32::try_from(age).is_ok())
                    || age.is_null() && on("graphql-create-without-age")
                    || age.is_f64() && on("graphql-create-with-fraction-as-age")
                    || age.is_string() && on("graphql-create-with-text-as-age");
                if !name_fine || !age_fine {
                    if on("graphql-refused-create-stays") {
                        add_user(world, demo, &name, &age, ["", ""]);
                    }
                    return Err("createUser needs a name and an age".to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

struct Run<'a> {
    world: &'a World,
    demo: &'a mut Demo,
    query: &'a Query,
    /// How many objects the answer has so far.
    objects: u32,
}

impl Run<'_> {
    fn object(&mut self, of: Type, source: &Value, set: &SelectionSet, depth: usize) -> Value {
        let query = self.query;
        self.objects += 1;
        if self.objects > OBJECTS_MAX {
            return Value::Null;
        }
        let mut object = Map::new();
        if of == Type::User && self.world.faults.on("graphql-answers-id-unasked") {
            object.insert("id".to_owned(), source["id"].clone());
        }
        for field in query.fields(set) {
            let value = self.field(of, source, field, depth);
            let key = if self.world.faults.on("graphql-aliases-ignored") { &field.name } else { field.response_key() };
            object.insert(key.node.to_string(), value);
        }
        Value::Object(object)
    }

    fn field(&mut self, of: Type, source: &Value, field: &Field, depth: usize) -> Value {
        let set = &field.selection_set.node;
        let on = |fault: &str| self.world.faults.on(fault);
        let shallow = depth >= 3 && on("graphql-nesting-stops");
        match (of, field.name.node.as_str()) {
            (_, "__typename") => json!(of.name()),
            (Type::Query, "__schema") => self.told(&introspection::schema(self.world), set),
            (Type::Query, "users") => {
                let mut users = self.demo.users.clone();
                if on("graphql-users-lack-created") {
                    users.truncate(3);
                }
                if on("graphql-users-lack-the-third") {
                    users.remove(2);
                }
                self.list(Type::User, &users, set, depth)
            }
            (Type::Query, "user") => {
                let id = match self.query.argument(field, "id") {
                    Value::String(id) => id,
                    other => other.to_string(),
                };
                let mut found = self.demo.users.iter().find(|user| user["id"] == id.as_str()).cloned();
                if found.is_none() && on("graphql-unknown-user-is-empty") {
                    found = Some(json!({}));
                }
                if on("graphql-user-is-the-first") {
                    found = self.demo.users.first().cloned();
                }
                found.map_or(Value::Null, |user| self.object(Type::User, &user, set, depth + 1))
            }
            (Type::Mutation, _) => self.create(field, depth),
            (Type::User, "posts") => {
                let of_user = |post: &&Value| post["userId"] == source["id"] || on("graphql-posts-of-everybody");
                let posts: Vec<Value> = self.demo.posts.iter().filter(of_user).cloned().collect();
                let absent = shallow || posts.is_empty() && self.world.faults.reads("graphql-no-posts-is-null");
                if absent { Value::Null } else { self.list(Type::Post, &posts, set, depth) }
            }
            (Type::Post, "user") => {
                let owner = self.demo.users.iter().find(|user| user["id"] == source["userId"]).cloned();
                owner.filter(|_| !shallow).map_or(Value::Null, |user| self.object(Type::User, &user, set, depth + 1))
            }
            (_, name) => source.get(name).cloned().unwrap_or(Value::Null),
        }
    }

    /// What is asked for of what introspection tells.
    fn told(&self, told: &Value, set: &SelectionSet) -> Value {
        match told {
            Value::Array(items) => items.iter().map(|item| self.told(item, set)).collect(),
            Value::Object(object) => {
                let fields = self.query.fields(set).into_iter().map(|field| {
                    let value = object.get(field.name.node.as_str()).unwrap_or(&Value::Null);
                    (field.response_key().node.to_string(), self.told(value, &field.selection_set.node))
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
        let user =
            add_user(self.world, self.demo, &name, &age, ["graphql-user-id-counts", "graphql-user-id-in-seconds"]);
        if self.world.faults.on("graphql-created-user-is-lost") {
            self.demo.users.pop();
        }
        self.object(Type::User, &user, &field.selection_set.node, depth + 1)
    }
}
