//! Judges every answer by its class, whatever case received it: takes an exchange, returns violations. Pure.

pub mod answer;
pub mod route;
pub mod tally;

mod accounts;
mod books;
mod demo;
pub(crate) mod form;
pub(crate) mod groups;
mod refusals;
mod two_factor;
mod validators;

use crate::contract::violation::{Got, Mismatch, Place};
use crate::http::exchange::Exchange;

use answer::{Answer, Findings, is_strange};
use route::CLASSES;

/// The violations of an answer; `None` if no sentence names its class, or a transport may have answered the request itself.
pub(crate) fn judge(exchange: &Exchange) -> Option<(Answer<'_>, Vec<Mismatch>)> {
    let answer = Answer::of(exchange)?;
    let mut found = Findings::of(&answer);
    if is_strange(answer.route, answer.status()) {
        status(&answer, &mut found);
        return Some((answer, found.violations));
    }
    for judge in [
        groups::judge,
        validators::judge,
        refusals::judge,
        books::judge,
        accounts::judge,
        two_factor::judge,
        demo::judge,
        second_factor_headers,
        request_id,
    ] {
        judge(&answer, &mut found);
    }
    Some((answer, found.violations))
}

/// A success has the status of its operation, a refusal one of the table of errors.
fn status(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let rule = answer.route.success_rule().filter(|_| answer.status() < 300).unwrap_or("errors/statuses");
    let statuses = CLASSES.iter().find(|(route, _)| *route == answer.route).map_or(&[][..], |(_, statuses)| statuses);
    let named: Vec<String> = statuses.iter().map(u16::to_string).collect();
    found.need(rule, false, || (Place::STATUS, named.join(", ").into(), answer.status().into()));
}

/// A login that asks for the second factor carries Content-Type and no other header that the documents name.
fn second_factor_headers(answer: &Answer<'_>, found: &mut Findings<'_>) {
    if !answer.asks_for_second_factor() {
        return;
    }
    found.json_type("login/second-content-type");
    let groups = groups::BASE.iter().chain(groups::CORS).chain(groups::SECURITY).map(|(name, ..)| *name);
    for name in groups.chain(["X-API-Version", "X-API-Build", "Cache-Control", "Pragma", "Expires", "X-Total-Count"]) {
        found.no_header("login/second-headers", name);
    }
}

/// Only the body of a 500 returns the id of the request.
fn request_id(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let Some(Some(id)) = answer.request_header("X-Request-ID") else { return };
    if id.len() < 8 || answer.status() == 500 || !answer.route.is_of_catalogue() {
        return;
    }
    let received = answer.received;
    let shown = received.headers.iter().find(|(_, value)| value.windows(id.len()).any(|part| part == id.as_bytes()));
    let is_unseen = shown.is_none() && !received.text().contains(id);
    found.need("headers/request-id-unseen", is_unseen, || {
        let place = shown.map_or(Place::BODY, |(name, _)| Place::header(name));
        (place, format!("no {id}").into(), Got::Text(id.to_owned()))
    });
}
