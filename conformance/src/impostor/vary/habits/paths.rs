//! Habits of routers: which spellings of a path are taken for another, redirected or refused before any handler sees them.

use crate::impostor::effect::prelude::*;

pub(crate) const HABITS: &[Variation] = variations! {
    // Go, net/http, "ServeMux": redirects any request containing . or .. segments or repeated slashes to a cleaner URL.
    "unclean-paths-redirected": "A path that is not clean is redirected with 301."
        => request |request| {
            let clean = clean(&request.path);
            if request.path.starts_with('/') && clean != request.path && request.method != "CONNECT" {
                let mark = if request.query.is_empty() { "" } else { "?" };
                let answer = format!("301 {clean}{mark}{}", request.query);
                divert(request, &answer);
            }
        };
    // Starlette, "Routing": redirect_slashes, on by default, answers 307 to the path without the slash.
    "trailing-slash-redirected": "A slash after a known path is redirected with 307."
        => request |request| {
            let Some(path) = request.path.strip_suffix('/').filter(|path| is_route(path)) else { return };
            let host = request.header("host").unwrap_or_default();
            let mark = if request.query.is_empty() { "" } else { "?" };
            let answer = format!("307 http://{host}{path}{mark}{}", request.query);
            divert(request, &answer);
        };
    // Spring Security, "StrictHttpFirewall": rejects paths that are not normalised, and encoded slashes, periods and percents.
    "unclean-paths-refused": "A path that is not clean answers 400."
        => request |request| if is_unclean(&request.path) { divert(request, "400") };
    // Apache Tomcat, "HTTP Connector", relaxedPathChars and relaxedQueryChars: other characters than a target may hold are 400.
    "raw-characters-refused": "A request target with characters that it may not hold answers 400."
        => request |request| if has_raw_characters(request) { divert(request, "400") };
    // Go, net/http, Server.DisableGeneralOptionsHandler: `OPTIONS *` is answered by the server itself, 200 without a body.
    "options-star-bare": "OPTIONS of the asterisk answers 200 and nothing else."
        => request |request| if request.method == "OPTIONS" && request.path == "*" { divert(request, "200") };
    // Node.js, "HTTP", http.METHODS: the parser knows these and answers 400 to any other.
    "unknown-methods-are-400": "A method that HTTP does not name answers 400."
        => request |request| if !is_named(&request.method) { divert(request, "400") };
    // Jakarta Servlet, HttpServlet.service, and Puma, "supported_http_methods": 501 for any other method.
    "unknown-methods-are-501": "A method that HTTP does not name answers 501."
        => request |request| if !is_named(&request.method) { divert(request, "501") };
};

/// Where a request is diverted to, so that the model does nothing about it.
const DIVERTED: &str = "/diverted/";

/// Keeps a request from the model; the answer is a status, and for a redirect the place behind a space.
fn divert(request: &mut Request, answer: &str) {
    request.path = format!("{DIVERTED}{answer}");
}

pub(crate) fn answer_aside(request: &Request, reply: &mut Reply) {
    let Some(answer) = request.path.strip_prefix(DIVERTED) else { return };
    let (status, place) = answer.split_once(' ').unwrap_or((answer, ""));
    *reply = Reply::bare(status.parse().unwrap_or(400));
    if !place.is_empty() {
        reply.set("Location", place);
    }
    if reply.status != 200 {
        reply.set("Content-Type", "text/html; charset=utf-8");
        reply.body = format!("<h1>{status}</h1>\n").into_bytes();
    }
}

/// The path without empty segments and dots; a slash at its end stays.
fn clean(path: &str) -> String {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop(),
            segment => segments.push(segment),
        }
    }
    let slash = if path.ends_with('/') && !segments.is_empty() { "/" } else { "" };
    format!("/{}{slash}", segments.join("/"))
}

fn is_unclean(path: &str) -> bool {
    let lower = path.to_lowercase();
    path.starts_with('/') && clean(path) != path || ["%2f", "%2e", "%25", "%5c"].iter().any(|code| lower.contains(code))
}

fn has_raw_characters(request: &Request) -> bool {
    let is_raw = |c: char| !c.is_ascii_graphic() || "\"<>\\^`{|}[]".contains(c);
    request.path.chars().chain(request.query.chars()).any(is_raw)
}

fn is_named(method: &str) -> bool {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"].contains(&method)
}
