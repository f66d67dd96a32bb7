//! Habits of HTTP servers: the names of headers, headers of the transport, validators and media types of their own.

use libros_conformance_model::clock::http_date;
use libros_conformance_model::secrets::md5;

use crate::impostor::effect::prelude::*;

pub(crate) const HABITS: &[Variation] = variations! {
    // Node.js, "HTTP": Date, Connection: keep-alive and Keep-Alive: timeout=5 on every answer.
    "node-transport": "Answers carry the transport headers of Node.js."
        => reply |request, reply| transport(request, reply, &[("Connection", "keep-alive"), ("Keep-Alive", "timeout=5")]);
    // Apache Tomcat, "HTTP Connector", keepAliveTimeout.
    "tomcat-transport": "Answers carry the transport headers of Tomcat."
        => reply |request, reply| transport(request, reply, &[("Connection", "keep-alive"), ("Keep-Alive", "timeout=60")]);
    // PHP manual, "Built-in web server": Date and Connection: close on every answer.
    "php-transport": "Answers carry the transport headers of PHP's own server."
        => reply |request, reply| transport(request, reply, &[("Connection", "close")]);
    // Go, net/http, and Uvicorn, "Settings", --date-header: Date on every answer.
    "date-alone": "Answers carry Date and no other transport header."
        => reply |request, reply| transport(request, reply, &[]);
    // Uvicorn, "Settings", --server-header; Express, "x-powered-by"; Rails, Rack::Runtime.
    "server-named": "Answers of the common builder name the software."
        => reply |_request, reply| if reply.has("X-Frame-Options") && reply.has("Content-Type") {
                reply.set("Server", "uvicorn");
                reply.set("X-Powered-By", "Express");
                reply.set("X-Runtime", "0.004211");
            };
    // Express, "etag", weak by default; Rack::ETag.
    "weak-etag-elsewhere": "JSON has a weak ETag where no validator is set."
        => reply |request, reply| {
            let is_sealed = request.path == "/auth/login" && !reply.has("X-Frame-Options");
            if matches!(reply.status, 200 | 201) && !reply.body.is_empty() && !reply.has("ETag") && !is_sealed {
                let digest = md5(&String::from_utf8_lossy(&reply.body));
                reply.set("ETag", &format!("W/\"{digest}\""));
            }
        };
    // Rails, config.action_dispatch.default_headers; helmet; Spring Security, "Security HTTP Response Headers".
    "options-with-default-headers": "OPTIONS has the headers that the platform puts on every answer."
        => reply |request, reply| if is_empty_options(request, reply) { add_defaults(reply) };
    // Express, res.send: an ETag for the empty text too.
    "options-with-etag": "OPTIONS has the ETag of the empty text."
        => reply |request, reply| if is_empty_options(request, reply) {
            reply.set("ETag", "W/\"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk\"");
        };
    // Symfony, ResponseHeaderBag, and Rails, ActionDispatch::Http::Cache: Cache-Control is kept as a map and written anew.
    "cache-directives-sorted": "The directives of Cache-Control are sorted by name."
        => reply |_request, reply| if let Some(value) = reply.header("Cache-Control") {
            let mut directives: Vec<String> = value.split(", ").map(str::to_owned).collect();
            directives.sort_unstable();
            reply.set("Cache-Control", &directives.join(", "));
        };
    // PHP manual, "default_mimetype": text/html with its charset on every answer that sets no other type.
    "options-with-content-type": "OPTIONS has the Content-Type of a page."
        => reply |request, reply| if is_empty_options(request, reply) {
            reply.set("Content-Type", "text/html; charset=UTF-8");
        };
    // PHP manual, "default_mimetype", and Django, HttpResponse: text/html with its charset on a 304 that sets no other type.
    "unchanged-with-content-type": "A 304 has the Content-Type of a page."
        => reply |_request, reply| if reply.status == 304 {
            reply.set("Content-Type", "text/html; charset=UTF-8");
        };
    // Spring Security, BearerTokenAuthenticationEntryPoint: error and error_description beside the realm.
    "challenge-says-more": "The challenge of a 401 says what is wrong, too."
        => reply |_request, reply| if let Some(challenge) = reply.header("WWW-Authenticate") {
            let more = format!("{challenge}, error=\"invalid_token\", error_description=\"The token is not valid, or expired\"");
            reply.set("WWW-Authenticate", &more);
        };
    // Python, str(True): True.
    "truth-in-capitals": "X-Has-Next and X-Has-Prev say True or False."
        => reply |_request, reply| ["X-Has-Next", "X-Has-Prev"].iter().for_each(|name| capitalise(reply, name));
    // RFC 9110, 15.5.6, as Starlette, Go's ServeMux and Spring MVC follow it: 405 says which methods are allowed.
    "allow-on-405": "A 405 has an Allow header."
        => reply |_request, reply| if reply.status == 405 { reply.set("Allow", "GET, POST") };
    // Apache Tomcat, Response.setContentType: no space after the semicolon. Spring, MediaType: UTF-8 in upper case.
    "content-type-unspaced": "Content-Type is spelled without a space and with UTF-8 in upper case."
        => reply |_request, reply| if reply.header("Content-Type") == Some("application/json; charset=utf-8") {
                reply.set("Content-Type", "application/json;charset=UTF-8");
            };
    // Express, res.json, and Rails, render json: application/json; charset=utf-8, whatever is answered.
    "charset-named": "Content-Type names the charset on every answer in JSON."
        => reply |_request, reply| if reply.header("Content-Type") == Some("application/json") {
            reply.set("Content-Type", "application/json; charset=utf-8");
        };
    // Go, debug/buildinfo, Main.Version: a build has the version of its module.
    "build-is-a-version": "X-API-Build is a version."
        => reply |_request, reply| if reply.has("X-API-Build") { reply.set("X-API-Build", "v1.4.0-rc.2") };
    // Express, cors, methods: the list is sent as it was configured, in any order.
    "reduced-options-come-first": "OPTIONS of the reduced GraphQL endpoint names itself first."
        => reply |request, reply| if of_reduced(request) && request.method == "OPTIONS" {
            reply.remove("Access-Control-Allow-Headers");
            reply.set("Access-Control-Allow-Origin", "https://example.com");
            reply.set("Access-Control-Allow-Methods", "OPTIONS,POST");
        };
    // ASGI specification, "HTTP Connection Scope": header names are lower-cased; Rack 3 specification, "The Headers".
    "names-in-lower-case": "Names of headers are in lower case."
        => reply |_request, reply| reply.headers.iter_mut().for_each(|(name, _)| *name = name.to_lowercase());
    // Go, net/http, CanonicalHeaderKey: Etag, Www-Authenticate, X-Api-Version.
    "names-canonical": "Names of headers have upper case after hyphens alone."
        => reply |_request, reply| reply.headers.iter_mut().for_each(|(name, _)| *name = canonical(name));
};

fn transport(request: &Request, reply: &mut Reply, headers: &[(&str, &str)]) {
    reply.set("Date", &http_date(request.now));
    let closes = request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    for (name, value) in headers.iter().filter(|_| !closes) {
        reply.set(name, value);
    }
}

/// As Rails 6 has them; its Referrer-Policy is the documents'.
fn add_defaults(reply: &mut Reply) {
    reply.set("X-Frame-Options", "SAMEORIGIN");
    reply.set("X-XSS-Protection", "1; mode=block");
    reply.set("X-Content-Type-Options", "nosniff");
    reply.set("X-Download-Options", "noopen");
    reply.set("X-Permitted-Cross-Domain-Policies", "none");
}

fn is_empty_options(request: &Request, reply: &Reply) -> bool {
    request.method == "OPTIONS" && reply.body.is_empty() && matches!(reply.status, 200 | 204)
}

fn capitalise(reply: &mut Reply, name: &str) {
    let word = match reply.header(name) {
        Some("true") => "True",
        Some("false") => "False",
        _ => return,
    };
    reply.set(name, word);
}

fn canonical(name: &str) -> String {
    let part = |part: &str| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_uppercase() + &rest.to_lowercase()
    };
    name.split('-').map(part).collect::<Vec<_>>().join("-")
}
