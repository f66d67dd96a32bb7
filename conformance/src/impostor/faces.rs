//! The catalogue at two addresses: replicas that share everything but what the policy keeps apart.
//!
//! One request at a time, whichever address it comes to: before a request to the second, its own part takes the place of the shared one,
//! and afterwards the shared one comes back.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::http::{Reply, Request};
use super::model::catalogue;
use super::model::records::{Attempt, Session};
use super::model::state::State;
use super::model::world::World;
use super::policy::Apart;

/// Both addresses.
pub(crate) struct TwoFaces {
    apart: Apart,
    own: Mutex<Own>,
}

/// What the second address has for itself.
struct Own {
    sessions: Vec<Session>,
    attempts: Vec<Attempt>,
    books: Vec<Value>,
}

impl TwoFaces {
    pub(crate) fn new(apart: Apart, world: &World) -> Self {
        let books = world.lock().books.clone();
        Self { apart, own: Mutex::new(Own { sessions: Vec::new(), attempts: Vec::new(), books }) }
    }

    /// Answers at the first address.
    pub(crate) fn answer(&self, world: &World, request: &Request) -> Reply {
        let _turn = self.turn();
        catalogue::answer(world, request)
    }

    /// Answers at the second address.
    pub(crate) fn answer_at_second(&self, world: &World, request: &Request) -> Reply {
        let mut own = self.turn();
        match self.apart {
            Apart::Sessions => apart(&mut own.sessions, world, request, |state| &mut state.sessions),
            Apart::Attempts => apart(&mut own.attempts, world, request, |state| &mut state.attempts),
            Apart::Reads if request.method == "GET" => {
                let current = mem::replace(&mut world.lock().books, own.books.clone());
                let reply = catalogue::answer(world, request);
                world.lock().books.clone_from(&current);
                own.books = current;
                reply
            }
            Apart::Ids if request.method == "POST" && request.path.starts_with("/libros") => {
                let mut current = mem::replace(&mut world.lock().books, own.books.clone());
                let reply = catalogue::answer(world, request);
                let mut state = world.lock();
                for book in state.books.split_off(own.books.len()) {
                    current.retain(|other| other["id"] != book["id"]);
                    current.push(book);
                }
                state.books.clone_from(&current);
                own.books = current;
                reply
            }
            Apart::Reads | Apart::Ids => catalogue::answer(world, request),
        }
    }

    fn turn(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers with `own` in the place of what all share.
fn apart<T>(own: &mut T, world: &World, request: &Request, shared: fn(&mut State) -> &mut T) -> Reply {
    mem::swap(own, shared(&mut world.lock()));
    let reply = catalogue::answer(world, request);
    mem::swap(own, shared(&mut world.lock()));
    reply
}
