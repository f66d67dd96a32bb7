//! Request bodies that are refused, and those of which the documents say nothing.

use crate::chapters::books::answers::is_shown;
use crate::chapters::prelude::*;

cases! { "errors";
    /// A create with a body that is no JSON is 400, however near to JSON it comes.
    malformed_creates_are_refused judges ["errors/malformed-create"] by creates_are_refused(&MALFORMED_BOOKS);
    /// A replace with a body that is no JSON is 400.
    malformed_replaces_are_refused judges ["errors/malformed-replace"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let replace = |body: &str| cx.put(&made.path()).key(cx.admin_key()).json_text(body.as_bytes()).send();
        MALFORMED_BOOKS.into_iter().try_for_each(|body| replace(body)?.check().of(body).status(400).map(drop))
    };
    /// A replace with a body that is no JSON leaves the book as it was.
    malformed_replaces_change_nothing judges ["errors/malformed-replace"] => |cx| {
        let made = books::create(cx, &json!({ "paginas": 12 }))?;
        let before = books::stored(cx, made.id)?;
        for body in MALFORMED_BOOKS {
            let reply = cx.put(&made.path()).key(cx.admin_key()).json_text(body.as_bytes()).send()?;
            let after = books::stored(cx, made.id)?;
            reply.check().that(same(&after, &before), format!("the book after {body}"), &before, &after)?;
        }
        Ok(())
    };
    /// A registration with a body that is no JSON is 400.
    malformed_registrations_are_refused judges ["errors/malformed-auth"] => |cx| {
        let email = users::email(cx, "nadie");
        let bodies = [
            format!(r#"{{"email":"{email}","password":"{PASSWORD}""#),
            format!(r#"{{"email":"{email}","password":"{PASSWORD}",}}"#),
            format!("email={email}&password={PASSWORD}"),
        ];
        are_refused(&bodies, || cx.post("/auth/registro"))
    };
    /// A login and a verification with a body that is no JSON are 400.
    malformed_logins_are_refused judges ["errors/malformed-auth"] => |cx| {
        let user = &cx.target().credentials.regular_user;
        let credentials = format!(r#""email":"{}","password":"{}""#, user.email, user.password);
        let bodies = [format!("{{{credentials}"), format!("{{{credentials},}}"), "x".into()];
        are_refused(&bodies, || cx.post("/auth/login"))?;
        let of_verification: &[_] = if cx.holds_second_factor() { &[r#"{"sessionId":"x","token":"#] } else { &[] };
        are_refused(of_verification, || cx.post("/auth/verify-2fa"))
    };
    /// The creation of an API key with a body that is no JSON is 400.
    malformed_key_creations_are_refused judges ["errors/malformed-auth"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "admin")?;
        let bodies = [r#"{"nombre":"x""#, r#"{"nombre":"x",}"#, "x"];
        are_refused(&bodies, || cx.post("/auth/api-keys").bearer(&tokens.session))
    };
    /// Enabling two-factor with a body that is no JSON is 400, although the password in it is not checked.
    malformed_enablings_are_refused judges ["errors/malformed-two-factor"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        two_factor::status(cx, &tokens)?;
        let bodies = [r#"{"password":"#, r#"{"password":"x",}"#, "x"];
        are_refused(&bodies, || cx.post("/2fa/enable").bearer(&tokens.session))
    };
    /// Disabling two-factor and asking for backup codes with a body that is no JSON are 400.
    malformed_two_factor_requests_are_refused judges ["errors/malformed-two-factor"] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        let password = json!({ "password": user.password });
        cx.post("/2fa/enable").bearer(&tokens.session).json(&password).send()?.prepared("enabling two-factor", 200)?;
        let lenient = format!(r#"{{"password":"{}",}}"#, user.password);
        let refused = |path| are_refused(&[r#"{"password":"#, &lenient], || cx.post(path).bearer(&tokens.session));
        ["/2fa/regenerate-backup-codes", "/2fa/disable"].into_iter().try_for_each(refused)
    };
    /// Reports the text of an unknown path, and those of an unknown e-mail, a wrong password and a taken e-mail.
    how_a_refusal_is_worded judges ["errors/wording"] => |cx| {
        let reply = cx.get("/revistas").send()?.prepared("asking for an unknown path", 404)?;
        cx.tell(reply.text_at("/error"))?;
        let user = users::register(cx, "user")?;
        let again = json!({ "email": user.email, "password": user.password, "nombre": "Prueba" });
        let refusals = [
            users::try_log_in(cx, &users::email(cx, "nadie"), PASSWORD)?,
            users::try_log_in(cx, &user.email, "No-es-la-clave-2026!")?,
            cx.post("/auth/registro").json(&again).send()?,
        ];
        let texts: Vec<String> = refusals.iter().map(|reply| reply.text_at("/error")).collect();
        cx.tell(texts.join("; "))
    };
    /// An empty body where a book is read: malformed, or an object without fields.
    empty_bodies judges ["errors/empty-body"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let created = create(cx, b"")?;
        let replaced = cx.put(&made.path()).key(cx.admin_key()).json_text(b"").send()?;
        let is_emptied = replaced.is(200) && !is_shown(&replaced.json(), "titulo");
        // Without fields a create is 400 as well.
        let readings = [("400", created.is(400) && replaced.is(400)), ("object", created.is(400) && is_emptied)];
        let got = format!("create {}; replace {}", created.summary(), replaced.summary());
        cx.observe(&readings, got).seen_in([&created, &replaced])
    };
    /// JSON that is no object: refused, or an object without fields.
    bodies_that_are_no_object judges ["errors/body-not-object"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        for body in ["[]", "\"x\"", "5", "null"] {
            let created = create(cx, body.as_bytes())?;
            let replaced = cx.put(&made.path()).key(cx.admin_key()).json_text(body.as_bytes()).send()?;
            let statuses = (created.status(), replaced.status());
            let readings = [
                ("400", matches!(statuses, (400 | 415, 400 | 415))),
                ("object", statuses == (400, 200)),
                ("500", matches!(statuses, (400 | 415 | 500, 200 | 400 | 415 | 500))),
            ];
            let got = format!("{body}: create {}; replace {}", created.summary(), replaced.summary());
            cx.observe(&readings, got).seen_in([&created, &replaced])?;
        }
        Ok(())
    };
    /// JSON under another Content-Type or none: read, or refused.
    bodies_of_another_content_type judges ["errors/request-content-type"] => |cx| {
        let body = json!({ "titulo": "Azul", "autor": "Rubén Darío" }).to_string();
        for kind in [Some("text/plain"), Some("application/octet-stream"), None] {
            let request = cx.post("/libros").key(cx.admin_key()).body_of_type(kind, body.as_bytes());
            let reply = books::adopt(cx, request.send()?);
            let is_read = reply.is(201) && reply.at("/titulo") == Some(json!("Azul"));
            let readings = [("read", is_read), ("refused", matches!(reply.status(), 400 | 415))];
            cx.observe(&readings, format!("{kind:?}: {}", reply.summary()))?;
        }
        Ok(())
    };
    /// A key that appears twice: the last value, the first, or refused.
    keys_that_appear_twice judges ["errors/duplicate-keys"] => |cx| {
        let reply = create(cx, br#"{"titulo":"primero","autor":"x","titulo":"segundo"}"#)?;
        let has = |titulo: &str| reply.is(201) && reply.text_at("/titulo") == titulo;
        cx.observe(&[("last", has("segundo")), ("400", reply.is(400)), ("first", has("primero"))], reply.summary())
    };
    /// A byte order mark before the JSON: refused, or passed over.
    a_byte_order_mark judges ["errors/byte-order-mark"] => |cx| {
        let reply = create(cx, "\u{feff}{\"titulo\":\"Azul\",\"autor\":\"Rubén Darío\"}".as_bytes())?;
        let is_read = reply.is(201) && reply.text_at("/titulo") == "Azul";
        cx.observe(&[("400", reply.is(400)), ("skipped", is_read)], reply.summary())
    };
    /// A body that is no UTF-8: refused, or read with replacement characters.
    a_body_that_is_no_utf_8 judges ["errors/invalid-utf8"] => |cx| {
        let reply = create(cx, b"{\"titulo\":\"Azul\xFF\",\"autor\":\"Rub\xE9n\"}")?;
        let is_replaced = reply.is(201) && reply.text_at("/titulo") == "Azul\u{fffd}";
        cx.observe(&[("400", reply.is(400)), ("replaced", is_replaced)], reply.summary())
    };
    /// Keys that the documents do not name, in bodies of /auth and /2fa: passed over, or refused.
    further_keys_in_closed_bodies judges ["errors/further-keys"] => |cx| {
        let email = users::email(cx, "user");
        let registration = json!({ "email": email, "password": PASSWORD, "nombre": "Prueba", "idioma": "es" });
        let user = users::register(cx, "user")?;
        let login = json!({ "email": user.email, "password": user.password, "recordar": true });
        let enabling = json!({ "password": user.password, "motivo": "prueba" });
        let read = |what: &str, status: u16, request: Request<'_>| {
            let reply = request.send()?;
            let readings = [("passed-over", reply.status() == status), ("400", reply.is(400))];
            cx.observe(&readings, format!("{what}: {}", reply.summary()))
        };
        read("a registration", 201, cx.post("/auth/registro").json(&registration))?;
        read("a login", 200, cx.post("/auth/login").json(&login))?;
        if cx.holds_second_factor() {
            // A session of its own, known to be one: where a login ends those before it, that has cases of its own.
            let session = users::log_in(cx, &user.email, &user.password)?.session;
            cx.get("/2fa/status").bearer(&session).send()?.prepared("using a session", 200)?;
            read("enabling two-factor", 200, cx.post("/2fa/enable").bearer(&session).json(&enabling))?;
        }
        Ok(())
    };
    /// Bodies of two and of sixteen mebibytes: refused in a civil manner, and the service goes on.
    bodies_of_mebibytes judges ["errors/body-too-large"] => |cx| {
        // The larger one is more than the buffers between hold: its sender is still sending when it is refused.
        for mebibytes in [2, 16] {
            let filler = format!("\"{}\"", "x".repeat(mebibytes << 20));
            let (status, goes_on) = sent_to_a_create(cx, &filler)?;
            // A create without titulo is 400 where the size is accepted, which the other 4xx includes.
            let readings = [
                ("413", goes_on && status == Some(413)),
                ("4xx", goes_on && matches!(status, Some(400..=499))),
                ("closed", goes_on && status.is_none()),
            ];
            let got = format!("{mebibytes} MiB: {status:?}, and then {}", if goes_on { "200" } else { "no 200" });
            cx.observe_of(&format!("{mebibytes} MiB"), &readings, got)?;
        }
        Ok(())
    };
    /// JSON nested 200 deep: refused in a civil manner, and the service goes on.
    json_nested_200_deep judges ["errors/nested-too-deep"] => |cx| {
        let (status, goes_on) = sent_to_a_create(cx, &nested(200))?;
        let readings = [
            ("400", goes_on && status == Some(400)),
            ("4xx", goes_on && matches!(status, Some(400..=499))),
            ("closed", goes_on && status.is_none()),
        ];
        cx.observe(&readings, format!("status {status:?}, and then {}", if goes_on { "200" } else { "no 200" }))
    };
    /// Brackets beside each other and in texts are no depth; JSON 100 levels deep is taken or refused.
    json_wide_or_deep judges ["errors/nested-too-deep"];
}

/// Whole books to a lenient reader, no JSON to a strict one.
const MALFORMED_BOOKS: [&str; 8] = [
    r#"{"titulo":"x","autor":"y""#,
    r#"{"titulo":"x","autor":"y",}"#,
    r#"{"titulo":"x" "autor":"y"}"#,
    r#"{'titulo':'x','autor':'y'}"#,
    r#"{titulo:"x",autor:"y"}"#,
    r#"{"titulo":"x","autor":"y","n":01}"#,
    "titulo=x&autor=y",
    "ningún JSON",
];

/// A create with this body, which may or must be refused.
fn create(cx: &CaseContext<'_>, body: &[u8]) -> Result<Reply, CaseError> {
    Ok(books::adopt(cx, cx.post("/libros").key(cx.admin_key()).json_text(body).send()?))
}

/// Creates of these bodies are 400, where one of a whole book is not.
pub(super) fn creates_are_refused(cx: &CaseContext<'_>, bodies: &[&str]) -> CaseResult {
    books::create(cx, &json!({}))?;
    for body in bodies {
        create(cx, body.as_bytes())?.check().of(&format!("a create with {body}")).status(400)?;
    }
    Ok(())
}

/// The request is 400 with each of these bodies.
fn are_refused<'c>(bodies: &[impl AsRef<[u8]>], request: impl Fn() -> Request<'c>) -> CaseResult {
    bodies.iter().try_for_each(|body| request().json_text(body.as_ref()).send()?.check().status(400).map(drop))
}

/// Longest answer read to bodies of mebibytes: a refusal may repeat what it refuses.
const ANSWER_BYTES_MAX: usize = 20 << 20;

/// Sends a body that no create accepts, since it has no titulo; the status, or `None` when the connection was closed.
/// Afterwards the service must still answer.
fn sent_to_a_create(cx: &CaseContext<'_>, filler: &str) -> Result<(Option<u16>, bool), CaseError> {
    let body = format!("{{\"autor\":\"x\",\"relleno\":{filler}}}");
    let request = cx.post("/libros").key(cx.admin_key()).json_text(body.as_bytes());
    let exchange = request.answered_within(ANSWER_BYTES_MAX).send_unrecorded()?;
    let status = exchange.received.as_ref().ok().map(|received| received.status);
    let after = cx.get("/libros?limit=1").key(cx.admin_key()).send()?;
    Ok((status, after.is(200)))
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

/// Brackets beside each other and brackets in texts are no depth: a book that has them is created.
fn json_wide_or_deep(cx: &CaseContext<'_>) -> CaseResult {
    let (brackets, quoted) = ("[{".repeat(300), "\\\"[".repeat(300));
    books::create(cx, &json!({ "relleno": brackets, "otro": quoted }))?;
    books::create(cx, &json!({ "relleno": vec![json!([]); 301] }))?;
    // No deeper: other cases list this book meanwhile, and their JSON reader stops at 128.
    let body = format!("{{\"titulo\":\"x\",\"autor\":\"y\",\"relleno\":{}}}", nested(100));
    let reply = create(cx, body.as_bytes())?;
    cx.observe(&[("taken", reply.is(201)), ("4xx", matches!(reply.status(), 400..=499))], reply.summary())
}
