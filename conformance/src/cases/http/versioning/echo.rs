//! Which answers carry the label, and what they say without one.

use serde_json::json;

use super::labelled::{book_answers, labelled, refusals};
use crate::case::{CaseContext, CaseResult, cases};
use crate::fixture::{preflight, users};

cases! { "versioning";
    /// Answers of every kind to requests without a label say 1.0.0, also right after one with a label.
    answers_say_version_1_0_0_by_default judges ["versioning/default"] by answered();
    /// A label comes back letter for letter on every success.
    a_label_is_echoed_by_successes judges ["versioning/echo"] by answered();
    /// 400, 404 and 405 echo the label.
    refusals_echo_the_label judges ["versioning/echo-on-errors"] by answered();
    /// OPTIONS echoes the label.
    options_echoes_the_label judges ["versioning/echo-on-options"] by answered();
    /// No answer carries a Warning, whatever the label.
    no_answer_is_marked_deprecated judges ["versioning/never-deprecated"] by answered();
}

/// Answers of every kind, with a label and without; what the label of the request asks for is judged of each.
fn answered(cx: &CaseContext<'_>) -> CaseResult {
    for label in [None, Some("2.1.0"), Some("v7-beta"), None] {
        book_answers(cx, label)?;
        auth_answers(cx, label)?;
        refusals(cx, label)?;
        labelled(cx.get("/libros"), label).send()?;
        for path in ["/libros", "/libros/1", "/auth/login", "/2fa/status", "/nada"] {
            for request in preflight::beside_plain(cx, path) {
                labelled(request, label).send()?;
            }
        }
    }
    Ok(())
}

fn auth_answers(cx: &CaseContext<'_>, label: Option<&str>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "admin")?;
    let with = |request| labelled(request, label);
    let login = json!({ "email": user.email, "password": user.password });
    let registro = json!({ "email": users::email(cx, "user"), "password": user.password });
    with(cx.post("/auth/login")).json(&login).send()?;
    with(cx.post("/auth/registro")).json(&registro).send()?;
    with(cx.get("/auth/api-keys")).bearer(&tokens.session).send()?;
    if cx.holds_second_factor() {
        with(cx.get("/2fa/status")).bearer(&tokens.session).send()?;
        with(cx.get("/2fa/trusted-devices")).jwt(&tokens.jwt).send()?;
    }
    Ok(())
}
