//! Draws the headers of a request: credentials of all kinds, and others.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::draw::{PROFILE, back};
use super::vocabulary::{word, words};

/// A credential, and the password of its user.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) password: String,
}

impl Caller {
    pub(crate) fn of(header: &str, value: String) -> Self {
        Self { headers: vec![(header.to_owned(), value)], password: "‹password 0›".to_owned() }
    }

    pub(crate) fn key(key: &str) -> Self {
        Self::of("X-API-Key", key.to_owned())
    }

    pub(crate) fn session(back: usize) -> Self {
        let caller = Self::of("Authorization", format!("Bearer ‹session {back}›"));
        Self { password: format!("‹password-of session {back}›"), ..caller }
    }

    pub(crate) fn jwt(back: usize) -> Self {
        let caller = Self::of("Authorization", format!("JWT ‹jwt {back}›"));
        Self { password: format!("‹password-of jwt {back}›"), ..caller }
    }

    /// With a token that anyone can write, since the documents check no signature.
    pub(crate) fn forged(email: usize, payload: &str) -> Self {
        let caller = Self::of("Authorization", format!("JWT e30=.‹base64 {payload}›.x"));
        Self { password: format!("‹password {email}›"), ..caller }
    }
}

pub(crate) fn caller() -> BoxedStrategy<Caller> {
    let exp =
        ["‹exp 3000›", "‹exp 30›", "‹exp -30›", "0", "null", "\"9999999999\"", "1e12", "true", "9999999999.5", "[]"];
    let claims = "\"permissions\":[\"read:libros\",\"write:libros\",\"manage:api_keys\"]".to_owned();
    let more = prop_oneof![
        4 => Just(String::new()),
        3 => select(exp.to_vec()).prop_map(|exp| format!(",\"exp\":{exp}")),
        1 => Just(format!(",{claims}")),
    ];
    let payload =
        (0..7_usize, more).prop_map(|(email, more)| (email, format!("{{\"email\":\"‹email {email}›\"{more}}}")));
    let forged = payload.clone().prop_map(|(email, payload)| Caller::forged(email, &payload));
    let shapes = [
        "e30=.‹base64url §›.x",
        "e30=.‹base64 §›",
        "e30=.‹base64 §›.x.y",
        "?.‹base64 §›.x",
        "e30=.‹base64 [\"email\"]›.x",
    ];
    let misshaped = (select(shapes.to_vec()), payload)
        .prop_map(|(shape, (_, payload))| Caller::of("Authorization", format!("JWT {}", shape.replace('§', &payload))));
    let mistaken = (select(vec!["JWT ‹session", "Bearer ‹jwt"]), back())
        .prop_map(|(value, back)| Caller::of("Authorization", format!("{value} {back}›")));
    let keys = ["", "x", &PROFILE.credentials.test_key].map(str::to_owned);
    let both = (select(keys.to_vec()), back()).prop_map(|(key, back)| {
        let mut caller = Caller::session(back);
        caller.headers.insert(0, ("X-API-Key".to_owned(), key));
        caller
    });
    prop_oneof![
        10 => back().prop_map(Caller::session),
        4 => Just(Caller::key(&PROFILE.credentials.admin_key)),
        2 => Just(Caller::key(&PROFILE.credentials.test_key)),
        2 => back().prop_map(|back| Caller::of("X-API-Key", format!("‹client {back}›"))),
        3 => back().prop_map(Caller::jwt),
        4 => forged,
        1 => misshaped,
        1 => mistaken,
        1 => word("authorizations").prop_map(|value| Caller::of("Authorization", value)),
        1 => both,
        1 => Just(Caller { headers: Vec::new(), password: "‹password 0›".to_owned() }),
    ]
    .boxed()
}

pub(crate) fn request_headers() -> BoxedStrategy<Vec<(String, String)>> {
    let one = |name: &'static str, values: BoxedStrategy<String>, part: f64| {
        option::weighted(part, values.prop_map(move |value| (name.to_owned(), value)))
    };
    let of = |values: &[&str]| select(values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>()).boxed();
    let earlier = (select(vec!["‹tag B›", "‹tag B›", "‹tag B›", "\"‹tag B›\"", "W/\"‹tag B›\""]), back())
        .prop_map(|(tag, back)| tag.replace('B', &back.to_string()));
    let tag = prop_oneof![4 => earlier, 1 => of(&["*", "", "x"])].boxed();
    let more: Vec<_> = words("headers").chunks(2).map(|line| (line[0].clone(), line[1].clone())).collect();
    (
        one("X-API-Version", of(&["2.0.0", "", "x y,z", "1", "ñ"]), 0.1),
        prop_oneof![7 => of(&["libros-conformance"]), 3 => of(&["Lector/1.0", "Otro (ñ)", ""])],
        one("Accept-Language", of(&["es", "es,en;q=0.5", ""]), 0.1),
        one("If-None-Match", tag, 0.2),
        option::weighted(0.1, select(more)),
    )
        .prop_map(|(version, agent, language, tag, more)| {
            let agent = Some(("User-Agent".to_owned(), agent));
            [version, agent, language, tag, more].into_iter().flatten().collect()
        })
        .boxed()
}
