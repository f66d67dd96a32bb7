//! What effects of several demonstration interfaces share. Knows no fault and no reading.

use libros_conformance_model::demo_fields::age;
use libros_conformance_model::message::{Reply, Request};
use serde_json::{Value, json};

use crate::impostor::world::Held;

pub(crate) fn whole_age(sent: Option<&Value>) -> Option<Value> {
    let is_whole = |age: &Value| age.as_f64().is_some_and(|age| age >= 0.0 && age.fract() == 0.0);
    age(sent).filter(is_whole)
}

pub(crate) fn not_found() -> Reply {
    Reply::json(404, &json!({"error": "Not found"}))
}

/// Of users and registrations of one id the later takes the place of the earlier.
pub(crate) fn replace_same_ids(held: &mut Held, request: &Request) {
    let users = &mut held.demo(request.interface).users;
    if let Some(last) = users.pop() {
        users.retain(|user| user["id"] != last["id"]);
        users.push(last);
    }
    if let Some(last) = held.signups.pop() {
        held.signups.retain(|(id, _)| *id != last.0);
        held.signups.push(last);
    }
}
