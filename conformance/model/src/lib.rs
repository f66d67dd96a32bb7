//! The impostor's model: a second implementation of both documents, naive and obviously right. Takes a request and a state,
//! returns a reply, changes the state. Draws tokens and codes at random; the time comes with the request. It knows no socket and no lock.
//! Variations replace its [`steps`].
#![expect(
    missing_docs,
    reason = "the names of records' fields and of steps explain them; where they do not, there is a comment"
)]

pub mod accounts;
pub mod book;
pub mod catalogue;
pub mod clock;
mod demo;
pub mod demo_fields;
pub mod initial;
pub mod js;
pub mod list;
pub mod message;
pub mod records;
pub mod refusals;
pub mod secrets;
pub mod state;
pub mod steps;

use message::{Interface, Reply, Request};
use state::State;
use steps::Steps;

pub fn answer(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    match request.interface {
        Interface::Catalogue => catalogue::answer(steps, state, request),
        Interface::Users => demo::rest::answer(steps, state, request),
        Interface::Graphql => demo::graphql::answer(steps, state, request),
        Interface::GraphqlReduced => demo::graphql_reduced::answer(steps, state, request),
    }
}
