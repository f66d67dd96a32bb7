//! What counts as a use of a session, and what does not, by the control clock.
//!
//! Each request in question is set beside a session of the same user that was left alone, or used in the ordinary way: only
//! where that one behaves as it must is the other judged.

use super::life::{Session, list_with, log_in, used};
use crate::chapters::prelude::*;

const HALF_HOUR_MS: i64 = 30 * MINUTE_MS;

cases! { "sessions";
    /// A request denied for a lacking permission neither shortens the first hour of a session nor prolongs its last half hour.
    denied_request_keeps_the_expiry judges ["sessions/denied-keeps-expiry"] needs [Need::Clock] => |cx| {
        let asks: [Ask; 4] = [
            |cx, token| {
                let book = json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges" });
                Ok(books::adopt(cx, cx.post("/libros").bearer(token).json(&book).send()?))
            },
            |cx, token| cx.delete(&books::unknown_path(cx)).bearer(token).send(),
            |cx, token| cx.get("/auth/api-keys").bearer(token).send(),
            |cx, token| {
                let client = json!({ "nombre": cx.unique("cliente") });
                cx.post("/auth/api-keys").bearer(token).json(&client).send()
            },
        ];
        judge_is_no_use(cx, 401, &asks)
    };
    /// A 405 on a book path neither shortens the first hour of a session nor prolongs its last half hour.
    unsupported_method_keeps_the_expiry judges ["sessions/unsupported-method-keeps-expiry"] needs [Need::Clock] => |cx| {
        let asks: [Ask; 2] = [
            |cx, token| cx.request("PATCH", "/libros").bearer(token).send(),
            |cx, token| cx.request("PATCH", &books::unknown_path(cx)).bearer(token).send(),
        ];
        judge_is_no_use(cx, 405, &asks)
    };
    /// A use that ends in 404, or in 400 after the credential was looked at, prolongs a session like any other.
    use_that_fails_later_is_a_use judges ["sessions/use-then-failure"] needs [Need::Clock] => |cx| {
        let unknown = books::unknown_path(cx);
        let book = json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges" });
        let wrong = json!({ "password": "No-es-la-clave-2026!" });
        let mut askings = vec![
            Asking("GET", &unknown, None, 404),
            Asking("PUT", &unknown, Some(book), 404),
            Asking("DELETE", &unknown, None, 404),
        ];
        // Where these are refused before the credential is looked at, nothing was used.
        for asking in [
            Asking("POST", "/libros", Some(json!({ "autor": "Anónimo" })), 400),
            Asking("DELETE", "/libros", None, 400),
            Asking("POST", "/2fa/disable", Some(wrong), 400),
        ] {
            if asking.send(cx, None)?.is(401) {
                askings.push(asking);
            }
        }
        judge_are_uses(cx, &askings)
    };
    /// A use on a two-factor route, on the API keys or to write a book prolongs a session like one to read.
    use_on_any_route_is_a_use judges ["sessions/use-anywhere"] needs [Need::Clock] => |cx| {
        let made = books::create(cx, &json!({}))?.path();
        let book = json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges" });
        let client = json!({ "nombre": cx.unique("cliente") });
        let askings = [
            Asking("GET", "/2fa/status", None, 200),
            Asking("GET", "/2fa/trusted-devices", None, 200),
            Asking("GET", "/auth/api-keys", None, 200),
            Asking("POST", "/auth/api-keys", Some(client), 201),
            Asking("GET", &made, None, 200),
            Asking("POST", "/libros", Some(book.clone()), 201),
            Asking("PUT", &made, Some(book), 200),
            Asking("DELETE", &made, None, 204),
        ];
        judge_are_uses(cx, &askings)
    };
}

type Ask = fn(&CaseContext<'_>, &str) -> CaseResult<Reply>;

/// Judges that a request which ends in `status` leaves the expiry of a session alone, in both directions.
fn judge_is_no_use(cx: &CaseContext<'_>, status: u16, asks: &[Ask]) -> CaseResult {
    let user = users::register(cx, "user")?;
    let asked = |session: &Session| {
        let ask = |ask: &Ask| ask(cx, &session.token)?.prepared("making the request in question", status).map(drop);
        asks.iter().try_for_each(ask)
    };
    // In the first half hour a use would bring the expiry forward.
    let (alone, tried) = (log_in(cx, &user)?, log_in(cx, &user)?);
    cx.advance(60.0)?;
    asked(&tried)?;
    let end = alone.created.from + HOUR_MS;
    time::advance_to(cx, end - 20 * SECOND_MS)?;
    used(cx, &alone)?;
    time::before(cx, end, |cx| list_with(cx, &tried.token))?.check().status(200)?;
    // Late in its half hour a use would put the expiry off.
    let tried = log_in(cx, &user)?;
    let last = used(cx, &tried)?;
    time::advance_past(cx, last.to + 20 * MINUTE_MS)?;
    asked(&tried)?;
    time::advance_to(cx, last.to + HALF_HOUR_MS + SECOND_MS)?;
    list_with(cx, &tried.token)?.check().status(401).map(drop)
}

/// A request with a session: method, path, body and the status of its answer.
struct Asking<'p>(&'static str, &'p str, Option<Value>, u16);

impl Asking<'_> {
    fn send(&self, cx: &CaseContext<'_>, token: Option<&str>) -> CaseResult<Reply> {
        let request = cx.request(self.0, self.1);
        let request = if let Some(token) = token { request.bearer(token) } else { request };
        let request = if let Some(body) = &self.2 { request.json(body) } else { request };
        Ok(books::adopt(cx, request.send()?))
    }
}

/// Judges that each of these requests prolongs a session beyond its first hour, as reading a list does.
fn judge_are_uses(cx: &CaseContext<'_>, askings: &[Asking<'_>]) -> CaseResult {
    let user = users::register(cx, "admin")?;
    let reading = log_in(cx, &user)?;
    let tried = askings.iter().map(|_| log_in(cx, &user)).collect::<Result<Vec<_>, _>>()?;
    let last = tried.last().map_or(reading.created, |last| last.created);
    time::advance_past(cx, last.to + 50 * MINUTE_MS)?;
    let from = used(cx, &reading)?.from;
    for (asking, session) in askings.iter().zip(&tried) {
        asking.send(cx, Some(&session.token))?.prepared("making the request in question", asking.3)?;
    }
    let end = from + HALF_HOUR_MS;
    time::advance_to(cx, end - 20 * SECOND_MS)?;
    used(cx, &reading)?;
    let listed =
        concurrency::simultaneously(tried.len(), |nth| time::before(cx, end, |cx| list_with(cx, &tried[nth].token)))?;
    for (asking, reply) in askings.iter().zip(&listed) {
        let Asking(method, path, _, status) = asking;
        let used = format!("a use half an hour after {method} {path} gave {status}");
        reply.check().of(&used).status(200)?;
    }
    Ok(())
}
