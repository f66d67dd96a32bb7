//! Everything the impostor remembers, in plain lists. `initial` makes its start.

use std::time::Instant;

use serde_json::Value;

use super::records::{Attempt, Client, Demo, Device, Pending, Session, User};
use crate::impostor::policy::demo::{Collections, DemoPolicy};

/// A demonstration interface with a collection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interface {
    Users,
    Graphql,
    GraphqlReduced,
}

/// The collection as it was.
#[derive(Clone, Debug)]
pub(crate) struct RecentCopy {
    pub(crate) taken_at: i64,
    pub(crate) books: Vec<Value>,
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) books: Vec<Value>,
    /// The collection as a list saw it; for a fault.
    pub(crate) list_copy: Option<RecentCopy>,
    /// The collection as a read of one book saw it; for a fault.
    pub(crate) read_copy: Option<RecentCopy>,
    /// The highest id ever given.
    pub(crate) highest_book_id: u64,
    pub(crate) users: Vec<User>,
    pub(crate) clients: Vec<Client>,
    pub(crate) sessions: Vec<Session>,
    pub(crate) pending: Vec<Pending>,
    pub(crate) devices: Vec<Device>,
    pub(crate) attempts: Vec<Attempt>,
    /// The e-mails of logins with a wrong password, for a habit.
    pub(crate) wrong_passwords: Vec<String>,
    /// The books as they were after each request, for faults that look back.
    pub(crate) versions: Vec<(Instant, Vec<Value>)>,
    pub(crate) users_demo: Demo,
    pub(crate) graphql_demo: Demo,
    pub(crate) graphql_reduced_demo: Demo,
    /// Identifier and e-mail of each that the registration route has registered.
    pub(crate) signups: Vec<(String, String)>,
    pub(crate) entries: Vec<Value>,
    /// Those of the blog that were deleted, for a fault.
    pub(crate) deleted_entries: Vec<Value>,
    /// The number the next entry of the blog gets.
    pub(crate) next_entry: u64,
}

impl State {
    /// The books as they were at that moment.
    pub(crate) fn books_at(&self, moment: Instant) -> Vec<Value> {
        let then = self.versions.iter().rev().find(|(at, _)| *at <= moment);
        then.map_or_else(|| self.books.clone(), |(_, books)| books.clone())
    }

    /// The users and posts of a demonstration interface.
    pub(crate) fn demo(&mut self, of: Interface, policy: &DemoPolicy) -> &mut Demo {
        match (policy.collections, of) {
            (Collections::Shared, _) | (_, Interface::Users) => &mut self.users_demo,
            (_, Interface::Graphql) => &mut self.graphql_demo,
            (_, Interface::GraphqlReduced) => &mut self.graphql_reduced_demo,
        }
    }

    /// Shows the users of the first to the other two, where all have the same.
    pub(crate) fn share_users(&mut self, from: Interface, policy: &DemoPolicy) {
        if policy.collections == Collections::UsersShared {
            let users = self.demo(from, policy).users.clone();
            for of in [Interface::Users, Interface::Graphql, Interface::GraphqlReduced] {
                self.demo(of, policy).users.clone_from(&users);
            }
        }
    }

    /// The user of an e-mail.
    pub(crate) fn user(&self, email: &str) -> Option<&User> {
        self.users.iter().find(|user| user.email == email)
    }

    /// The user of an e-mail, to be changed.
    pub(crate) fn user_mut(&mut self, email: &str) -> Option<&mut User> {
        self.users.iter_mut().find(|user| user.email == email)
    }
}
