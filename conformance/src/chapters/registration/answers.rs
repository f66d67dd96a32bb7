//! What a registration answers, and that the user is there at once.

use std::collections::BTreeSet;

use super::bodies::{login_after, register, registration, registration_without};
use crate::chapters::prelude::*;

cases! { "registration";
    /// A registration, with nombre or without, with a role or without, is 201 with its id, email and nombre as sent,
    /// and nothing besides.
    a_registration_is_answered_in_full judges [
        "registration/created", "registration/answer-shape", "registration/id-form", "registration/echo",
    ];
    /// Users registered at the same moment have ids of their own, different from those of the initial users.
    ids_are_distinct judges ["registration/id-distinct"];
    /// Without nombre the answers of registration and login have none, or an empty one.
    nombre_may_be_left_out judges ["registration/nombre-absent"];
    /// The login that follows a registration at once succeeds.
    new_user_is_active_at_once judges ["registration/active-at-once"];
}

/// Registers users and logs in the initial ones; what every answer must hold is judged of each.
fn a_registration_is_answered_in_full(cx: &CaseContext<'_>) -> CaseResult {
    let nombres = ["Ñandú de la Peña", "図書館 \"Γ\" \\ 📚", "María María María María Núñez", "O'Higgins <b>&amp;</b>"];
    let named = nombres.map(|nombre| json!({ "nombre": nombre }));
    for fields in named.iter().chain([&json!({ "role": "user" }), &json!({ "role": "admin" })]) {
        register(cx, &registration(cx, fields))?;
    }
    register(cx, &registration_without(cx, "nombre"))?;
    let credentials = &cx.target().credentials;
    for initial in [&credentials.admin_user, &credentials.regular_user] {
        users::try_log_in(cx, &initial.email, &initial.password)?;
    }
    Ok(())
}

fn ids_are_distinct(cx: &CaseContext<'_>) -> CaseResult {
    const AT_ONCE: usize = 4;
    let replies = concurrency::simultaneously(AT_ONCE, |_| register(cx, &registration(cx, &json!({}))))?;
    let mut answers = Vec::new();
    let mut ids = Vec::new();
    for reply in replies {
        let reply = reply.prepared("registering a user", 201)?;
        ids.push(reply.text_at("/id"));
        answers.push(reply);
    }
    let credentials = &cx.target().credentials;
    for initial in [&credentials.admin_user, &credentials.regular_user] {
        let reply = users::try_log_in(cx, &initial.email, &initial.password)?;
        // Where the initial users cannot log in, their ids are not known and the others are judged alone.
        ids.push(reply.text_at(&users::principal_field(cx, "id")));
        answers.push(reply);
    }
    // An id that is not a string is judged by its form alone.
    ids.retain(|id| !id.is_empty());
    let alike = ids.iter().find(|id| ids.iter().filter(|other| other == id).count() > 1);
    let is_of_them = |reply: &&Reply| {
        [reply.text_at("/id"), reply.text_at(&users::principal_field(cx, "id"))].iter().any(|id| Some(id) == alike)
    };
    let distinct: BTreeSet<&String> = ids.iter().collect();
    cx.check(
        distinct.len() == ids.len(),
        Place::body("/id").of("several answers"),
        "an id of its own for every user",
        ids.join(", "),
    )
    .seen_in(answers.iter().filter(is_of_them).take(2))
}

fn nombre_may_be_left_out(cx: &CaseContext<'_>) -> CaseResult {
    let body = registration_without(cx, "nombre");
    let registered = register(cx, &body)?.prepared("registering a user", 201)?;
    let logged_in = login_after(cx, &body)?.prepared("logging in", 200)?;
    let seen = [registered.at("/nombre"), logged_in.at(&users::principal_field(cx, "nombre"))];
    let is_empty = |value: &Option<Value>| match value {
        None | Some(Value::Null) => true,
        Some(value) => value == "",
    };
    cx.observe(
        &[("absent", seen.iter().all(Option::is_none)), ("null", seen.iter().all(is_empty))],
        format!("{seen:?}"),
    )
    .seen_in([&registered, &logged_in])
}

fn new_user_is_active_at_once(cx: &CaseContext<'_>) -> CaseResult {
    let body = registration(cx, &json!({}));
    register(cx, &body)?.prepared("registering a user", 201)?;
    login_after(cx, &body)?.check().status(200).map(drop)
}
