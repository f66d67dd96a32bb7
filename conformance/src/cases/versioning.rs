//! Cases of the chapter versioning: the version label, asked for, echoed, never judged.

use serde_json::json;

use super::books::{is_list, told};
use crate::case::{Case, Judged, Stop};
use crate::cases;
use crate::expect::{Reply, reading};
use crate::request::Request;
use crate::trial::Trial;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[CASES];

cases! { "versioning";
    /// Successful book answers to requests without a label say 1.0.0.
    books_answer_version_1_0_0_by_default judges ["versioning/default"];
    /// Refusals of requests without a label, and OPTIONS, say 1.0.0 too.
    refusals_answer_version_1_0_0_by_default judges ["versioning/default"];
    /// A label comes back letter for letter on every successful book answer.
    a_label_is_echoed_by_book_answers judges ["versioning/echo"];
    /// Labels of odd form come back letter for letter.
    odd_labels_are_echoed judges ["versioning/echo"];
    /// A label beyond ASCII comes back byte for byte.
    a_label_beyond_ascii_is_echoed judges ["versioning/echo"];
    /// A label is that of its request: the next request without one is answered with 1.0.0.
    a_label_is_forgotten_after_its_request judges ["versioning/echo", "versioning/default"];
    /// Labels that name no version are served like any other.
    any_label_is_served judges ["versioning/no-validation"];
    /// 400, 404 and 405 echo the label.
    refusals_echo_the_label judges ["versioning/echo-on-errors"];
    /// OPTIONS echoes the label.
    options_echoes_the_label judges ["versioning/echo-on-options"];
    /// An empty label: none, or echoed empty.
    an_empty_label judges ["versioning/empty-label"];
    /// Two lines of labels: joined, or one of them.
    two_labels judges ["versioning/several-lines"];
    /// No answer carries a Warning, whatever the label.
    no_answer_is_marked_deprecated judges ["versioning/never-deprecated"];
    /// A version segment before a path makes it unknown.
    a_version_in_the_path_is_unknown judges ["versioning/no-path-segment"];
}

const HEADER: &str = "X-API-Version";

/// A successful answer of each book operation, with the label, if any.
fn book_answers(t: &Trial<'_>, label: Option<&str>) -> Result<Vec<Reply>, Stop> {
    let with = |request| labelled(request, label);
    let body = json!({ "titulo": "El túnel", "autor": "Ernesto Sabato" });
    let created = with(t.post("/libros"))
        .key(t.admin_key())
        .json(&body)
        .send()?;
    let made = t.made(created)?;
    let list = with(t.get("/libros?limit=1"))
        .key(t.admin_key())
        .send()?
        .prepared("listing", 200)?;
    let read = with(t.get(&made.path()))
        .key(t.admin_key())
        .send()?
        .prepared("reading", 200)?;
    let put = with(t.put(&made.path()))
        .key(t.admin_key())
        .json(&body)
        .send()?
        .prepared("replacing", 200)?;
    let deleted = with(t.delete(&made.path()))
        .key(t.admin_key())
        .send()?
        .prepared("deleting", 204)?;
    t.disowns_book(made.id);
    Ok(vec![made.reply, list, read, put, deleted])
}

fn labelled<'t, 'a>(request: Request<'t, 'a>, label: Option<&str>) -> Request<'t, 'a> {
    match label {
        Some(label) => request.header(HEADER, label),
        None => request,
    }
}

/// One refusal of each kind that every header group belongs to: 400, 404 and 405, of books, authentication and nothing.
fn refusals(t: &Trial<'_>, label: Option<&str>) -> Result<Vec<Reply>, Stop> {
    let with = |request| labelled(request, label);
    let key = t.admin_key();
    let requests = [
        (400, with(t.post("/libros")).key(key).json(&json!({}))),
        (400, with(t.delete("/libros")).key(key)),
        (400, with(t.put("/libros")).key(key).json(&json!({}))),
        (404, with(t.get(&t.unknown_book())).key(key)),
        (404, with(t.delete(&t.unknown_book())).key(key)),
        (405, with(t.request("PATCH", "/libros"))),
        (404, with(t.get("/nada"))),
        (404, with(t.post("/auth/nada")).json(&json!({}))),
        (
            400,
            with(t.post("/auth/login"))
                .json(&json!({ "email": "nadie@example.test", "password": "x" })),
        ),
        (405, with(t.get("/auth/verify-2fa"))),
        (400, with(t.get("/2fa/status")).key(key)),
    ];
    let send = |(status, request): (u16, Request<'_, '_>)| {
        request.send()?.prepared("being refused", status)
    };
    requests.into_iter().map(send).collect()
}

/// A 401 need not carry the version; where it does, it must be the right one.
fn denial(t: &Trial<'_>, label: Option<&str>) -> Result<Option<Reply>, Stop> {
    let reply = labelled(t.get("/libros"), label)
        .send()?
        .prepared("being denied", 401)?;
    Ok(reply.header(HEADER).is_some().then_some(reply))
}

fn books_answer_version_1_0_0_by_default(t: &Trial<'_>) -> Judged {
    for reply in book_answers(t, None)? {
        reply.judge("versioning/default").header(HEADER, "1.0.0")?;
    }
    Ok(())
}

fn refusals_answer_version_1_0_0_by_default(t: &Trial<'_>) -> Judged {
    let options = t
        .request("OPTIONS", "/libros")
        .send()?
        .prepared("OPTIONS", 200)?;
    for reply in refusals(t, None)?
        .into_iter()
        .chain([options])
        .chain(denial(t, None)?)
    {
        reply.judge("versioning/default").header(HEADER, "1.0.0")?;
    }
    Ok(())
}

fn a_label_is_echoed_by_book_answers(t: &Trial<'_>) -> Judged {
    for label in ["2.1.0", "v7-beta"] {
        for reply in book_answers(t, Some(label))?
            .into_iter()
            .chain(denial(t, Some(label))?)
        {
            reply.judge("versioning/echo").header(HEADER, label)?;
        }
    }
    Ok(())
}

/// Labels in the forms that version numbers take, and in none.
const LABELS: [&str; 12] = [
    "1",
    "2.0",
    "1.0.1",
    "v2",
    "V2",
    "999.999.999",
    "2024-01-01",
    "1.0.0-rc.1+build.5",
    "0",
    "latest",
    "a, b;q=0.5",
    "\"!#$%&'()*/:<=>?@[]^`{|}~ Beta  2\"",
];

fn odd_labels_are_echoed(t: &Trial<'_>) -> Judged {
    let long = "x".repeat(200);
    for label in LABELS.into_iter().chain([long.as_str()]) {
        let reply = t
            .get("/libros?limit=1")
            .key(t.admin_key())
            .header(HEADER, label)
            .send()?;
        let reply = reply.prepared("listing under a label", 200)?;
        reply.judge("versioning/echo").header(HEADER, label)?;
        let reply = t
            .request("PATCH", "/libros")
            .header("x-api-version", label)
            .send()?;
        let reply = reply.prepared("PATCH under a label", 405)?;
        reply.judge("versioning/echo").header(HEADER, label)?;
    }
    Ok(())
}

fn a_label_beyond_ascii_is_echoed(t: &Trial<'_>) -> Judged {
    for label in ["versi\u{f3}n".as_bytes(), b"versi\xF3n"] {
        let reply = t
            .get("/libros?limit=1")
            .key(t.admin_key())
            .header_bytes(HEADER, label)
            .send()?;
        let reply = reply.prepared("listing under a label", 200)?;
        let got = reply.received().header_bytes(HEADER).unwrap_or_default();
        let judge = reply.judge("versioning/echo");
        judge.that(
            got == label,
            format!("header {HEADER}"),
            format!("the bytes {label:02x?}"),
            format!("{got:02x?}"),
        )?;
    }
    Ok(())
}

fn a_label_is_forgotten_after_its_request(t: &Trial<'_>) -> Judged {
    for _ in 0..2 {
        let with = t
            .get("/libros?limit=1")
            .key(t.admin_key())
            .header(HEADER, "3.2.1")
            .send()?;
        let with = with.prepared("listing under a label", 200)?;
        with.judge("versioning/echo").header(HEADER, "3.2.1")?;
        let without = t
            .get("/libros?limit=1")
            .key(t.admin_key())
            .send()?
            .prepared("listing", 200)?;
        without
            .judge("versioning/default")
            .header(HEADER, "1.0.0")?;
    }
    Ok(())
}

fn any_label_is_served(t: &Trial<'_>) -> Judged {
    t.get("/libros?limit=1")
        .key(t.admin_key())
        .send()?
        .prepared("listing without a label", 200)?;
    for label in LABELS {
        let reply = t
            .get("/libros?limit=1")
            .key(t.admin_key())
            .header(HEADER, label)
            .send()?;
        let judge = reply.judge("versioning/no-validation");
        judge.that(
            is_list(&reply),
            format!("under {label}"),
            "200 and a list",
            told(&reply),
        )?;
    }
    t.create_book(&json!({}))?;
    let body = json!({ "titulo": "El túnel", "autor": "Ernesto Sabato" });
    let reply = t
        .post("/libros")
        .key(t.admin_key())
        .header(HEADER, "99")
        .json(&body)
        .send()?;
    let reply = t.claim(reply);
    reply.judge("versioning/no-validation").status(201)?;
    let reply = t
        .request("OPTIONS", "/libros")
        .header(HEADER, "99")
        .send()?;
    reply.judge("versioning/no-validation").status(200)?;
    Ok(())
}

fn refusals_echo_the_label(t: &Trial<'_>) -> Judged {
    for label in ["2.1.0", "v7-beta"] {
        for reply in refusals(t, Some(label))? {
            let sent = &reply.exchange().sent;
            let place = format!(
                "header {HEADER} of {} to {} {}",
                reply.status(),
                sent.method,
                sent.path
            );
            let got = reply.header(HEADER);
            let judge = reply.judge("versioning/echo-on-errors");
            judge.that(
                got.as_deref() == Some(label),
                place,
                label,
                got.as_deref().unwrap_or("absent"),
            )?;
        }
    }
    Ok(())
}

fn options_echoes_the_label(t: &Trial<'_>) -> Judged {
    for path in [
        "/libros",
        "/libros/1",
        "/auth/login",
        "/2fa/status",
        "/nada",
    ] {
        for label in ["2.1.0", "v7-beta"] {
            let reply = t.request("OPTIONS", path).header(HEADER, label).send()?;
            let reply = reply.prepared("OPTIONS", 200)?;
            reply
                .judge("versioning/echo-on-options")
                .header(HEADER, label)?;
        }
    }
    Ok(())
}

fn an_empty_label(t: &Trial<'_>) -> Judged {
    let reply = t
        .get("/libros?limit=1")
        .key(t.admin_key())
        .header(HEADER, "")
        .send()?;
    let reply = reply.prepared("listing under an empty label", 200)?;
    let got = reply.header(HEADER);
    let readings = [
        ("`1.0.0`", got.as_deref() == Some("1.0.0")),
        ("an empty X-API-Version", got.as_deref() == Some("")),
    ];
    reading(
        t,
        "versioning/empty-label",
        &readings,
        format!("header {HEADER}: {got:?}"),
    )
}

fn two_labels(t: &Trial<'_>) -> Judged {
    let request = t.get("/libros?limit=1").key(t.admin_key());
    let reply = request.header(HEADER, "1.1").header(HEADER, "2.2").send()?;
    let reply = reply.prepared("listing under two labels", 200)?;
    let got = reply.header(HEADER).unwrap_or_default();
    let readings = [
        ("joined with a comma", got.replace(' ', "") == "1.1,2.2"),
        ("one of the values alone", got == "1.1" || got == "2.2"),
    ];
    reading(
        t,
        "versioning/several-lines",
        &readings,
        format!("header {HEADER}: {got}"),
    )
}

fn no_answer_is_marked_deprecated(t: &Trial<'_>) -> Judged {
    for label in [None, Some("0.1.0"), Some("1.0.0"), Some("2.0.0")] {
        let options = labelled(t.request("OPTIONS", "/libros"), label).send()?;
        let denied = labelled(t.get("/libros"), label).send()?;
        let all = book_answers(t, label)?
            .into_iter()
            .chain(refusals(t, label)?);
        for reply in all.chain([options, denied]) {
            reply
                .judge("versioning/never-deprecated")
                .no_header("Warning")?;
        }
    }
    Ok(())
}

fn a_version_in_the_path_is_unknown(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    t.read_book(made.id)?;
    for version in ["/v1", "/1.0.0", "/api/v1", "/v1.0.0"] {
        for path in ["/libros".to_owned(), made.path()] {
            let reply = t
                .get(&format!("{version}{path}"))
                .key(t.admin_key())
                .send()?;
            reply.judge("versioning/no-path-segment").status(404)?;
        }
        let body = json!({ "email": "nadie@example.test", "password": "x" });
        let reply = t
            .post(&format!("{version}/auth/login"))
            .json(&body)
            .send()?;
        reply.judge("versioning/no-path-segment").status(404)?;
    }
    Ok(())
}
