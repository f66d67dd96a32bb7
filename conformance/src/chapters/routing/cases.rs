//! Paths and methods, judged by several answers or none. The chapters headers and versioning judge the header values of OPTIONS.

use crate::chapters::books::answers::{is_book, is_list};
use crate::chapters::prelude::*;

cases! { "routing";
    /// OPTIONS on known and unknown paths answers as on /libros, also to a preflight.
    options_answers_alike_on_every_path judges ["routing/options-any-path"] => |cx| {
        let model = cx.request("OPTIONS", "/libros").send()?.prepared("OPTIONS on /libros", 200)?;
        let want = essence(&model);
        for path in PATHS {
            // A CORS library answers itself where a browser asks whether a page of another origin may send PUT.
            let asking = cx.request("OPTIONS", path).header("Origin", "https://lectores.example.test");
            let asking = asking.header("Access-Control-Request-Method", "PUT");
            let asking = asking.header("Access-Control-Request-Headers", "content-type");
            for request in [cx.request("OPTIONS", path), asking] {
                let reply = request.send()?;
                let check = reply.check().status(200)?;
                let got = essence(&reply);
                check.that(got == want, format!("OPTIONS {path}"), format!("{want:?}"), format!("{got:?}"))?;
            }
        }
        Ok(())
    };
    /// HEAD on paths other than books is 404, 405, 400 or 501, without a body.
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
    /// Unknown methods, and those that HTTP libraries reserve, are refused.
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
    /// Reports the answers to `OPTIONS *` and CONNECT, or that the connection was closed.
    options_of_the_asterisk judges ["routing/unknown-method"] => |cx| {
        let got = |method: &str, target: &str| -> Result<String, CaseError> {
            let exchange = cx.request_beside(Interface::Catalogue, method, target).send_unrecorded()?;
            let status = exchange.received.as_ref().ok().map(|received| received.status);
            Ok(status.map_or_else(|| format!("{method}: no answer"), |status| format!("{method}: {status}")))
        };
        cx.tell(format!("{}; {}", got("OPTIONS", "*")?, got("CONNECT", "example.com:80")?))
    };
    /// A request target in absolute form is routed by its path, or is an unknown path.
    whether_absolute_form_is_routed_by_its_path judges ["routing/absolute-form"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::read(cx, made.id)?;
        let address = cx.target().address(Interface::Catalogue);
        let address = address.ok_or_else(|| CaseError::Broken("there is no catalogue".into()))?;
        let absolute = |path: &str| {
            let target = format!("{}{path}", address.url());
            cx.request_beside(Interface::Catalogue, "GET", &target).key(cx.admin_key()).send()
        };
        let (book, list, unknown) = (absolute(&made.path())?, absolute("/libros?limit=1")?, absolute("/nada")?);
        let all = |status: u16| [&book, &list, &unknown].iter().all(|reply| reply.status() == status);
        let by_path = is_book(&book, made.id) && is_list(&list) && unknown.is(404);
        let readings = [("routed", by_path), ("404", all(404)), ("400", all(400))];
        let [of_book, of_list, of_none] = [&book, &list, &unknown].map(Reply::summary);
        let got = format!("{of_book} for a book; {of_list} for the list; {of_none} for /nada");
        cx.observe(&readings, got).seen_in([&book, &list, &unknown])
    };
}

const PATHS: [&str; 13] = [
    "/libros",
    "/libros/1",
    "/libros/abc",
    "/librosfoo",
    "/auth/login",
    "/auth/verify-2fa",
    "/auth/nada",
    "/2fa/status",
    "/2fa/nada",
    "/2fa/trusted-devices/0123456789abcdef0123456789abcdef",
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
