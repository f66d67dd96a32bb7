//! What a registration answers, and the role that it gives.

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
    /// Of many registrations of one e-mail at the same moment one alone succeeds, and its password is the one that counts.
    one_of_many_at_once_wins judges ["registration/email-one-winner"];
}

/// A registration without fault, with these fields added or put in place of its own.
pub(crate) fn registration(cx: &CaseContext<'_>, fields: &Value) -> Value {
    let mut body = json!({ "email": users::email(cx, "alta"), "password": PASSWORD, "nombre": "Prueba" });
    fields.as_object().into_iter().flatten().for_each(|(field, value)| body[field] = value.clone());
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
