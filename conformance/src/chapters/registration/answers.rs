//! What a registration answers, and the role that it gives.

use crate::chapters::permissions::operations::{USER, are_exactly};
use crate::chapters::prelude::*;

cases! { "registration";
    /// Users registered at the same moment have ids of their own, different from those of the initial users.
    ids_are_distinct judges ["registration/id-distinct"] => |cx| {
        const AT_ONCE: usize = 4;
        let replies = concurrency::simultaneously(AT_ONCE, |_| register(cx, &registration(cx, &json!({}))))?;
        let mut answers = Vec::new();
        for reply in replies {
            let reply = reply.prepared("registering a user", 201)?;
            answers.push((reply.text_at("/id"), reply));
        }
        let credentials = &cx.target().credentials;
        for initial in [&credentials.admin_user, &credentials.regular_user] {
            let reply = users::try_log_in(cx, &initial.email, &initial.password)?;
            // Where the initial users cannot log in, their ids are not known and the others are judged alone.
            answers.push((reply.text_at(&users::principal_field(cx, "id")), reply));
        }
        // An id that is not a string is judged by its form alone.
        answers.retain(|(id, _)| !id.is_empty());
        let ids: Vec<&str> = answers.iter().map(|(id, _)| id.as_str()).collect();
        let is_shared = |id: &str| ids.iter().filter(|other| **other == id).count() > 1;
        let alike = ids.iter().copied().find(|id| is_shared(id));
        let of_them = answers.iter().filter(|(id, _)| Some(id.as_str()) == alike).map(|(_, reply)| reply);
        let place = Place::body("/id").of("several answers");
        cx.check(alike.is_none(), place, "an id of its own for every user", ids.join(", ")).seen_in(of_them.take(2))
    };
    /// Without nombre the answers of registration and login have none, or an empty one.
    nombre_may_be_left_out judges ["registration/nombre-absent"] => |cx| {
        let body = registration_without(cx, "nombre");
        let registered = register(cx, &body)?.prepared("registering a user", 201)?;
        let logged_in = login_after(cx, &body)?.prepared("logging in", 200)?;
        let seen = [registered.at("/nombre"), logged_in.at(&users::principal_field(cx, "nombre"))];
        let is_empty = |value: &Option<Value>| value.as_ref().is_none_or(|value| value.is_null() || value == "");
        let readings = [("absent", seen.iter().all(Option::is_none)), ("null", seen.iter().all(is_empty))];
        cx.observe(&readings, format!("{seen:?}")).seen_in([&registered, &logged_in])
    };
    /// permissions, isActive and id in the body change nothing: the role alone decides, the service gives the id.
    body_cannot_give_permissions_activity_or_id judges ["registration/permissions-from-role"] => |cx| {
        // One by one: where one of them is refused, the others are judged all the same.
        let all = ["read:libros", "write:libros", "delete:libros", "manage:api_keys"];
        let extras = [json!({ "permissions": all }), json!({ "isActive": false }), json!({ "id": OWN_ID })];
        extras.iter().try_for_each(|extra| gives_nothing(cx, extra))
    };
    /// Of many registrations of one e-mail at the same moment one alone succeeds, and its password is the one that counts.
    one_of_many_at_once_wins judges ["registration/email-one-winner"];
    /// An e-mail in other letter case is another user's, or the same.
    letter_case_of_an_email_counts_or_not judges ["registration/email-case"] => |cx| {
        let first = registration(cx, &json!({}));
        register(cx, &first)?.prepared("registering a user", 201)?;
        let shouted = first["email"].as_str().unwrap_or_default().to_uppercase();
        let reply = register(cx, &registration(cx, &json!({ "email": shouted })))?;
        cx.observe(&[("different", reply.is(201)), ("same", reply.is(400))], format!("status {}", reply.status()))
    };
}

/// A registration without fault, with these fields added or put in place of its own.
pub(crate) fn registration(cx: &CaseContext<'_>, fields: &Value) -> Value {
    let mut body = json!({ "email": users::email(cx, "alta"), "password": PASSWORD, "nombre": "Prueba" });
    fields.as_object().into_iter().flatten().for_each(|(field, value)| body[field] = value.clone());
    body
}

/// The same without one of its fields.
pub(crate) fn registration_without(cx: &CaseContext<'_>, field: &str) -> Value {
    let mut body = registration(cx, &json!({}));
    body.as_object_mut().and_then(|body| body.remove(field));
    body
}

/// Sends a registration, without any credential.
pub(crate) fn register(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    cx.post("/auth/registro").json(body).send()
}

/// The answer to the login that a registration makes possible.
pub(crate) fn login_after(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    let text = |field: &str| body[field].as_str().unwrap_or_default();
    users::try_log_in(cx, text("email"), text("password"))
}

/// An id that no service gives by itself.
const OWN_ID: &str = "user_424242424242";

fn gives_nothing(cx: &CaseContext<'_>, extra: &Value) -> CaseResult {
    let body = registration(cx, extra);
    let registered = register(cx, &body)?;
    // Fields that the documents do not name may be refused.
    if registered.is(400) {
        return Ok(());
    }
    let registered = registered.prepared("registering a user", 201)?;
    registered.check().at_where("/id", "an id of the service's own", |id| id != OWN_ID)?;
    // A body that could say isActive false would lock its user out here.
    let login = login_after(cx, &body)?;
    login
        .check()
        .status(200)?
        .at_where(&users::principal_field(cx, "permissions"), "those of role `user`", |held| are_exactly(held, USER))?
        .at_where(&users::principal_field(cx, "id"), "an id of the service's own", |id| id != OWN_ID)?;
    let book = json!({ "titulo": "El aleph", "autor": "Jorge Luis Borges" });
    let denied = cx.post("/libros").bearer(&login.text_at("/tokens/sessionToken")).json(&book).send()?;
    books::adopt(cx, denied).check().status(401).map(drop)
}

fn one_of_many_at_once_wins(cx: &CaseContext<'_>) -> CaseResult {
    // Few enough for a target that hashes slowly, one password at a time.
    const RIVALS: usize = 6;
    let email = users::email(cx, "alta");
    let body_of =
        |rival: usize| json!({ "email": email, "password": format!("Una-clave-larga-{rival:02}!"), "nombre": "Rival" });
    let replies = concurrency::simultaneously(RIVALS, |rival| register(cx, &body_of(rival)))?;
    let statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    let winners: Vec<usize> = (0..RIVALS).filter(|&rival| statuses[rival] == 201).collect();
    let [winner] = winners[..] else {
        let shown = winners.iter().take(2).map(|winner| &replies[*winner]);
        return cx.check(false, "statuses of the answers", "one 201", format!("{statuses:?}")).seen_in(shown);
    };
    let loser = (winner + 1) % RIVALS;
    login_after(cx, &body_of(winner))?.check().status(200)?;
    login_after(cx, &body_of(loser))?.check().status(400).map(drop)
}
