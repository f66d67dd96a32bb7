//! Methods and paths beside `POST /graphql`, and OPTIONS.

use super::endpoint::{ENDPOINT, ask};
use crate::chapters::prelude::*;

cases! { "graphql-reduced";
    /// Methods other than POST and OPTIONS are 404, GET with a query too.
    other_methods_are_404 judges ["graphql-reduced/other-method"] needs [ENDPOINT];
    /// Paths beside and below the endpoint's are 404.
    other_paths_are_404 judges ["graphql-reduced/other-path"] needs [ENDPOINT];
    /// A slash after the path makes another path, or what a framework makes of it.
    a_slash_after_the_path_is_open judges ["graphql-reduced/trailing-slash"] needs [ENDPOINT];
    /// OPTIONS on the path is 204, without a body.
    options_is_204 judges ["graphql-reduced/options-status"] needs [ENDPOINT];
    /// OPTIONS allows POST and OPTIONS, however it spells them.
    options_allows_post judges ["graphql-reduced/options-cors"] needs [ENDPOINT];
    /// OPTIONS on another path is as on the path, or 404.
    options_elsewhere_is_open judges ["graphql-reduced/options-other-path"] needs [ENDPOINT];
}

fn other_methods_are_404(cx: &CaseContext<'_>) -> CaseResult {
    let query = json!({ "query": "{ users { id } }" });
    ask(cx, "{ users { id } }")?.prepared("reading all users", 200)?;
    let at = |method: &str, path: &str| cx.request_at(Interface::GraphqlReduced, method, path);
    let requests = [
        at("GET", ""),
        at("GET", "?query=%7Busers%7Bid%7D%7D"),
        at("PUT", "").json(&query),
        at("PATCH", "").json(&query),
        at("DELETE", ""),
    ];
    for request in requests {
        request.send()?.check().refused(404)?;
    }
    Ok(())
}

fn other_paths_are_404(cx: &CaseContext<'_>) -> CaseResult {
    let query = json!({ "query": "{ users { id } }" });
    ask(cx, "{ users { id } }")?.prepared("reading all users", 200)?;
    for path in ["x", "foo/bar", "/nada", "/graphql"] {
        for method in ["POST", "GET"] {
            let request = cx.request_at(Interface::GraphqlReduced, method, path);
            let request = if method == "POST" { request.json(&query) } else { request };
            request.send()?.check().refused(404)?;
        }
    }
    // The rest of the host is known to be its own only if the endpoint is where the documents put it.
    let address = cx.target().address(Interface::GraphqlReduced);
    if address.is_some_and(|address| address.prefix == "/graphql") {
        for path in ["/nada", "/graph", "/graphq"] {
            cx.request_beside(Interface::GraphqlReduced, "POST", path).json(&query).send()?.check().refused(404)?;
        }
    }
    Ok(())
}

fn a_slash_after_the_path_is_open(cx: &CaseContext<'_>) -> CaseResult {
    let query = json!({ "query": "{ users { id } }" });
    let reply = cx.request_at(Interface::GraphqlReduced, "POST", "/").json(&query).send()?;
    let is_served = reply.status() == 200 && reply.at("/data").is_some_and(|users| users.is_array());
    let readings = [
        ("404", reply.status() == 404),
        ("passed-over", is_served),
        ("redirect", reply.redirects_to("")),
        ("400", reply.status() == 400),
    ];
    cx.observe(&readings, reply.summary())
}

fn options(cx: &CaseContext<'_>, path: &str) -> Result<Reply, CaseError> {
    cx.request_at(Interface::GraphqlReduced, "OPTIONS", path)
        .header("Origin", "http://example.test")
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "content-type")
        .send()
}

fn options_is_204(cx: &CaseContext<'_>) -> CaseResult {
    options(cx, "")?.check().status(204)?;
    let plain = cx.request_at(Interface::GraphqlReduced, "OPTIONS", "");
    let (reply, after) = plain.send_and_close()?;
    reply
        .check()
        .status(204)?
        .no_body()?
        .that(after.is_empty(), "after the head", "nothing", format!("{} bytes", after.len()))
        .map(drop)
}

/// What every answer must hold is judged of it.
fn options_allows_post(cx: &CaseContext<'_>) -> CaseResult {
    options(cx, "").map(drop)
}

fn options_elsewhere_is_open(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["x", "/nada"] {
        let reply = options(cx, path)?;
        cx.observe(&[("204", reply.status() == 204), ("404", reply.status() == 404)], reply.status())?;
    }
    Ok(())
}
