//! Paths and methods, judged by several answers or none. The chapters headers and versioning judge the header values of OPTIONS.

use crate::chapters::books::answers::{is_book, is_list};
use crate::chapters::prelude::*;

cases! { "routing";
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
            let exchange = cx.request(method, path).key(cx.admin_key()).exchange_unrecorded()?;
            let status = match &exchange.received {
                Ok(received) => Some(received.status),
                Err(none) if none.is_late => {
                    return Err(CaseError::NoAnswer(none.clone().for_request(format_args!("{method} {path}"))));
                }
                Err(_) => None,
            };
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
            let exchange = cx.request_beside(Interface::Catalogue, method, target).exchange_unrecorded()?;
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
