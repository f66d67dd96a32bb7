//! Draws single steps, the usual ones more often than others.

use libros_conformance::implementation::profile::Interface;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::bodies::{object, strange, value};
use super::demo::demo;
use super::request_headers::{request_headers, who};
use super::step::{Act, BookId, Device, Password, Step, Token};

/// Seconds to wait, on either side of every lifetime. None of their sums is a lifetime, since each is seven more than a
/// multiple of sixty.
const WAITS: [f64; 14] =
    [7.0, 67.0, 247.0, 307.0, 547.0, 607.0, 847.0, 967.0, 1_747.0, 1_867.0, 3_547.0, 3_667.0, 86_347.0, 2_591_947.0];

/// Fields of a book, and unknown ones.
pub(crate) const BOOK: [(&str, &str); 2] = [("titulo", "\"Rayuela\""), ("autor", "\"Julio Cortázar\"")];
pub(crate) const BOOK_MORE: [&str; 12] = [
    "fechaPublicacion",
    "id",
    "fechaCreacion",
    "creadoPor",
    "fechaActualizacion",
    "actualizadoPor",
    "tema",
    "n",
    "10",
    "2",
    "",
    "ultimaModificacion",
];

pub(crate) const LISTS: [&str; 18] = [
    "",
    "?",
    "?limit=2",
    "?limit=2&page=2",
    "?sort=-titulo&fields=titulo,id",
    "?q=quijote",
    "?n=1",
    "?tema=uno,dos&sort=id",
    "?is_n=true",
    "?creadoPor=Test%20Client",
    "?fields=creadoPor,actualizadoPor,fechaPublicacion",
    "?page=9",
    "?limit=0",
    "/?limit=1",
    "/0?limit=1",
    "foo?limit=1",
    "/abc",
    "?sort=id&limit=100",
];

const IDS: [&str; 19] = [
    "1",
    "5",
    "6",
    "7",
    "0",
    "-1",
    "99",
    "5abc",
    "1.5",
    "1e3",
    "0x10",
    "007",
    "%35",
    "+3",
    "99999999999999999999",
    "abc",
    "",
    "-",
    "9007199254740993",
];

pub(crate) fn step() -> impl Strategy<Value = Step> {
    (act(), who(), request_headers()).prop_map(|(act, who, request_headers)| Step { act, who, request_headers })
}

fn act() -> BoxedStrategy<Act> {
    prop_oneof![
        8 => Just(()).prop_flat_map(|()| book()),
        3 => select(&LISTS[..]).prop_map(Act::List),
        6 => register(),
        12 => (back(), password()).prop_map(|(email, password)| Act::Login { email, password }),
        12 => (back(), token(), option::weighted(0.4, trust()))
            .prop_map(|(pending, token, trust)| Act::Verify { pending, token, trust }),
        6 => password().prop_map(Act::Enable),
        2 => password().prop_map(Act::Disable),
        2 => password().prop_map(Act::Regenerate),
        2 => device().prop_map(Act::Forget),
        12 => identity(),
        8 => demo(),
        5 => select(&WAITS[..]).prop_map(Act::Wait),
    ]
    .boxed()
}

pub(crate) fn back() -> impl Strategy<Value = usize> + Clone {
    prop_oneof![3 => Just(0_usize), 2 => 0..4_usize, 1 => 0..12_usize]
}

fn password() -> impl Strategy<Value = Password> {
    prop_oneof![
        7 => Just(Password::Right), 1 => Just(Password::Wrong), 1 => Just(Password::Absent), 1 => Just(Password::Number),
    ]
}

pub(crate) fn token() -> impl Strategy<Value = Token> {
    let odd = select(vec![
        "\"000000\"",
        "\"12345\"",
        "\"1234567\"",
        "\"ABCDEFGHIJ\"",
        "\"0123456789\"",
        "\"\"",
        "\"      \"",
        "123456",
        "null",
        "true",
        "[\"123456\"]",
        "\"１２３４５６\"",
        "\"ABCDE-FGHI\"",
        "\"12345a\"",
    ]);
    prop_oneof![
        10 => Just(Token::Code(0)),
        4 => select(vec![-1_i64, 1]).prop_map(Token::Code),
        1 => select(vec![-2_i64, 2, 20]).prop_map(Token::Code),
        1 => Just(Token::FormerCode),
        6 => (0..8_usize).prop_map(Token::Backup),
        1 => (0..8_usize).prop_map(Token::AnyBackup),
        1 => (0..8_usize).prop_map(Token::BackupInSmall),
        1 => odd.prop_map(Token::Json),
        1 => Just(Token::Absent),
    ]
}

pub(crate) fn trust() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just("true".to_owned()), 1 => Just("false".to_owned()), 2 => value()]
}

fn device() -> impl Strategy<Value = Device> {
    let odd = select(vec!["0", "0123456789abcdef", "%", "%ff", "a/b", "%2F", "", "a%20b"]);
    prop_oneof![3 => back().prop_map(Device::Known), 1 => odd.prop_map(Device::Text)]
}

fn book() -> impl Strategy<Value = Act> {
    let id = prop_oneof![5 => back().prop_map(BookId::Known), 2 => select(&IDS[..]).prop_map(BookId::Text)];
    let tail = prop_oneof![9 => Just(""), 1 => select(vec!["/", "/2", "?fields=id", "?limit=1&q=x", "/x?y"])];
    let create = (object(&BOOK, &BOOK_MORE), prop_oneof![9 => Just(""), 1 => select(&IDS[..])])
        .prop_map(|(body, id)| Act::Book { method: "POST", id: BookId::Text(id), tail: "", body: Some(body) });
    let by_id = (id, tail, select(vec!["GET", "GET", "DELETE"])).prop_map(|(id, tail, method)| Act::Book {
        method,
        id,
        tail,
        body: None,
    });
    let replace = (back(), object(&BOOK, &BOOK_MORE)).prop_map(|(back, body)| Act::Book {
        method: "PUT",
        id: BookId::Known(back),
        tail: "",
        body: Some(body),
    });
    let odd = (select(vec!["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]), select(&IDS[..]))
        .prop_map(|(method, id)| Act::Book { method, id: BookId::Text(id), tail: "", body: None });
    prop_oneof![4 => create, 4 => by_id, 3 => replace, 1 => odd]
}

fn register() -> BoxedStrategy<Act> {
    let role = prop_oneof![
        6 => select(vec!["\"admin\"", "\"moderator\"", "\"user\"", "\"bibliotecaria\"", "\"\""]).prop_map(str::to_owned),
        1 => value(),
    ];
    let whole = (2..7_usize, option::weighted(0.8, role), option::weighted(0.4, value()))
        .prop_map(|(email, role, nombre)| Act::Register { email, role, nombre });
    let odd =
        object(&[("email", "\"eva@ejemplo.test\""), ("password", "\"clave\"")], &["nombre", "role", "id", "isActive"]);
    prop_oneof![8 => whole, 1 => odd.prop_map(|body| catalogue("POST", "/auth/registro", Some(body)))].boxed()
}

pub(crate) fn catalogue(method: &'static str, path: &str, body: Option<String>) -> Act {
    Act::Plain { interface: Interface::Catalogue, method, path: path.to_owned(), body, user: 0 }
}

/// Other requests to /auth and /2fa.
fn identity() -> BoxedStrategy<Act> {
    let key = object(&[("nombre", "\"Kiosco\"")], &["permisos", "rateLimit", "id", "name"]);
    let methods = select(vec!["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]);
    let paths = select(vec![
        "/auth",
        "/auth/",
        "/auth/login",
        "/auth/login/",
        "/auth/registro",
        "/auth/verify-2fa",
        "/auth/api-keys",
        "/auth/x",
        "/authx",
        "/2fa",
        "/2fa/",
        "/2fa/enable",
        "/2fa/status",
        "/2fa/x",
        "/2fa/trusted-devices",
        "/2fa/trusted-devices/",
        "/2fax",
        "/",
        "/x",
        "//libros",
        "/Libros",
        "/v1/libros",
        "/%6Cibros",
        "/./libros",
        "/auth/login?x=1",
        "/2fa/status?x",
    ]);
    let posts = select(vec![
        "/auth/login",
        "/auth/registro",
        "/auth/verify-2fa",
        "/auth/api-keys",
        "/2fa/enable",
        "/2fa/disable",
        "/2fa/regenerate-backup-codes",
        "/libros",
    ]);
    prop_oneof![
        4 => Just(catalogue("GET", "/2fa/status", None)),
        3 => Just(catalogue("GET", "/2fa/trusted-devices", None)),
        3 => Just(catalogue("GET", "/auth/api-keys", None)),
        4 => key.prop_map(|body| catalogue("POST", "/auth/api-keys", Some(body))),
        2 => (methods, paths, option::weighted(0.2, strange())).prop_map(|(method, path, body)| catalogue(method, path, body)),
        2 => (posts, strange()).prop_map(|(path, body)| catalogue("POST", path, Some(body))),
    ]
    .boxed()
}
