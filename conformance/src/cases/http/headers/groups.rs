//! The values of the base, CORS, version and security groups, and the answers that carry them: judged on every answer of a run.

use crate::case::{CaseContext, CaseResult, cases};
use crate::cases::http::headers::answers::{self, sampled};
use crate::fixture::books;
use crate::http::reply::SeenIn as _;
use crate::invariants::groups::{BASE, CORS, NO_CACHE, Row, SECURITY};

cases! { "headers";
    /// Bodies of the catalogue are declared as JSON in UTF-8.
    bodies_are_json_in_utf8 judges ["headers/content-type"] by sampled();
    /// X-Content-Type-Options forbids sniffing, on answers of every kind.
    content_type_options_is_nosniff judges ["headers/content-type-options"] by sampled();
    /// X-Frame-Options denies, on answers of every kind.
    frame_options_is_deny judges ["headers/frame-options"] by sampled();
    /// X-XSS-Protection blocks, on answers of every kind.
    xss_protection_blocks judges ["headers/xss-protection"] by sampled();
    /// The allowed methods are listed whole and in order.
    allowed_methods_are_listed judges ["headers/cors-methods"] by sampled();
    /// The allowed request headers are listed, without X-API-Key.
    allowed_request_headers_are_listed judges ["headers/cors-request-headers"] by sampled();
    /// The exposed headers are listed.
    exposed_headers_are_listed judges ["headers/cors-expose"] by sampled();
    /// A preflight may be kept for a day.
    preflight_may_be_kept_a_day judges ["headers/cors-max-age"] by sampled();
    /// Strict transport for a year, on answers of every kind.
    strict_transport_is_a_year judges ["headers/hsts"] by sampled();
    /// The content security policy, on answers of every kind.
    content_security_policy_is_self judges ["headers/content-security-policy"] by sampled();
    /// The referrer policy, on answers of every kind.
    referrer_policy_is_strict_origin judges ["headers/referrer-policy"] by sampled();
    /// The permissions policy, on answers of every kind.
    permissions_policy_forbids_location_and_microphone judges ["headers/permissions-policy"] by sampled();
    /// Any origin is allowed, on answers of every kind.
    any_origin_is_allowed judges ["headers/cors-origin"] by sampled();
    /// X-API-Build names some build on every answer.
    build_is_named judges ["headers/api-build"] by sampled();
    /// Successes of books, /auth and /2fa carry the base, CORS, version and security groups.
    successes_carry_every_group judges ["headers/success-groups"] by sampled();
    /// Refusals with 400, 404 and 405 carry the base, CORS, version and security groups.
    refusals_carry_every_group judges ["headers/error-groups"] by sampled();
    /// A 401 may carry the groups of the builder, or the defaults of a library.
    denials_carry_right_values judges ["headers/denied-groups"];
    /// The 204 of a delete has a Content-Type, or none.
    deletion_has_a_content_type judges ["headers/delete-groups"];
    /// OPTIONS carries the CORS, security and version groups, on paths of every kind.
    options_carries_cors_security_version judges ["headers/options-groups"] by sampled();
    /// OPTIONS may name a media type, the ETag of its empty body, or how long to keep it, as a library adds them.
    options_may_have_a_content_type judges ["headers/options-own"];
    /// The lists of CORS are spelled as the documents print them: order, letter case, a comma and a space.
    lists_are_spelled_as_printed judges ["headers/list-spelling"] by sampled();
    /// No header of the groups is sent twice.
    no_header_is_sent_twice judges ["headers/override"] by sampled();
}

/// Every group of the common builder, the version aside.
fn every_group() -> impl Iterator<Item = &'static Row> {
    BASE.iter().chain(CORS).chain(SECURITY).chain(NO_CACHE)
}

fn denials_carry_right_values(cx: &CaseContext<'_>) -> CaseResult {
    for (what, reply) in answers::denied(cx)? {
        let wrong = every_group().find(|(name, value, _)| reply.header(name).is_some() && !reply.says(name, value));
        let all = every_group().all(|(name, ..)| reply.header(name).is_some());
        let readings = [("all", all && wrong.is_none()), ("some", wrong.is_none()), ("other", wrong.is_some())];
        cx.observe_of(what, &readings, wrong.map_or("", |(name, ..)| *name)).seen_in([&reply])?;
    }
    Ok(())
}

fn deletion_has_a_content_type(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &serde_json::json!({}))?;
    let reply = cx.delete(&book.path()).key(cx.admin_key()).send()?.prepared("deleting a book", 204)?;
    let has_type = reply.header("Content-Type").is_some();
    cx.observe(&[("with", has_type), ("without", !has_type)], "")
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
