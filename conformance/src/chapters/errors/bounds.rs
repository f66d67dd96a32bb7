//! Requests that lenient readers accept, and those at the bounds of size.

use super::bodies::creates_are_refused;
use crate::chapters::prelude::*;
use crate::fixture::limits::{bound, largest};
use crate::http::exchange::Exchange;

cases! { "errors";
    /// Text after the first JSON value makes a body malformed, on every route of the catalogue that reads one.
    text_after_the_json_is_refused judges ["errors/text-after-json"] => |cx| {
        creates_are_refused(cx, &[r#"{"titulo":"x","autor":"y"} {}"#, r#"{"titulo":"x","autor":"y"} x"#])?;
        let made = books::create(cx, &json!({}))?;
        let user = users::register(cx, "user")?;
        users::log_in(cx, &user.email, &user.password)?;
        let new = json!({ "email": users::email(cx, "user"), "password": PASSWORD, "nombre": "Prueba" });
        let known = json!({ "email": user.email, "password": user.password });
        let (holder, tokens) = users::register_and_log_in(cx, "admin")?;
        let password = format!("{} x", json!({ "password": holder.password }));
        let key = format!("{} x", json!({ "nombre": cx.unique("cliente") }));
        if cx.holds_second_factor() {
            two_factor::enable(cx, &tokens)?;
            let manage = |path| cx.post(path).bearer(&tokens.session).json_text(password.as_bytes());
            let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
            let right = json!({ "sessionId": session, "token": enrolled.factor.backup_code(0)? });
            let verify = cx.post("/auth/verify-2fa").device(&two_factor::laptop(cx));
            all_are_refused(vec![
                ("enabling two-factor", manage("/2fa/enable")),
                ("regenerating backup codes", manage("/2fa/regenerate-backup-codes")),
                ("disabling two-factor", manage("/2fa/disable")),
                ("a verification", verify.json_text(format!("{right} x").as_bytes())),
            ])?;
        }
        all_are_refused(vec![
            ("the creation of a key", cx.post("/auth/api-keys").bearer(&tokens.session).json_text(key.as_bytes())),
            ("a replace", cx.put(&made.path()).key(cx.admin_key()).json_text(b"{\"titulo\":\"x\"} x")),
            ("a registration", cx.post("/auth/registro").json_text(format!("{new} x").as_bytes())),
            ("a login", cx.post("/auth/login").json_text(format!("{known} x").as_bytes())),
        ])
    };
    /// NaN and Infinity are no JSON: a create that holds one is malformed.
    // A number under the same key comes last: a reader who takes NaN keeps none, which would stand in the lists of other cases.
    nan_is_no_json judges ["errors/nan"] by creates_are_refused(&[
            r#"{"titulo":"x","autor":"y","paginas":NaN,"paginas":1}"#,
            r#"{"titulo":"x","autor":"y","paginas":-Infinity,"paginas":1}"#,
        ]);
    /// Titulo and AUTOR are other keys than titulo and autor.
    letter_case_counts_in_keys judges ["errors/key-case"]
        by creates_are_refused(&[r#"{"Titulo":"x","autor":"y"}"#, r#"{"titulo":"x","AUTOR":"y"}"#]);
    /// A replace with Titulo stores a field Titulo, and no titulo.
    letter_case_counts_in_keys_of_a_replace judges ["errors/key-case"];
    /// A login with Password or Email is refused, or is one.
    letter_case_in_keys_of_a_login judges ["errors/key-case-closed"] => |cx| {
        let user = users::register(cx, "user")?;
        users::log_in(cx, &user.email, &user.password)?;
        for [email, password] in [["email", "Password"], ["Email", "password"]] {
            let body = json!({ email: user.email, password: user.password });
            let reply = cx.post("/auth/login").json(&body).send()?;
            cx.observe(&[("distinct", reply.is(400)), ("same", reply.is(200))], reply.summary()).seen_in([&reply])?;
        }
        Ok(())
    };
    /// How many bytes of a body are read, told by its length and sent in chunks: the service goes on behind the last.
    how_large_a_body_may_be judges ["errors/body-too-large"] => |cx| {
        const BYTES_MOST: usize = 4 << 20;
        let whole = |bytes: &[u8]| create(cx).json_text(bytes);
        let chunked = |bytes: &[u8]| create(cx).header("Transfer-Encoding", "chunked").json_text(&in_chunks(bytes));
        // Malformed, so it was read.
        let is_400 = |exchange: Exchange| exchange.received.is_ok_and(|received| received.status == 400);
        let is_read = |request: Request<'_>| request.send_unrecorded().map(is_400);
        let with_length = largest(BYTES_MOST, |bytes| is_read(whole(&vec![b'x'; bytes])))?;
        goes_on(cx)?;
        cx.tell(bound("bytes with a length", with_length, BYTES_MOST))?;
        // That the bound is the same in chunks costs two requests to say, another bound many more to find.
        let is_same = is_read(chunked(&vec![b'x'; with_length]))?
            && (with_length == BYTES_MOST || !is_read(chunked(&vec![b'x'; with_length + 1]))?);
        goes_on(cx)?;
        cx.tell(if is_same { "the same bytes in chunks" } else { "other bytes in chunks" })
    };
    /// How deep JSON may be: the service goes on behind the last level.
    how_deep_json_may_be judges ["errors/nested-too-deep"] => |cx| {
        const LEVELS_MOST: usize = 1024;
        // Read, it lacks a titulo; too deep, it is refused in other words or another way.
        let refusal = |levels: usize| -> Result<Option<(u16, String)>, CaseError> {
            let nested = "[".repeat(levels) + &"]".repeat(levels);
            let exchange = create(cx).json_text(format!("{{\"relleno\":{nested}}}").as_bytes()).send_unrecorded()?;
            if exchange.received.is_err() {
                return Ok(None);
            }
            let reply = cx.reply(exchange)?;
            Ok(Some((reply.status(), reply.text_at("/error"))))
        };
        let flat = refusal(1)?;
        let levels = largest(LEVELS_MOST, |levels| Ok(refusal(levels)? == flat))?;
        goes_on(cx)?;
        cx.tell(bound("levels within the book", levels, LEVELS_MOST))
    };
}

fn all_are_refused(requests: Vec<(&str, Request<'_>)>) -> CaseResult {
    for (what, request) in requests {
        request.send()?.check().of(what).status(400)?;
    }
    Ok(())
}

fn letter_case_counts_in_keys_of_a_replace(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let replaced = books::replace(cx, &made, &json!({ "Titulo": "Otro", "AUTOR": "Otra" }))?;
    for reply in [replaced, cx.get(&made.path()).key(cx.admin_key()).send()?] {
        let is_lacking = |key: &str| reply.at(&format!("/{key}")).is_none_or(|value| value.is_null());
        let is_stored = reply.text_at("/Titulo") == "Otro" && reply.text_at("/AUTOR") == "Otra";
        let holds = is_stored && is_lacking("titulo") && is_lacking("autor");
        reply.check().that(holds, Place::BODY, "Titulo and AUTOR as sent, no titulo and no autor", reply.summary())?;
    }
    Ok(())
}

/// A create that is refused whatever its size.
fn create<'t>(cx: &'t CaseContext<'_>) -> Request<'t> {
    cx.post("/libros").key(cx.admin_key())
}

fn goes_on(cx: &CaseContext<'_>) -> CaseResult {
    let is_served = cx.get("/libros?limit=1").key(cx.admin_key()).send()?.is(200);
    cx.check(is_served, "a list afterwards", 200, "no answer, or another")
}

/// The bytes in chunks of a few thousand each, as a client sends what it does not know the length of.
fn in_chunks(bytes: &[u8]) -> Vec<u8> {
    let mut sent = Vec::with_capacity(bytes.len() + bytes.len() / 100 + 8);
    for chunk in bytes.chunks(5_000) {
        sent.extend(format!("{:x}\r\n", chunk.len()).bytes());
        sent.extend(chunk);
        sent.extend(b"\r\n");
    }
    sent.extend(b"0\r\n\r\n");
    sent
}
