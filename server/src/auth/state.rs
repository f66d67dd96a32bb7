//! Everything that identity knows, in one place behind one lock. Holds records; decides nothing.

use super::api_key::Client;
use super::fingerprint::Fingerprint;
use super::session::Session;
use super::table::{Changes, Table};
use super::user::User;
use crate::clock::Timestamp;
use crate::store::{Kind, Loaded};
use crate::two_factor::device::Device;
use crate::two_factor::lockout::Attempts;
use crate::two_factor::pending::Pending;

/// Users and all that belongs to them, and the API clients.
#[derive(Debug)]
pub struct State {
    /// Users, by e-mail.
    pub users: Table<String, User>,
    /// API clients, by the hash of their key.
    pub clients: Table<Fingerprint, Client>,
    /// Sessions, by the hash of their token.
    pub sessions: Table<Fingerprint, Session>,
    /// Logins that wait for a second factor, by the hash of their session id.
    pub pending: Table<Fingerprint, Pending>,
    /// Histories of code checks, by e-mail.
    pub attempts: Table<String, Attempts>,
    /// Trusted devices, by e-mail.
    pub devices: Table<String, Vec<Device>>,
    last_user: u64,
    last_client: u64,
}

/// Which collections the store has never held, so that the initial ones are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// No users were ever stored.
    pub users: bool,
    /// No API clients were ever stored.
    pub clients: bool,
}

impl State {
    /// Takes what the store held.
    ///
    /// # Errors
    /// When a stored record cannot be read.
    pub fn load(loaded: &mut Loaded) -> anyhow::Result<(Self, Missing)> {
        let (users, clients) = (loaded.take(Kind::USERS), loaded.take(Kind::CLIENTS));
        let missing = Missing { users: users.is_none(), clients: clients.is_none() };
        let mut rows = |kind| loaded.take(kind).unwrap_or_default();
        let mut state = Self {
            users: Table::load(Kind::USERS, users.unwrap_or_default())?,
            clients: Table::load(Kind::CLIENTS, clients.unwrap_or_default())?,
            sessions: Table::load(Kind::SESSIONS, rows(Kind::SESSIONS))?,
            pending: Table::load(Kind::PENDING, rows(Kind::PENDING))?,
            attempts: Table::load(Kind::ATTEMPTS, rows(Kind::ATTEMPTS))?,
            devices: Table::load(Kind::DEVICES, rows(Kind::DEVICES))?,
            last_user: 0,
            last_client: 0,
        };
        state.last_user = state.users.records().map(User::number).max().unwrap_or(0);
        state.last_client = state.clients.records().map(Client::number).max().unwrap_or(0);
        Ok((state, missing))
    }

    /// The number of the next user. Counts up and never gives a number twice.
    pub fn next_user_number(&mut self) -> u64 {
        // rule: registration/id-distinct, registration/id-number
        self.last_user += 1;
        self.last_user
    }

    /// The number of the next API client. Counts up and never gives a number twice.
    pub fn next_client_number(&mut self) -> u64 {
        // rule: api-keys/key-distinct
        self.last_client += 1;
        self.last_client
    }

    /// Lays down initial users.
    pub fn add_users(&mut self, users: Vec<User>, changes: &mut Changes) {
        for user in users {
            self.last_user = self.last_user.max(user.number());
            self.users.put(user.email.clone(), user, changes);
        }
    }

    /// Lays down initial clients.
    pub fn add_clients(&mut self, clients: Vec<Client>, changes: &mut Changes) {
        for client in clients {
            self.last_client = self.last_client.max(client.number());
            self.clients.put(client.key, client, changes);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self, changes: &mut Changes) {
        self.users.clear(changes);
        self.clients.clear(changes);
        self.sessions.clear(changes);
        self.pending.clear(changes);
        self.attempts.clear(changes);
        self.devices.clear(changes);
        (self.last_user, self.last_client) = (0, 0);
    }

    /// Drops what nobody can use any more, now and then.
    pub fn sweep(&mut self, now: Timestamp, changes: &mut Changes) {
        self.sessions.sweep(changes, |session| session.is_over(now));
        self.pending.sweep(changes, |pending| pending.is_over(now));
    }

    /// Notes every session and client, of whose last uses the store may not have heard yet.
    pub fn note_uses(&self, changes: &mut Changes) {
        self.sessions.note_all(changes);
        self.clients.note_all(changes);
    }
}
