//! What OPTIONS answers, and where. The values of its headers belong to the chapters headers and versioning.

use crate::chapters::prelude::*;
use crate::fixture::preflight;

cases! { "routing";
    /// OPTIONS on paths of every kind, whatever is sent, is 200 without a body.
    options_is_200_without_a_body judges ["routing/options-status", "routing/options-no-body"];
    /// OPTIONS on known and unknown paths of every kind answers as on /libros, also to a browser that asks ahead.
    options_answers_alike_on_every_path judges ["routing/options-any-path"];
    /// OPTIONS asks for no credential and minds no failing one.
    options_asks_for_no_credential judges ["routing/options-any-path"];
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

/// Asks for each path, as a browser does and plainly; what every answer must hold is judged of each.
fn options_is_200_without_a_body(cx: &CaseContext<'_>) -> CaseResult {
    for path in PATHS {
        for request in preflight::beside_plain(cx, path) {
            request.send()?;
        }
    }
    cx.request("OPTIONS", "/libros").json(&json!({ "titulo": "x" })).send().map(drop)
}

/// Status and the headers of the groups that OPTIONS carries, sorted.
fn essence(reply: &Reply) -> (u16, Vec<String>) {
    let security = ["strict-transport-security", "content-security-policy", "referrer-policy", "permissions-policy"];
    let headers = reply
        .received()
        .headers
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), String::from_utf8_lossy(value).into_owned()));
    let of_groups = headers.filter(|(name, _)| {
        name.starts_with("access-control-") || name.starts_with("x-api-") || security.contains(&name.as_str())
    });
    let mut lines: Vec<_> = of_groups.map(|(name, value)| format!("{name}: {value}")).collect();
    lines.sort();
    (reply.status(), lines)
}

fn options_answers_alike_on_every_path(cx: &CaseContext<'_>) -> CaseResult {
    let model = cx.request("OPTIONS", "/libros").send()?.prepared("OPTIONS on /libros", 200)?;
    let want = essence(&model);
    for path in PATHS {
        for request in preflight::beside_plain(cx, path) {
            let reply = request.send()?;
            let check = reply.check();
            check.status(200)?;
            let got = essence(&reply);
            check.that(got == want, format!("OPTIONS {path}"), format!("{want:?}"), format!("{got:?}"))?;
        }
    }
    Ok(())
}

fn options_asks_for_no_credential(cx: &CaseContext<'_>) -> CaseResult {
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
            let reply = request.send()?;
            reply.check().of(&format!("OPTIONS {path}")).status(200)?;
        }
    }
    Ok(())
}
