//! A level holds what it asks for: a service without the rest passes it.

use super::judging::{judged, session};
use super::*;
use crate::context::session::Session;
use crate::impostor::Impostor;
use crate::impostor::effect::Effect;
use crate::runner::level::Level;

/// The chapters whose samples are of every kind; the others of the level ask for books alone.
const SAMPLING: [&str; 5] = ["routing", "versioning", "errors", "headers", "conditional"];

#[test]
fn the_books_pass_without_a_second_factor() {
    let unbuilt = Effect::Request(|request| {
        if request.path == "/auth/verify-2fa" || request.path.starts_with("/2fa/") {
            request.path = "/nada".to_owned();
        }
    });
    let impostor =
        Impostor::start(Options { faults: Faults::none().having(&[unbuilt]), ..Options::default() }).unwrap();
    let session =
        Session { holds_second_factor: Level::Books.holds_second_factor(), ..session(&impostor.urls(), 1, 4).unwrap() };
    let chosen = Level::Books.of(all()).into_iter().filter(|case| SAMPLING.contains(&case.chapter));
    let chosen: Vec<&Case> = chosen.collect();
    assert!(chosen.len() > 100, "{}", chosen.len());
    let complaints = complaints(&judged(&session, &chosen));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
