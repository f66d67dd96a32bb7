//! What a lenient reader takes for JSON: each habit is a case of its own, so that it fails no other.

use serde_json::json;

use super::bodies::creates_are_refused;
use crate::case::{CaseContext, CaseResult, cases};
use crate::fixture::books;
use crate::fixture::users::{self, PASSWORD};
use crate::http::reply::{SeenIn as _, told};
use crate::http::request::Request;

cases! { "errors";
    /// Text after the first JSON value makes a body malformed, on creates, replaces, registrations and logins.
    text_after_the_json_is_refused judges ["errors/text-after-json"];
    /// NaN and Infinity are no JSON: a create that holds one is malformed.
    // A number under the same key comes last: a reader who takes NaN keeps none, which would stand in the lists of other cases.
    nan_is_no_json judges ["errors/nan"] by creates_are_refused(&[
            r#"{"titulo":"x","autor":"y","paginas":NaN,"paginas":1}"#,
            r#"{"titulo":"x","autor":"y","paginas":-Infinity,"paginas":1}"#,
        ]);
    /// Titulo and AUTOR are other keys than titulo and autor.
    letter_case_counts_in_keys judges ["errors/key-case"]
        by creates_are_refused(&[r#"{"Titulo":"x","autor":"y"}"#, r#"{"titulo":"x","AUTOR":"y"}"#]);
    /// A login with Password or Email is refused, or is one.
    letter_case_in_keys_of_a_login judges ["errors/key-case-closed"];
}

fn all_are_refused(requests: Vec<(&str, Request<'_>)>) -> CaseResult {
    for (what, request) in requests {
        let reply = request.send()?;
        reply.check().that(reply.status() == 400, format!("status of {what}"), 400, told(&reply))?;
    }
    Ok(())
}

fn text_after_the_json_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    creates_are_refused(cx, &[r#"{"titulo":"x","autor":"y"} {}"#, r#"{"titulo":"x","autor":"y"} x"#])?;
    let made = books::create(cx, &json!({}))?;
    let user = users::register(cx, "user")?;
    users::log_in(cx, &user.email, &user.password)?;
    let new = json!({ "email": users::email(cx, "user"), "password": PASSWORD, "nombre": "Prueba" });
    let known = json!({ "email": user.email, "password": user.password });
    all_are_refused(vec![
        ("a replace", cx.put(&made.path()).key(cx.admin_key()).json_text(b"{\"titulo\":\"x\"} x")),
        ("a registration", cx.post("/auth/registro").json_text(format!("{new} x").as_bytes())),
        ("a login", cx.post("/auth/login").json_text(format!("{known} x").as_bytes())),
    ])
}

fn letter_case_in_keys_of_a_login(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    users::log_in(cx, &user.email, &user.password)?;
    let with_password = json!({ "email": user.email, "Password": user.password });
    let with_email = json!({ "Email": user.email, "password": user.password });
    for body in [with_password, with_email] {
        let reply = cx.post("/auth/login").json(&body).send()?;
        let readings = [("distinct", reply.status() == 400), ("same", reply.status() == 200)];
        cx.observe(&readings, told(&reply)).seen_in([&reply])?;
    }
    Ok(())
}
