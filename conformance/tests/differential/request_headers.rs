//! Draws the headers of a request: credentials of all kinds, and others.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::draw::back;
use super::step::{Forgery, RequestHeaders, Tag, Who};

const AUTHORIZATIONS: [&str; 16] = [
    "",
    "Bearer",
    "Bearer ",
    "JWT",
    "bearer x",
    "BEARER x",
    "jwt a.b.c",
    "Basic YTpi",
    "Bearer  x",
    "JWT a.b",
    "JWT a.b.c",
    "JWT ..",
    "Bearer 0000000000000000000000000000000000000000000000000000000000000000",
    "JWT a.b.c.d",
    "Token x",
    "JWT e30=.bnVsbA==.x",
];

/// Headers that have no effect or that the documents do not name.
const MORE: [(&str, &str); 10] = [
    ("X-Request-ID", "req_1"),
    ("If-Modified-Since", "Wed, 01 Jan 2031 00:00:00 GMT"),
    ("Accept-Encoding", "gzip"),
    ("Accept", "text/html"),
    ("Cache-Control", "no-cache"),
    ("X-Forwarded-For", "192.0.2.7"),
    ("Origin", "http://ejemplo.test"),
    ("X-API-Version", "9"),
    ("Accept-Language", "fr"),
    ("X-HTTP-Method-Override", "DELETE"),
];

pub(crate) fn who() -> BoxedStrategy<Who> {
    let forgery = prop_oneof![
        4 => Just(Forgery::Bare),
        2 => select(vec![3_000_i64, 30, -30]).prop_map(Forgery::EndsIn),
        1 => select(vec!["0", "null", "\"9999999999\"", "1e12", "true", "9999999999.5", "[]"]).prop_map(Forgery::OddEnd),
        1 => select(vec![
            Forgery::UrlSafe, Forgery::TwoSegments, Forgery::FourSegments, Forgery::ClaimsMore, Forgery::NotAnObject, Forgery::BadHeader,
        ]),
    ];
    prop_oneof![
        10 => back().prop_map(Who::Session),
        4 => Just(Who::AdminClient),
        2 => Just(Who::TestClient),
        2 => back().prop_map(Who::CreatedClient),
        3 => back().prop_map(Who::Jwt),
        4 => (0..7_usize, forgery).prop_map(|(email, how)| Who::Forged(email, how)),
        1 => back().prop_map(Who::Mistaken),
        1 => select(&AUTHORIZATIONS[..]).prop_map(Who::Text),
        1 => (select(vec!["", "x", "ak_7e57c11e27000000000000000000c0de"]), back()).prop_map(|(key, back)| Who::KeyAndSession(key, back)),
        1 => Just(Who::Nobody),
    ]
    .boxed()
}

pub(crate) fn request_headers() -> BoxedStrategy<RequestHeaders> {
    let version = option::weighted(0.1, select(vec!["2.0.0", "", "x y,z", "1", "ñ"]));
    let agent = option::weighted(0.3, select(vec!["Lector/1.0", "Otro (ñ)", ""]));
    let language = option::weighted(0.1, select(vec!["es", "es,en;q=0.5", ""]));
    let earlier = [Tag::Earlier, Tag::Earlier, Tag::Earlier, Tag::Quoted, Tag::Weak];
    let earlier = (select(earlier.to_vec()), back()).prop_map(|(tag, back)| tag(back));
    let tag = prop_oneof![4 => earlier, 1 => select(vec!["*", "", "x"]).prop_map(Tag::Text)];
    let more = option::weighted(0.1, select(&MORE[..]));
    (version, agent, language, option::weighted(0.2, tag), prop::bool::weighted(0.9), more)
        .prop_map(|(version, agent, language, tag, is_json, more)| RequestHeaders {
            version,
            agent,
            language,
            tag,
            more,
            is_json,
        })
        .boxed()
}
