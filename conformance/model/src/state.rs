//! Everything the service remembers, in plain lists. `initial` makes the first state.

use serde_json::Value;

use crate::message::Interface;
use crate::records::{Attempt, Client, Demo, Device, Pending, Session, User};

#[derive(Clone, Debug, Default)]
pub struct State {
    pub books: Vec<Value>,
    pub users: Vec<User>,
    pub clients: Vec<Client>,
    pub sessions: Vec<Session>,
    pub pending: Vec<Pending>,
    pub devices: Vec<Device>,
    pub attempts: Vec<Attempt>,
    pub users_demo: Demo,
    pub graphql_demo: Demo,
    pub graphql_reduced_demo: Demo,
    /// The id and e-mail of each user that the registration route created.
    pub signups: Vec<(String, String)>,
    /// The entries of the blog.
    pub entries: Vec<Value>,
    /// How many entries the blog ever had.
    pub entries_made: u64,
}

impl State {
    pub fn demo(&mut self, interface: Interface) -> &mut Demo {
        match interface {
            Interface::Graphql => &mut self.graphql_demo,
            Interface::GraphqlReduced => &mut self.graphql_reduced_demo,
            Interface::Catalogue | Interface::Users => &mut self.users_demo,
        }
    }

    pub fn user(&self, email: &str) -> Option<&User> {
        self.users.iter().find(|user| user.email == email)
    }

    pub fn user_mut(&mut self, email: &str) -> Option<&mut User> {
        self.users.iter_mut().find(|user| user.email == email)
    }

    /// The times of the failed code checks of an owner, oldest first.
    pub fn failures(&self, owner: &str) -> Vec<i64> {
        let own = self.attempts.iter().filter(|attempt| attempt.owner == owner && !attempt.good);
        own.map(|attempt| attempt.at).collect()
    }

    /// Remembers a code check; at most 50 are kept for an owner.
    pub fn remember(&mut self, owner: &str, at: i64, good: bool) {
        self.attempts.push(Attempt { owner: owner.to_owned(), at, good });
        let is_own = |attempt: &Attempt| attempt.owner == owner;
        if self.attempts.iter().filter(|attempt| is_own(attempt)).count() > 50
            && let Some(oldest) = self.attempts.iter().position(is_own)
        {
            self.attempts.remove(oldest);
        }
    }

    pub fn place(&self, id: f64) -> Option<usize> {
        self.books.iter().position(|book| book["id"].as_f64() == Some(id))
    }
}
