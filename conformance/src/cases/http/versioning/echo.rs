//! Which answers carry the label, and what they say without one.

use serde_json::json;

use super::labelled::{HEADER, book_answers, denial, labelled, refusals};
use crate::case::{CaseContext, CaseResult, cases};
use crate::contract::violation::{Place, Want};
use crate::fixture::{preflight, users};

cases! { "versioning";
    /// Successful book answers to requests without a label say 1.0.0.
    books_answer_version_1_0_0_by_default judges ["versioning/default"];
    /// Refusals of requests without a label, and OPTIONS, say 1.0.0 too.
    refusals_answer_version_1_0_0_by_default judges ["versioning/default"];
    /// A label comes back letter for letter on every successful book answer.
    a_label_is_echoed_by_book_answers judges ["versioning/echo"];
    /// Successful answers of authentication and two-factor routes echo the label, or say 1.0.0 without one.
    auth_answers_carry_the_label judges ["versioning/echo", "versioning/default"];
    /// A label is that of its request: the next request without one is answered with 1.0.0.
    a_label_is_forgotten_after_its_request judges ["versioning/echo", "versioning/default"];
    /// 400, 404 and 405 echo the label.
    refusals_echo_the_label judges ["versioning/echo-on-errors"];
    /// OPTIONS echoes the label.
    options_echoes_the_label judges ["versioning/echo-on-options"];
}

fn books_answer_version_1_0_0_by_default(cx: &CaseContext<'_>) -> CaseResult {
    for reply in book_answers(cx, None)? {
        reply.check().header(HEADER, "1.0.0")?;
    }
    Ok(())
}

fn refusals_answer_version_1_0_0_by_default(cx: &CaseContext<'_>) -> CaseResult {
    let options = cx.request("OPTIONS", "/libros").send()?.prepared("OPTIONS", 200)?;
    for reply in refusals(cx, None)?.into_iter().chain([options]).chain(denial(cx, None)?) {
        reply.check().header(HEADER, "1.0.0")?;
    }
    Ok(())
}

fn a_label_is_echoed_by_book_answers(cx: &CaseContext<'_>) -> CaseResult {
    for label in ["2.1.0", "v7-beta"] {
        for reply in book_answers(cx, Some(label))?.into_iter().chain(denial(cx, Some(label))?) {
            reply.check().header(HEADER, label)?;
        }
    }
    Ok(())
}

fn auth_answers_carry_the_label(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "admin")?;
    for label in [Some("2.1.0"), None] {
        let with = |request| labelled(request, label);
        let login = json!({ "email": user.email, "password": user.password });
        let email = users::email(cx, "user");
        let registro = json!({ "email": email, "password": user.password });
        let mut requests = vec![
            (200, with(cx.post("/auth/login")).json(&login)),
            (201, with(cx.post("/auth/registro")).json(&registro)),
            (200, with(cx.get("/auth/api-keys")).bearer(&tokens.session)),
        ];
        if cx.holds_second_factor() {
            requests.push((200, with(cx.get("/2fa/status")).bearer(&tokens.session)));
            requests.push((200, with(cx.get("/2fa/trusted-devices")).jwt(&tokens.jwt)));
        }
        for (status, request) in requests {
            let reply = request.send()?.prepared("being answered", status)?;
            match label {
                Some(label) => reply.check_rule("versioning/echo").header(HEADER, label)?,
                None => reply.check_rule("versioning/default").header(HEADER, "1.0.0")?,
            };
        }
    }
    Ok(())
}

fn a_label_is_forgotten_after_its_request(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..2 {
        let with = cx.get("/libros?limit=1").key(cx.admin_key()).header(HEADER, "3.2.1").send()?;
        with.prepared("listing under a label", 200)?.check_rule("versioning/echo").header(HEADER, "3.2.1")?;
        let without = cx.get("/libros?limit=1").key(cx.admin_key()).send()?.prepared("listing", 200)?;
        without.check_rule("versioning/default").header(HEADER, "1.0.0")?;
    }
    Ok(())
}

fn refusals_echo_the_label(cx: &CaseContext<'_>) -> CaseResult {
    for label in ["2.1.0", "v7-beta"] {
        for reply in refusals(cx, Some(label))? {
            let sent = &reply.exchange().sent;
            let place = Place::header(HEADER).of(format_args!("{} to {} {}", reply.status(), sent.method, sent.path));
            let got = reply.header(HEADER);
            reply.check().that(got.as_deref() == Some(label), place, Want::Text(label.into()), got)?;
        }
    }
    Ok(())
}

fn options_echoes_the_label(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["/libros", "/libros/1", "/auth/login", "/2fa/status", "/nada"] {
        for label in ["2.1.0", "v7-beta"] {
            for request in preflight::beside_plain(cx, path) {
                request.header(HEADER, label).send()?.prepared("OPTIONS", 200)?.check().header(HEADER, label)?;
            }
        }
    }
    Ok(())
}
