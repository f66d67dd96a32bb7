//! The values of the base, CORS, version and security groups, and the answers that carry them.

use crate::case::{CaseContext, CaseError, CaseResult, cases, rows};
use crate::cases::http::headers::answers::{self, Answers};
use crate::contract::violation::{Got, Place, Want};
use crate::fixture::{books, preflight};
use crate::http::listed_values::{self, is_list};
use crate::http::media_type;
use crate::http::reply::{Reply, SeenIn as _};

rows! { "headers" by everywhere;
    /// Bodies of the catalogue are declared as JSON in UTF-8.
    bodies_are_json_in_utf8 judges ["headers/content-type"]: "Content-Type";
    /// X-Content-Type-Options forbids sniffing, on answers of every kind.
    content_type_options_is_nosniff judges ["headers/content-type-options"]: "X-Content-Type-Options";
    /// X-Frame-Options denies, on answers of every kind.
    frame_options_is_deny judges ["headers/frame-options"]: "X-Frame-Options";
    /// X-XSS-Protection blocks, on answers of every kind.
    xss_protection_blocks judges ["headers/xss-protection"]: "X-XSS-Protection";
    /// The allowed methods are listed whole and in order.
    allowed_methods_are_listed judges ["headers/cors-methods"]: "Access-Control-Allow-Methods";
    /// The allowed request headers are listed, without X-API-Key.
    allowed_request_headers_are_listed judges ["headers/cors-request-headers"]: "Access-Control-Allow-Headers";
    /// The exposed headers are listed.
    exposed_headers_are_listed judges ["headers/cors-expose"]: "Access-Control-Expose-Headers";
    /// A preflight may be kept for a day.
    preflight_may_be_kept_a_day judges ["headers/cors-max-age"]: "Access-Control-Max-Age";
    /// Strict transport for a year, on answers of every kind.
    strict_transport_is_a_year judges ["headers/hsts"]: "Strict-Transport-Security";
    /// The content security policy, on answers of every kind.
    content_security_policy_is_self judges ["headers/content-security-policy"]: "Content-Security-Policy";
    /// The referrer policy, on answers of every kind.
    referrer_policy_is_strict_origin judges ["headers/referrer-policy"]: "Referrer-Policy";
    /// The permissions policy, on answers of every kind.
    permissions_policy_forbids_location_and_microphone judges ["headers/permissions-policy"]: "Permissions-Policy";
}

cases! { "headers";
    /// Any origin is allowed, on answers of every kind.
    any_origin_is_allowed judges ["headers/cors-origin"];
    /// X-API-Build names some build on every answer.
    build_is_named judges ["headers/api-build"];
    /// Successes of books, /auth and /2fa carry the base, CORS, version and security groups.
    successes_carry_every_group judges ["headers/success-groups"];
    /// Refusals with 400, 404 and 405 carry the base, CORS, version and security groups.
    refusals_carry_every_group judges ["headers/error-groups"];
    /// A 401 may carry the groups of the builder, or the defaults of a library.
    denials_carry_right_values judges ["headers/denied-groups"];
    /// The 204 of a delete carries the groups, with or without Content-Type.
    deletion_carries_every_group judges ["headers/delete-groups"];
    /// OPTIONS carries the CORS, security and version groups, on paths of every kind.
    options_carries_cors_security_version judges ["headers/options-groups"];
    /// OPTIONS may name a media type, the ETag of its empty body, or how long to keep it, as a library adds them.
    options_may_have_a_content_type judges ["headers/options-own"];
    /// The lists of CORS are spelled as the documents print them: order, letter case, a comma and a space.
    lists_are_spelled_as_printed judges ["headers/list-spelling"];
    /// No header of the groups is sent twice.
    no_header_is_sent_twice judges ["headers/override"];
}

const TYPE: [(&str, &str); 1] = [("Content-Type", "application/json; charset=utf-8")];
const BASE: [(&str, &str); 3] =
    [("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("X-XSS-Protection", "1; mode=block")];
const CORS: [(&str, &str); 5] = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD"),
    ("Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID"),
    ("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page"),
    ("Access-Control-Max-Age", "86400"),
];
const SECURITY: [(&str, &str); 4] = [
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
    ("Content-Security-Policy", "default-src 'self'"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "geolocation=(), microphone=()"),
];
const NO_CACHE: [(&str, &str); 3] =
    [("Cache-Control", "no-cache, no-store, must-revalidate"), ("Pragma", "no-cache"), ("Expires", "0")];

/// One answer of every kind the common builder makes, 401 aside.
fn every_answer(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let mut all = answers::book_successes(cx)?;
    all.extend(answers::not_found(cx)?);
    all.extend(answers::refused(cx)?);
    all.extend(answers::auth_successes(cx)?);
    Ok(all)
}

/// The header has its value on one answer of every kind.
fn everywhere(cx: &CaseContext<'_>, name: &str) -> CaseResult {
    let known = TYPE.iter().chain(&BASE).chain(&CORS).chain(&SECURITY).find(|(known, _)| *known == name);
    let Some((_, value)) = known else {
        return Err(CaseError::Broken(format!("{name} is in no group")));
    };
    for (what, reply) in every_answer(cx)? {
        on(&reply, what, name, value)?;
    }
    Ok(())
}

fn on(reply: &Reply, what: &str, name: &str, value: &str) -> CaseResult {
    let got = reply.received().values(name);
    let shown = if got.is_empty() { "absent".to_owned() } else { got.join(" | ") };
    let is_right = |got: &String| match name {
        "Content-Type" => media_type::usual(got) == value,
        _ => got == value || is_list(name) && listed_values::same(got, value),
    };
    // Repeated lines of one value are judged by a case of their own.
    reply.check().that(!got.is_empty() && got.iter().all(is_right), Place::header(name).of(what), value, shown)?;
    Ok(())
}

fn any_origin_is_allowed(cx: &CaseContext<'_>) -> CaseResult {
    everywhere(cx, "Access-Control-Allow-Origin")?;
    // A browser says where it comes from, and is answered as anybody.
    for path in ["/libros?limit=1", "/revistas"] {
        let reply = cx.get(path).key(cx.test_key()).header("Origin", "https://lectores.example.test").send()?;
        on(&reply, path, "Access-Control-Allow-Origin", "*")?;
    }
    Ok(())
}

fn build_is_named(cx: &CaseContext<'_>) -> CaseResult {
    let key = cx.admin_key();
    for reply in
        [cx.get("/libros?limit=1").key(key).send()?, cx.get("/revistas").send()?, cx.request("OPTIONS", "/").send()?]
    {
        let build = reply.header("X-API-Build").unwrap_or_default();
        reply.check().that(!build.is_empty(), "header X-API-Build", "the name of a build", "none, or an empty one")?;
    }
    Ok(())
}

/// Presence alone: values have cases of their own.
fn carries_all(answers: Answers) -> CaseResult {
    for (what, reply) in answers {
        let version = [("X-API-Version", ""), ("X-API-Build", "")];
        for (name, _) in BASE.iter().chain(&CORS).chain(&version).chain(&SECURITY) {
            let is_there = reply.header(name).is_some();
            reply.check().that(is_there, Place::header(name).of(what), Want::Present, Got::Absent)?;
        }
    }
    Ok(())
}

fn successes_carry_every_group(cx: &CaseContext<'_>) -> CaseResult {
    carries_all(answers::book_successes(cx)?)?;
    carries_all(answers::auth_successes(cx)?)
}

fn refusals_carry_every_group(cx: &CaseContext<'_>) -> CaseResult {
    carries_all(answers::not_found(cx)?)?;
    carries_all(answers::refused(cx)?)
}

fn denials_carry_right_values(cx: &CaseContext<'_>) -> CaseResult {
    for (what, reply) in answers::denied(cx)? {
        let groups: Vec<_> = BASE.iter().chain(&CORS).chain(&SECURITY).chain(&NO_CACHE).collect();
        let wrong = groups.iter().find(|(name, value)| reply.header(name).is_some() && !reply.says(name, value));
        let all = groups.iter().all(|(name, _)| reply.header(name).is_some());
        let readings = [("all", all && wrong.is_none()), ("some", wrong.is_none()), ("other", wrong.is_some())];
        cx.observe_of(what, &readings, wrong.map_or("", |(name, _)| name)).seen_in([&reply])?;
    }
    Ok(())
}

fn deletion_carries_every_group(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &serde_json::json!({}))?;
    let reply = cx.delete(&book.path()).key(cx.admin_key()).send()?.prepared("deleting a book", 204)?;
    let groups = BASE.iter().chain(&CORS).chain(&SECURITY).chain(&NO_CACHE);
    let lacking: Vec<_> = groups.filter(|(name, value)| !reply.says(name, value)).collect();
    let has_type = reply.header("Content-Type").is_some();
    let readings = [("with", lacking.is_empty() && has_type), ("without", lacking.is_empty())];
    let names: Vec<_> = lacking.iter().map(|(name, _)| *name).collect();
    cx.observe(&readings, format!("lacking or wrong: {}", names.join(", ")))
}

fn options_carries_cors_security_version(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["/libros", "/libros/1", "/auth/login", "/2fa/status", "/revistas"] {
        for request in preflight::beside_plain(cx, path) {
            let reply = request.send()?;
            for (name, value) in CORS.iter().chain(&SECURITY) {
                on(&reply, &format!("OPTIONS {path}"), name, value)?;
            }
            for name in ["X-API-Version", "X-API-Build"] {
                let is_there = reply.header(name).is_some();
                reply.check().that(
                    is_there,
                    Place::header(name).of(format_args!("OPTIONS {path}")),
                    Want::Present,
                    Got::Absent,
                )?;
            }
        }
    }
    Ok(())
}

fn options_may_have_a_content_type(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["/libros", "/auth/login", "/revistas"] {
        let reply = cx.request("OPTIONS", path).send()?;
        let own = ["Content-Type", "ETag", "Cache-Control"];
        let own = own.map(|name| format!("{name}: {}", reply.header(name).unwrap_or_default()));
        cx.tell(format!("OPTIONS {path}: {}", own.join(", ")))?;
    }
    Ok(())
}

fn no_header_is_sent_twice(cx: &CaseContext<'_>) -> CaseResult {
    let mut all = answers::book_successes(cx)?;
    all.extend(answers::not_found(cx)?);
    all.extend(answers::denied(cx)?);
    all.extend(answers::refused(cx)?);
    for (what, reply) in all {
        let version = [("X-API-Version", ""), ("X-API-Build", ""), ("Content-Type", ""), ("ETag", "")];
        let groups = BASE.iter().chain(&CORS).chain(&SECURITY).chain(&NO_CACHE).chain(&version);
        for (name, _) in groups {
            let lines = reply.received().values(name);
            reply.check().that(lines.len() <= 1, Place::header(name).of(what), "one line", lines.join(" | "))?;
        }
    }
    Ok(())
}

fn lists_are_spelled_as_printed(cx: &CaseContext<'_>) -> CaseResult {
    for reply in [cx.get("/libros?limit=1").key(cx.test_key()).send()?, cx.request("OPTIONS", "/libros").send()?] {
        for (name, want) in CORS.iter().filter(|(name, _)| is_list(name)) {
            let got = reply.header(name).unwrap_or_default();
            // Another list is not spelled otherwise: cases of its own judge it.
            let is_so = got == *want || !listed_values::same(&got, want);
            reply.check().that(is_so, Place::header(name), *want, &got)?;
        }
    }
    Ok(())
}
