//! Everything that identity knows, in one place that is cheap to clone. Holds records; decides nothing.

use crate::accounts::api_client::Client;
use crate::accounts::code_attempts::CodeAttempts;
use crate::accounts::pending_login::PendingLogin;
use crate::accounts::session::Session;
use crate::accounts::table::{Key as _, Table};
use crate::accounts::trusted_device::TrustedDevice;
use crate::accounts::user::User;
use crate::crypto::fingerprint::Fingerprint;
use crate::crypto::sealing::Sealed;
use libros_server_store::{Change, Changes, Kind, Loaded, State, Unreadable};
use libros_server_system::clock::Timestamp;

/// Users and all that belongs to them, and the API clients.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    pub(crate) users: Table<String, User>,
    pub(crate) clients: Table<Fingerprint, Client>,
    pub(crate) sessions: Table<Fingerprint, Session>,
    /// Logins that wait for a second factor, by the hash of their session id.
    pub(crate) pending: Table<Fingerprint, PendingLogin>,
    pub(crate) attempts: Table<String, CodeAttempts>,
    pub(crate) devices: Table<String, Vec<TrustedDevice>>,
    /// Sealed keys, by name. A reset keeps them.
    pub(crate) keys: Table<String, Sealed>,
    last_user: u64,
    last_client: u64,
}

/// Which collections the store has never held, so that the initial ones are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) users: bool,
    pub(crate) clients: bool,
}

impl Tables {
    /// Takes what the store held; adds to `unreadable` the records that cannot be read.
    pub(crate) fn load(loaded: &mut Loaded, unreadable: &mut Vec<Unreadable>) -> (Self, Missing) {
        let (users, clients) = (loaded.take(Kind::USERS), loaded.take(Kind::CLIENTS));
        let missing = Missing { users: users.is_none(), clients: clients.is_none() };
        let mut rows = |kind| loaded.take(kind).unwrap_or_default();
        let mut tables = Self {
            users: Table::load(Kind::USERS, users.unwrap_or_default(), unreadable),
            clients: Table::load(Kind::CLIENTS, clients.unwrap_or_default(), unreadable),
            sessions: Table::load(Kind::SESSIONS, rows(Kind::SESSIONS), unreadable),
            pending: Table::load(Kind::PENDING, rows(Kind::PENDING), unreadable),
            attempts: Table::load(Kind::ATTEMPTS, rows(Kind::ATTEMPTS), unreadable),
            devices: Table::load(Kind::DEVICES, rows(Kind::DEVICES), unreadable),
            keys: Table::load(Kind::KEYS, rows(Kind::KEYS), unreadable),
            last_user: 0,
            last_client: 0,
        };
        tables.last_user = tables.users.records().map(User::number).max().unwrap_or(0);
        tables.last_client = tables.clients.records().map(Client::number).max().unwrap_or(0);
        (tables, missing)
    }

    /// The number of the next user. Counts up and never gives a number twice.
    pub(crate) fn next_user_number(&mut self) -> u64 {
        // rule: registration/id-distinct
        self.last_user += 1;
        self.last_user
    }

    /// The number of the next API client. Counts up and never gives a number twice.
    pub(crate) fn next_client_number(&mut self) -> u64 {
        // rule: api-keys/key-distinct
        self.last_client += 1;
        self.last_client
    }

    pub(crate) fn add_users(&mut self, users: Vec<User>, changes: &mut Changes) {
        for user in users {
            self.last_user = self.last_user.max(user.number());
            self.users.put(user.email.clone(), user, changes);
        }
    }

    pub(crate) fn add_clients(&mut self, clients: Vec<Client>, changes: &mut Changes) {
        for client in clients {
            self.last_client = self.last_client.max(client.number());
            self.clients.put(client.key, client, changes);
        }
    }

    pub(crate) fn clear(&mut self, changes: &mut Changes) {
        self.users.clear(changes);
        self.clients.clear(changes);
        self.sessions.clear(changes);
        self.pending.clear(changes);
        self.attempts.clear(changes);
        self.devices.clear(changes);
        (self.last_user, self.last_client) = (0, 0);
    }

    /// Drops expired records, now and then.
    pub(crate) fn sweep(&mut self, now: Timestamp, changes: &mut Changes) {
        self.sessions.sweep(changes, |session| session.is_over(now));
        self.pending.sweep(changes, |pending| pending.is_over(now));
    }

    /// Continues after the numbers that another replica has given; uses that it stored count as stored.
    fn keep_count(&mut self, change: &Change) {
        match change {
            Change::Put { kind: Kind::SESSIONS, key, .. } => {
                if let Some(session) = Fingerprint::read(key).and_then(|key| self.sessions.record(&key)) {
                    session.count_as_saved();
                }
            }
            Change::Put { kind: Kind::USERS, key, .. } => {
                self.last_user = self.last_user.max(self.users.record(key.as_str()).map_or(0, User::number));
            }
            Change::Put { kind: Kind::CLIENTS, key, .. } => {
                if let Some(client) = Fingerprint::read(key).and_then(|key| self.clients.record(&key)) {
                    client.count_as_saved();
                    self.last_client = self.last_client.max(client.number());
                }
            }
            // Only a reset empties them.
            Change::Clear { kind: Kind::USERS } => self.last_user = 0,
            Change::Clear { kind: Kind::CLIENTS } => self.last_client = 0,
            _ => {}
        }
    }

    /// Notes every session and client, of whose last uses the store may not have heard yet.
    pub(crate) fn note_uses(&self, changes: &mut Changes) {
        self.sessions.note_all(changes);
        self.clients.note_all(changes);
    }
}

impl State for Tables {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        match change.kind() {
            Kind::USERS => self.users.take_in(change)?,
            Kind::CLIENTS => self.clients.take_in(change)?,
            Kind::SESSIONS => self.sessions.take_in(change)?,
            Kind::PENDING => self.pending.take_in(change)?,
            Kind::ATTEMPTS => self.attempts.take_in(change)?,
            Kind::DEVICES => self.devices.take_in(change)?,
            Kind::KEYS => self.keys.take_in(change)?,
            _ => return Ok(false),
        }
        self.keep_count(change);
        Ok(true)
    }
}
