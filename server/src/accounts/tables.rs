//! All records of users, clients and logins, cheap to clone. Decides nothing.

use crate::accounts::{
    api_client::ApiClient, code_attempts::CodeAttempts, pending_login::PendingLogin, session::Session, table::Table,
    trusted_device::TrustedDevice, user::User,
};
use crate::crypto::{fingerprint::Fingerprint, sealing::Sealed};
use libros_server_store::{Change, Changes, Kind, Loaded, State, Unreadable};
use libros_server_system::clock::Timestamp;

#[derive(Debug, Clone)]
pub(crate) struct Tables {
    pub(crate) users: Table<String, User>,
    pub(crate) clients: Table<Fingerprint, ApiClient>,
    pub(crate) sessions: Table<Fingerprint, Session>,
    /// Logins that wait for a second factor, by the hash of their session id.
    pub(crate) pending: Table<Fingerprint, PendingLogin>,
    pub(crate) attempts: Table<String, CodeAttempts>,
    pub(crate) devices: Table<String, Vec<TrustedDevice>>,
    /// Sealed keys, by name. A reset keeps them.
    pub(crate) keys: Table<String, Sealed>,
    /// The last numbers given out. Until a reset they only grow, so that no number is given twice.
    pub(crate) last_user: u64,
    pub(crate) last_client: u64,
}

/// The collections that the store has never held: the initial ones are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) users: bool,
    pub(crate) clients: bool,
}

impl Tables {
    /// Reads the records of the store; adds those that cannot be read to `unreadable`.
    pub(crate) fn load(loaded: &mut Loaded, unreadable: &mut Vec<Unreadable>) -> (Self, Missing) {
        let is_missing = |kind: Kind| !loaded.collections.contains_key(kind.0);
        let missing = Missing { users: is_missing(Kind::USERS), clients: is_missing(Kind::CLIENTS) };
        let mut tables = Self {
            users: Table::load(Kind::USERS, loaded, unreadable),
            clients: Table::load(Kind::CLIENTS, loaded, unreadable),
            sessions: Table::load(Kind::SESSIONS, loaded, unreadable),
            pending: Table::load(Kind::PENDING, loaded, unreadable),
            attempts: Table::load(Kind::ATTEMPTS, loaded, unreadable),
            devices: Table::load(Kind::DEVICES, loaded, unreadable),
            keys: Table::load(Kind::KEYS, loaded, unreadable),
            last_user: 0,
            last_client: 0,
        };
        tables.last_user = tables.users.records().map(|user| number(&user.id)).max().unwrap_or(0);
        tables.last_client = tables.clients.records().map(|client| number(&client.id)).max().unwrap_or(0);
        (tables, missing)
    }

    pub(crate) fn add(&mut self, users: &[User], clients: &[ApiClient], changes: &mut Changes) {
        for user in users {
            self.last_user = self.last_user.max(number(&user.id));
            self.users.put(user.email.clone(), user.clone(), changes);
        }
        for client in clients {
            self.last_client = self.last_client.max(number(&client.id));
            self.clients.put(client.key, client.clone(), changes);
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

    /// Removes expired sessions and pending logins, if their table has doubled.
    pub(crate) fn sweep(&mut self, now: Timestamp, changes: &mut Changes) {
        self.sessions.sweep(changes, |session| session.is_over(now));
        self.pending.sweep(changes, |pending| pending.is_over(now));
    }
}

/// The number in an id such as `user_7`.
pub(crate) fn number(id: &str) -> u64 {
    id.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

impl State for Tables {
    /// Continues after the numbers of another replica; times of use that it stored count as stored.
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        // Only a reset clears users and clients.
        let is_reset = matches!(change, Change::Clear { .. });
        let last =
            |last: u64, id: Option<&String>| if is_reset { 0 } else { id.map_or(last, |id| last.max(number(id))) };
        match change.kind() {
            Kind::USERS => {
                let user = self.users.take_in(change)?;
                self.last_user = last(self.last_user, user.as_ref().map(|user| &user.id));
            }
            Kind::CLIENTS => {
                let client = self.clients.take_in(change)?;
                self.last_client = last(self.last_client, client.as_ref().map(|client| &client.id));
                client.inspect(|client| client.last_used.count_as_saved());
            }
            Kind::SESSIONS => {
                self.sessions.take_in(change)?.inspect(|session| session.expires_at.count_as_saved());
            }
            Kind::PENDING => _ = self.pending.take_in(change)?,
            Kind::ATTEMPTS => _ = self.attempts.take_in(change)?,
            Kind::DEVICES => _ = self.devices.take_in(change)?,
            Kind::KEYS => _ = self.keys.take_in(change)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}
