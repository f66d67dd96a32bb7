//! What OPTIONS answers, and where; paths and methods that the documents leave open. The values of its headers belong
//! to the chapters headers and versioning.

use crate::chapters::books::answers::{is_book, is_list};
use crate::chapters::prelude::*;
use crate::fixture::preflight;

cases! { "routing";
    /// OPTIONS on paths of every kind, whatever is sent, is 200 without a body.
    options_is_200_without_a_body judges ["routing/options-status", "routing/options-no-body"] => |cx| {
        // Asks for each path, as a browser does and plainly; what every answer must hold is judged of each.
        for path in PATHS {
            for request in preflight::beside_plain(cx, path) {
                request.send()?;
            }
        }
        cx.request("OPTIONS", "/libros").json(&json!({ "titulo": "x" })).send().map(drop)
    };
    /// OPTIONS on known and unknown paths of every kind answers as on /libros, also to a browser that asks ahead.
    options_answers_alike_on_every_path judges ["routing/options-any-path"] => |cx| {
        let model = cx.request("OPTIONS", "/libros").send()?.prepared("OPTIONS on /libros", 200)?;
        let want = essence(&model);
        for path in PATHS {
            for request in preflight::beside_plain(cx, path) {
                let reply = request.send()?;
                let check = reply.check().status(200)?;
                let got = essence(&reply);
                check.that(got == want, format!("OPTIONS {path}"), format!("{want:?}"), format!("{got:?}"))?;
            }
        }
        Ok(())
    };
    /// OPTIONS asks for no credential and minds no failing one.
    options_asks_for_no_credential judges ["routing/options-any-path"] => |cx| {
        for path in PATHS {
            let ask = || cx.request("OPTIONS", path);
            let requests = [
                ask(),
                ask().key("ak_nobody"),
                ask().bearer("0123456789abcdef"),
                ask().header("Authorization", "Basic YTpi"),
                ask().key(cx.test_key()),
            ];
            for request in requests {
                request.send()?.check().of(&format!("OPTIONS {path}")).status(200)?;
            }
        }
        Ok(())
    };
    /// A known /auth path under a method its table does not give it: 404, 405 or 400.
    auth_paths_under_other_methods judges ["routing/auth-wrong-method"] => |cx| {
        for path in ["/auth/login", "/auth/registro"] {
            for method in ["GET", "PUT", "DELETE", "PATCH"] {
                let reply = cx.request(method, path).json_where_due(&json!({})).send()?;
                let readings = [("404", reply.is(404)), ("405", reply.is(405)), ("400", reply.is(400))];
                cx.observe(&readings, format!("{method} {path}: {}", reply.summary()))?;
            }
        }
        Ok(())
    };
    /// Paths that only normalising turns into book paths: as sent, or normalised.
    paths_to_be_normalised judges ["routing/path-as-sent"] => |cx| {
        for path in ["//libros", "/./libros", "/nada/../libros"] {
            let reply = cx.get(path).key(cx.admin_key()).send()?;
            let readings = [
                ("sent", reply.is(404)),
                ("normalised", is_list(&reply)),
                ("redirect", reply.redirects_to("/libros")),
                ("400", reply.is(400)),
            ];
            cx.observe(&readings, format!("GET {path}: {}", reply.summary()))?;
        }
        Ok(())
    };
    /// Percent-encoding in a path: as sent, or decoded.
    percent_encoded_paths judges ["routing/path-percent-encoded"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::read(cx, made.id)?;
        let letter = cx.get("/%6Cibros").key(cx.admin_key()).send()?;
        let readings = [("sent", letter.is(404)), ("decoded", is_list(&letter))];
        cx.observe(&readings, format!("GET /%6Cibros: {}", letter.summary()))?;
        let digits = percent_encoded(&made.id.to_string());
        let digits = cx.get(&format!("/libros/{digits}")).key(cx.admin_key()).send()?;
        let readings = [("sent", is_list(&digits)), ("decoded", is_book(&digits, made.id))];
        cx.observe(&readings, format!("with digits encoded: {}", digits.summary()))
    };
    /// A slash after a path of /auth or /2fa: unknown, or as without it.
    a_slash_after_other_paths judges ["routing/trailing-slash-elsewhere"] => |cx| {
        let login = json!({ "email": users::NOBODY, "password": "ninguna" });
        let login = cx.post("/auth/login/").json(&login).send()?;
        let status = cx.get("/2fa/status/").send()?;
        for (path, reply, without) in [("/auth/login/", login, 400), ("/2fa/status/", status, 401)] {
            let readings = [
                ("404", reply.is(404)),
                ("passed-over", reply.status() == without),
                ("redirect", reply.redirects_to(path.trim_end_matches('/'))),
                ("400", reply.is(400)),
            ];
            cx.observe(&readings, format!("{path}: {}", reply.summary())).seen_in([&reply])?;
        }
        Ok(())
    };
    /// Empty segments before the id: skipped, or the id's place.
    empty_segments_before_the_id judges ["routing/empty-segments"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::read(cx, made.id)?;
        for slashes in ["//", "///"] {
            let path = format!("/libros{slashes}{}", made.id);
            let reply = cx.get(&path).key(cx.admin_key()).send()?;
            let readings = [
                ("skipped", is_book(&reply, made.id)),
                ("no-id", is_list(&reply)),
                ("redirect", reply.redirects_to(&made.path())),
                ("404", reply.is(404)),
                ("400", reply.is(400)),
            ];
            cx.observe(&readings, format!("GET {path}: {}", reply.summary()))?;
        }
        Ok(())
    };
    /// HEAD outside of books: 404 or 405, without a body.
    head_outside_of_books judges ["routing/head-elsewhere"] => |cx| {
        for path in ["/nada", "/", "/auth/login", "/auth/nada"] {
            let send_two = concurrency::send_two(cx, "HEAD", path, None)?;
            let (status, has_body) = (send_two.first.status, send_two.spoilt.is_some());
            let is = |wanted: u16| status == wanted && !has_body;
            let readings = [("404", is(404)), ("405", is(405)), ("400", is(400)), ("501", is(501))];
            let body = if has_body { " and a body" } else { "" };
            cx.observe(&readings, format!("HEAD {path}: {status}{body}"))?;
        }
        Ok(())
    };
    /// Methods that HTTP does not name, and those that HTTP libraries keep to themselves, are refused, one way or another.
    methods_nobody_knows judges ["routing/unknown-method"] => |cx| {
        for (method, path) in [("TRACE", "/libros"), ("INVENTADO", "/libros"), ("INVENTADO", "/nada")] {
            let exchange = cx.request(method, path).key(cx.admin_key()).send_unrecorded()?;
            let status = exchange.received.as_ref().ok().map(|received| received.status);
            let readings = [
                ("400", matches!(status, None | Some(400))),
                ("405", status == Some(405)),
                ("501", status == Some(501)),
                ("404", status == Some(404) && path != "/libros"),
            ];
            let got = status.map_or_else(|| "a closed connection".to_owned(), |status| status.to_string());
            cx.observe(&readings, format!("{method} {path}: {got}"))?;
        }
        Ok(())
    };
    /// OPTIONS of the asterisk and CONNECT are the transport's: their answers are reported, a closed connection too.
    options_of_the_asterisk judges ["routing/unknown-method"] => |cx| {
        let got = |method: &str, target: &str| -> Result<String, CaseError> {
            let exchange = cx.request_beside(Interface::Catalogue, method, target).send_unrecorded()?;
            let status = exchange.received.as_ref().ok().map(|received| received.status);
            Ok(status.map_or_else(|| format!("{method}: no answer"), |status| format!("{method}: {status}")))
        };
        cx.tell(format!("{}; {}", got("OPTIONS", "*")?, got("CONNECT", "example.com:80")?))
    };
}

const PATHS: [&str; 12] = [
    "/libros",
    "/libros/1",
    "/libros/abc",
    "/librosfoo",
    "/auth/login",
    "/auth/verify-2fa",
    "/auth/nada",
    "/2fa/status",
    "/2fa/nada",
    "/2fa",
    "/nada",
    "/",
];

/// Status and the headers of the groups that OPTIONS carries, sorted.
fn essence(reply: &Reply) -> (u16, Vec<String>) {
    let security = ["strict-transport-security", "content-security-policy", "referrer-policy", "permissions-policy"];
    let headers = reply.received().headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), value));
    let of_groups = headers.filter(|(name, _)| {
        name.starts_with("access-control-") || name.starts_with("x-api-") || security.contains(&name.as_str())
    });
    let mut lines: Vec<_> =
        of_groups.map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value))).collect();
    lines.sort();
    (reply.status(), lines)
}
