//! Draws histories: single steps and short scenarios.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::bodies::object;
use super::draw::{BOOK, BOOK_MORE, LISTS, back, catalogue, step, token, trust};
use super::request_headers::request_headers;
use super::step::{Act, BookId, Forgery, Password, RequestHeaders, Step, Tag, Who};

/// Most steps of a history.
const STEPS_MAX: usize = 60;

pub(crate) fn history() -> impl Strategy<Value = Vec<Step>> {
    let part = prop_oneof![
        14 => step().prop_map(|step| vec![step]).boxed(),
        2 => second_factor(),
        1 => reread(),
        1 => keys(),
        1 => life_of_a_book(),
    ];
    prop::collection::vec(part, 10..=40).prop_map(|parts| parts.into_iter().flatten().take(STEPS_MAX).collect())
}

/// Scenario: a user with a second factor, and a login that waits for the code.
fn second_factor() -> BoxedStrategy<Vec<Step>> {
    let login = |email| Act::Login { email, password: Password::Right };
    (0..3_usize, request_headers(), request_headers(), token(), option::weighted(0.5, trust()))
        .prop_map(move |(email, request_headers, other, token, trust)| {
            let verify = Act::Verify { pending: 0, token, trust };
            let acts = [login(email), Act::Enable(Password::Right), login(email), verify, login(email)];
            let headers_of_steps = [&request_headers, &request_headers, &request_headers, &other, &request_headers];
            let steps = acts.into_iter().zip(headers_of_steps);
            steps
                .map(|(act, request_headers)| Step {
                    act,
                    who: Who::Session(0),
                    request_headers: request_headers.clone(),
                })
                .collect()
        })
        .boxed()
}

/// Scenario: a read and a second one with its tag.
fn reread() -> BoxedStrategy<Vec<Step>> {
    let by_id = back().prop_map(|back| Act::Book { method: "GET", id: BookId::Known(back), tail: "", body: None });
    let act = prop_oneof![select(&LISTS[..]).prop_map(Act::List).boxed(), by_id.boxed()];
    (act, request_headers())
        .prop_map(|(act, request_headers)| {
            let tag = Some(Tag::Earlier(0));
            [RequestHeaders { tag: None, ..request_headers.clone() }, RequestHeaders { tag, ..request_headers }]
                .map(|request_headers| Step { act: act.clone(), who: Who::TestClient, request_headers })
                .to_vec()
        })
        .boxed()
}

/// Scenario: a book is created, replaced, read and deleted.
fn life_of_a_book() -> BoxedStrategy<Vec<Step>> {
    let body = || object(&BOOK, &BOOK_MORE).prop_map(Some);
    (
        body(),
        body(),
        request_headers(),
        select(vec![Who::AdminClient, Who::Session(0), Who::Jwt(0), Who::CreatedClient(0)]),
    )
        .prop_map(|(first, second, request_headers, who)| {
            let new = Act::Book { method: "POST", id: BookId::Text(""), tail: "", body: first };
            let of = |method, body| Act::Book { method, id: BookId::Known(0), tail: "", body };
            let acts = [new, of("PUT", second), of("GET", None), of("DELETE", None), of("GET", None)];
            acts.map(|act| Step { act, who, request_headers: request_headers.clone() }).to_vec()
        })
        .boxed()
}

/// Scenario: an admin creates an API key.
fn keys() -> BoxedStrategy<Vec<Step>> {
    (2..5_usize, request_headers())
        .prop_map(|(email, request_headers)| {
            let register = Act::Register { email, role: Some("\"admin\"".to_owned()), nombre: None };
            let permisos = "{\"nombre\":\"Kiosco\",\"permisos\":[\"write:libros\",\"delete:libros\"]}";
            let create = catalogue("POST", "/auth/api-keys", Some(permisos.to_owned()));
            let acts = [register, Act::Login { email, password: Password::Right }, create];
            acts.map(|act| Step {
                act,
                who: Who::Forged(email, Forgery::Bare),
                request_headers: request_headers.clone(),
            })
            .to_vec()
        })
        .boxed()
}
