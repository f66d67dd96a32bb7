//! Draws histories of all interfaces: single requests, the usual ones more often than others, and short scenarios.

use std::sync::LazyLock;

use libros_conformance::generate::histories::{Ask, History, Step, Wait};
use libros_conformance::implementation::profile::{Interface, Target};
use libros_conformance::implementation::reference::REFERENCE_PROFILE;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::headers::{Caller, caller, request_headers};
use super::vocabulary::{word, words};

/// Most steps of a history.
const STEPS_MAX: usize = 60;

/// Seconds to wait, on either side of every lifetime. None of their sums is a lifetime, since each is seven more than a
/// multiple of sixty.
const WAITS: [i64; 14] = [7, 67, 247, 307, 547, 607, 847, 967, 1_747, 1_867, 3_547, 3_667, 86_347, 2_591_947];

/// Stands for the password of the request's sender.
const OWN_PASSWORD: &str = "‹own-password›";

const BOOK: [(&str, &str); 2] = [("titulo", "\"Rayuela\""), ("autor", "\"Julio Cortázar\"")];

/// The profile of the reference: both sides know its keys.
pub(crate) static PROFILE: LazyLock<Target> = LazyLock::new(|| Target::parse(REFERENCE_PROFILE).unwrap());

/// Steps of one part of a history.
type Part = BoxedStrategy<Vec<Step>>;
type Body = BoxedStrategy<String>;

pub(crate) fn history() -> impl Strategy<Value = History> {
    let single = (act(), caller(), request_headers());
    let single = single.prop_map(|(act, caller, headers)| vec![step(&act, &caller, &headers)]).boxed();
    let wait = select(&WAITS[..]).prop_map(|seconds| vec![Step::Wait(Wait::Seconds(seconds))]).boxed();
    let part =
        prop_oneof![13 => single, 1 => wait, 2 => second_factor(), 1 => reread(), 1 => keys(), 1 => life_of_a_book()];
    prop::collection::vec(part, 10..=40)
        .prop_map(|parts| History(parts.into_iter().flatten().take(STEPS_MAX).collect()))
}

fn act() -> BoxedStrategy<Ask> {
    let managing = select(vec!["enable", "enable", "enable", "disable", "regenerate-backup-codes"]);
    prop_oneof![
        8 => book(),
        3 => list(),
        6 => register(),
        12 => (0..12_usize, password()).prop_map(|(email, password)| log_in(email, password)),
        12 => verify(),
        10 => (managing, password()).prop_map(|(route, password)| managed(route, password)),
        2 => forget(),
        12 => identity(),
        8 => super::demo::ask(),
    ]
    .boxed()
}

/// A request to the catalogue is made with the credential; every one has the headers.
fn step(ask: &Ask, caller: &Caller, headers: &[(String, String)]) -> Step {
    let mut ask = ask.clone();
    if ask.interface == Interface::Catalogue {
        ask.headers.extend(caller.headers.clone());
        ask.body = ask.body.map(|body| body.replace(OWN_PASSWORD, &caller.password));
    }
    ask.headers.extend(headers.iter().cloned());
    Step::Ask(ask)
}

pub(crate) fn back() -> impl Strategy<Value = usize> + Clone {
    prop_oneof![3 => Just(0_usize), 2 => 0..4_usize, 1 => 0..12_usize]
}

#[derive(Debug, Clone, Copy)]
enum Password {
    Right,
    Wrong,
    Absent,
    Number,
}

fn password() -> impl Strategy<Value = Password> {
    let odd = select(vec![Password::Wrong, Password::Absent, Password::Number]);
    prop_oneof![7 => Just(Password::Right), 3 => odd]
}

/// The password as a field, after the fields before it.
fn with_password(before: &str, password: Password, right: &str) -> String {
    match password {
        Password::Right => format!("{{{before}\"password\":\"{right}\"}}"),
        Password::Wrong => format!("{{{before}\"password\":\"wrong\"}}"),
        Password::Number => format!("{{{before}\"password\":5}}"),
        Password::Absent => format!("{{{}}}", before.trim_end_matches(',')),
    }
}

fn log_in(email: usize, password: Password) -> Ask {
    let before = format!("\"email\":\"‹email {email}›\",");
    Ask::new("POST", "/auth/login").json(with_password(&before, password, &format!("‹password {email}›")))
}

fn managed(route: &str, password: Password) -> Ask {
    Ask::new("POST", format!("/2fa/{route}")).json(with_password("", password, OWN_PASSWORD))
}

fn verify() -> impl Strategy<Value = Ask> {
    let code = prop_oneof![
        10 => Just("‹code P 0›".to_owned()),
        4 => select(vec!["‹code P -1›", "‹code P 1›"]).prop_map(str::to_owned),
        1 => select(vec!["‹code P -2›", "‹code P 2›", "‹code P 20›", "‹former-code P›"]).prop_map(str::to_owned),
        6 => (0..8_usize).prop_map(|at| format!("‹backup-code P {at}›")),
        1 => (0..8_usize).prop_map(|at| format!("‹any-backup-code {at}›")),
        1 => (0..8_usize).prop_map(|at| format!("‹small-backup-code P {at}›")),
    ];
    let code = prop_oneof![12 => code.prop_map(|code| Some(format!("\"{code}\""))), 1 => word("tokens").prop_map(Some), 1 => Just(None)];
    let pending = prop_oneof![14 => Just("‹pending P›"), 1 => Just("0")];
    (back(), pending, code, option::weighted(0.4, trust())).prop_map(|(back, pending, code, trust)| {
        let field =
            |name: &str, value: Option<String>| value.map(|value| format!(",\"{name}\":{value}")).unwrap_or_default();
        let (code, trust) = (field("token", code), field("trustDevice", trust));
        let body = format!("{{\"sessionId\":\"{pending}\"{code}{trust}}}");
        Ask::new("POST", "/auth/verify-2fa").json(body.replace(" P", &format!(" {back}")))
    })
}

fn trust() -> Body {
    prop_oneof![4 => Just("true".to_owned()), 1 => Just("false".to_owned()), 2 => value()].boxed()
}

fn forget() -> impl Strategy<Value = Ask> {
    let id = prop_oneof![3 => back().prop_map(|back| format!("‹device {back}›")), 1 => word("device_ids")];
    id.prop_map(|id| Ask::new("DELETE", format!("/2fa/trusted-devices/{id}")))
}

fn list() -> impl Strategy<Value = Ask> {
    word("lists").prop_map(|query| Ask::new("GET", format!("/libros{query}")))
}

fn book() -> impl Strategy<Value = Ask> {
    let known = || back().prop_map(|back| format!("/libros/‹book {back}›"));
    let odd = || word("book_ids").prop_map(|id| format!("/libros/{id}"));
    let body = || object(&BOOK, words("book_fields"));
    let tail = prop_oneof![9 => Just(""), 1 => select(vec!["/", "/2", "?fields=id", "?limit=1&q=x", "/x?y"])];
    let by_id = (prop_oneof![5 => known(), 2 => odd()], tail, select(vec!["GET", "GET", "DELETE"]))
        .prop_map(|(path, tail, method)| Ask::new(method, path + tail));
    let create = prop_oneof![9 => Just("/libros".to_owned()), 1 => odd()];
    let odd_method = (select(vec!["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]), odd());
    prop_oneof![
        4 => sent("POST", create, body()),
        4 => by_id,
        3 => sent("PUT", known(), body()),
        1 => odd_method.prop_map(|(method, path)| Ask::new(method, path)),
    ]
}

/// A request with a body, mostly of the type of JSON.
pub(crate) fn sent(
    method: &'static str,
    path: impl Strategy<Value = String> + 'static,
    body: impl Strategy<Value = String> + 'static,
) -> BoxedStrategy<Ask> {
    (path, body, prop::bool::weighted(0.9))
        .prop_map(move |(path, body, is_json)| match Ask::new(method, path) {
            ask if is_json => ask.json(body),
            ask => Ask { body: Some(body), ..ask },
        })
        .boxed()
}

fn register() -> impl Strategy<Value = Ask> {
    let roles = ["\"admin\"", "\"moderator\"", "\"user\"", "\"bibliotecaria\"", "\"\""].map(str::to_owned);
    let role = prop_oneof![6 => select(roles.to_vec()), 1 => value()];
    let whole =
        (2..7_usize, option::weighted(0.8, role), option::weighted(0.4, value())).prop_map(|(email, role, nombre)| {
            let field = |name: &str, value: Option<String>| {
                value.map(|value| format!(",\"{name}\":{value}")).unwrap_or_default()
            };
            let (role, nombre) = (field("role", role), field("nombre", nombre));
            format!("{{\"email\":\"‹email {email}›\",\"password\":\"‹password {email}›\"{nombre}{role}}}")
        });
    let more = ["nombre", "role", "id", "isActive"].map(str::to_owned).to_vec();
    let odd = object(&[("email", "\"eva@ejemplo.test\""), ("password", "\"clave\"")], more);
    sent("POST", Just("/auth/registro".to_owned()), prop_oneof![8 => whole, 1 => odd])
}

/// Other requests to /auth and /2fa.
fn identity() -> impl Strategy<Value = Ask> {
    let key = object(&[("nombre", "\"Kiosco\"")], ["permisos", "rateLimit", "id", "name"].map(str::to_owned).to_vec());
    let methods = select(vec!["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]);
    let odd = (methods, word("paths"), option::weighted(0.2, odd_body()))
        .prop_map(|(method, path, body)| Ask { body, ..Ask::new(method, path) });
    prop_oneof![
        4 => Just(Ask::new("GET", "/2fa/status")),
        3 => Just(Ask::new("GET", "/2fa/trusted-devices")),
        3 => Just(Ask::new("GET", "/auth/api-keys")),
        4 => sent("POST", Just("/auth/api-keys".to_owned()), key),
        2 => odd,
        2 => sent("POST", word("posts"), odd_body()),
    ]
}

fn value() -> Body {
    let usual: Vec<_> = words("values").into_iter().take(2).collect();
    prop_oneof![2 => select(usual), 3 => word("values")].boxed()
}

/// An object with most of `needed`, mostly with these values, and some of `more`; sometimes an odd body.
pub(crate) fn object(needed: &[(&'static str, &'static str)], more: Vec<String>) -> Body {
    let needed = needed.iter().copied().map(|(name, usual)| {
        let value = prop_oneof![6 => Just(usual.to_owned()), 1 => value()];
        option::weighted(0.93, value.prop_map(move |value| format!("\"{name}\":{value}")))
    });
    let needed: Vec<_> = needed.collect();
    let field = (select(more), value()).prop_map(|(name, value)| format!("\"{name}\":{value}"));
    let object = (needed, prop::collection::vec(field, 0..=3)).prop_map(|(needed, more)| {
        let fields: Vec<String> = needed.into_iter().flatten().chain(more).collect();
        format!("{{{}}}", fields.join(","))
    });
    prop_oneof![8 => object, 1 => odd_body()].boxed()
}

fn odd_body() -> Body {
    let nested = select(vec![3_usize, 127, 128, 129, 200]).prop_map(|levels| {
        format!("{{\"titulo\":\"a\",\"autor\":\"b\",\"x\":{}{}}}", "[".repeat(levels), "]".repeat(levels))
    });
    prop_oneof![12 => word("bodies"), 1 => nested].boxed()
}

/// Scenario: a user with a second factor, and a login that waits for the code.
fn second_factor() -> Part {
    (0..3_usize, request_headers(), request_headers(), verify())
        .prop_map(|(email, headers, other, verify)| {
            let caller = Caller::session(0);
            let login = || step(&log_in(email, Password::Right), &caller, &headers);
            let enable = step(&managed("enable", Password::Right), &caller, &headers);
            vec![login(), enable, login(), step(&verify, &caller, &other), login()]
        })
        .boxed()
}

/// Scenario: a read and a second one with its tag.
fn reread() -> Part {
    let by_id = back().prop_map(|back| Ask::new("GET", format!("/libros/‹book {back}›")));
    (prop_oneof![list(), by_id], request_headers())
        .prop_map(|(ask, headers)| {
            let client = Caller::key(&PROFILE.credentials.test_key);
            let headers: Vec<_> = headers.into_iter().filter(|(name, _)| name != "If-None-Match").collect();
            let again = ask.clone().header("If-None-Match", "‹tag 0›");
            [ask, again].iter().map(|ask| step(ask, &client, &headers)).collect()
        })
        .boxed()
}

/// Scenario: a book is created, replaced, read and deleted.
fn life_of_a_book() -> Part {
    let body = || object(&BOOK, words("book_fields"));
    let client = Caller::of("X-API-Key", "‹client 0›".to_owned());
    let callers = vec![Caller::key(&PROFILE.credentials.admin_key), Caller::session(0), Caller::jwt(0), client];
    (body(), body(), request_headers(), select(callers))
        .prop_map(|(first, second, headers, caller)| {
            let of = |method| Ask::new(method, "/libros/‹book 0›");
            let asks =
                [Ask::new("POST", "/libros").json(first), of("PUT").json(second), of("GET"), of("DELETE"), of("GET")];
            asks.iter().map(|ask| step(ask, &caller, &headers)).collect()
        })
        .boxed()
}

/// Scenario: an admin creates an API key.
fn keys() -> Part {
    (2..5_usize, request_headers())
        .prop_map(|(email, headers)| {
            let admin =
                format!("{{\"email\":\"‹email {email}›\",\"password\":\"‹password {email}›\",\"role\":\"admin\"}}");
            let client = "{\"nombre\":\"Kiosco\",\"permisos\":[\"write:libros\",\"delete:libros\"]}";
            let asks = [
                Ask::new("POST", "/auth/registro").json(admin),
                log_in(email, Password::Right),
                Ask::new("POST", "/auth/api-keys").json(client),
            ];
            let caller = Caller::forged(email, &format!("{{\"email\":\"‹email {email}›\"}}"));
            asks.iter().map(|ask| step(ask, &caller, &headers)).collect()
        })
        .boxed()
}
