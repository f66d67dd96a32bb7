//! Everything the impostor remembers, in plain lists, and the initial state the contract prescribes.

use std::time::Instant;

use serde::Deserialize;
use serde_json::Value;

use super::secrets;
use crate::impostor::faults::Faults;
use crate::impostor::policy::demo::{Collections, DemoPolicy, Initial};

/// A registered user.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) password_hash: String,
    /// As sent, if it was.
    pub(crate) nombre: Option<Value>,
    /// As sent; normally a text.
    pub(crate) role: Value,
    pub(crate) permissions: Vec<String>,
    pub(crate) active: bool,
    pub(crate) two_factor: Option<TwoFactor>,
}

/// The two-factor record of a user. Times are milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct TwoFactor {
    pub(crate) enabled: bool,
    /// 40 hex digits.
    pub(crate) secret: String,
    pub(crate) codes: Vec<BackupCode>,
    pub(crate) enabled_at: i64,
    pub(crate) last_used: Option<i64>,
    /// The time-based code accepted last.
    pub(crate) last_code: Option<String>,
}

/// A backup code, known by its hash alone.
#[derive(Clone, Debug)]
pub(crate) struct BackupCode {
    pub(crate) hash: String,
    pub(crate) used: bool,
}

/// An API client and its key.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Client {
    #[serde(rename = "apiKey")]
    pub(crate) key: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) permissions: Vec<String>,
    pub(crate) rate_limit: Value,
    pub(crate) created_at: String,
    pub(crate) last_used: Option<String>,
}

/// A session token.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) token: String,
    pub(crate) email: String,
    pub(crate) expires: i64,
}

/// A login that waits for its second factor.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) device: String,
    pub(crate) user_agent: String,
    pub(crate) since: i64,
    pub(crate) failures: u32,
}

/// A trusted device of a user.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) email: String,
    pub(crate) id: String,
    pub(crate) user_agent: String,
    pub(crate) first_used: i64,
    pub(crate) last_used: i64,
}

/// One code check of an e-mail.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) email: String,
    pub(crate) at: i64,
    pub(crate) good: bool,
}

/// Users and posts of one demonstration interface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demo {
    /// `{ id, name, age }`
    pub(crate) users: Vec<Value>,
    /// `{ id, title, userId }`
    pub(crate) posts: Vec<Value>,
}

/// A demonstration interface with a collection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interface {
    Users,
    Graphql,
    GraphqlReduced,
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) books: Vec<Value>,
    /// The collection as the last list saw it, and when that was; for a fault.
    pub(crate) stale: Option<(i64, Vec<Value>)>,
    /// The highest id ever given.
    pub(crate) highest_book_id: u64,
    pub(crate) users: Vec<User>,
    pub(crate) clients: Vec<Client>,
    pub(crate) sessions: Vec<Session>,
    pub(crate) pending: Vec<Pending>,
    pub(crate) devices: Vec<Device>,
    pub(crate) attempts: Vec<Attempt>,
    /// The books as they were after each request, for faults that look back.
    pub(crate) versions: Vec<(Instant, Vec<Value>)>,
    pub(crate) users_demo: Demo,
    pub(crate) graphql_demo: Demo,
    pub(crate) graphql_reduced_demo: Demo,
    /// The e-mails registered by the registration route.
    pub(crate) signups: Vec<String>,
    pub(crate) entries: Vec<Value>,
    /// The number the next entry of the blog gets.
    pub(crate) next_entry: u64,
}

#[derive(Deserialize)]
struct InitialUser {
    id: String,
    email: String,
    password: String,
    nombre: Value,
    role: Value,
    permissions: Vec<String>,
}

impl State {
    /// The books as they were at that moment.
    pub(crate) fn books_at(&self, moment: Instant) -> Vec<Value> {
        let then = self.versions.iter().rev().find(|(at, _)| *at <= moment);
        then.map_or_else(|| self.books.clone(), |(_, books)| books.clone())
    }

    /// The state of a fresh service.
    pub(crate) fn initial(faults: &Faults) -> Self {
        let mut books: Vec<Value> = read(include_str!("../../../../seeds/initial/books.json"));
        if faults.on("initial-four-books") {
            books.truncate(4);
        }
        if faults.on("initial-ids-from-0") {
            for (number, book) in books.iter_mut().enumerate() {
                book["id"] = number.into();
            }
        }
        let users: Vec<InitialUser> = read(include_str!("../../../../seeds/initial/users.json"));
        if faults.reads("initial-books-bare") {
            for book in books.iter_mut().filter_map(Value::as_object_mut) {
                book.retain(|name, _| matches!(name.as_str(), "id" | "titulo" | "autor"));
            }
        }
        if faults.reads("book-fields-sorted") {
            books.iter_mut().for_each(Value::sort_all_objects);
        }
        let mut clients: Vec<Client> = read(include_str!("../../../../seeds/initial/clients.json"));
        spoil_clients(&mut clients, faults);
        if faults.reads("initial-clients-renamed") {
            clients.iter_mut().for_each(|client| client.name = format!("Cliente {}", client.id));
        }
        let demo = match faults.policy().demo.initial {
            Initial::Empty => Demo::default(),
            Initial::Seeded => Demo {
                users: read(include_str!("../../../../seeds/initial/demo-users.json")),
                posts: read(include_str!("../../../../seeds/initial/demo-posts.json")),
            },
        };
        Self {
            highest_book_id: 5,
            books,
            users: users.into_iter().map(|user| initial_user(user, faults)).collect(),
            clients,
            users_demo: demo.clone(),
            graphql_demo: demo.clone(),
            graphql_reduced_demo: demo,
            next_entry: 1,
            ..Self::default()
        }
    }

    /// The users and posts of a demonstration interface.
    pub(crate) fn demo(&mut self, of: Interface, policy: &DemoPolicy) -> &mut Demo {
        match (policy.collections, of) {
            (Collections::Shared, _) | (Collections::OneEach, Interface::Users) => &mut self.users_demo,
            (Collections::OneEach, Interface::Graphql) => &mut self.graphql_demo,
            (Collections::OneEach, Interface::GraphqlReduced) => &mut self.graphql_reduced_demo,
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

fn initial_user(user: InitialUser, faults: &Faults) -> User {
    let mut permissions = user.permissions;
    if user.role == "admin" && faults.on("initial-admin-manages-keys") {
        permissions.push("manage:api_keys".to_owned());
    }
    if user.role == "user" && faults.on("initial-user-writes") {
        permissions.push("write:libros".to_owned());
    }
    User {
        id: user.id,
        password_hash: secrets::hash(&user.password),
        email: user.email,
        nombre: Some(user.nombre),
        role: user.role,
        permissions,
        active: true,
        two_factor: None,
    }
}

fn spoil_clients(clients: &mut [Client], faults: &Faults) {
    let [test, admin] = clients else { return };
    if faults.on("test-client-deletes") {
        test.permissions.push("delete:libros".to_owned());
    }
    if faults.on("test-client-only-reads") {
        test.permissions.retain(|permission| permission == "read:libros");
    }
    if faults.on("test-client-rate-limit-5000") {
        test.rate_limit = 5000.into();
    }
    if faults.on("admin-client-manages-keys") {
        admin.permissions.push("manage:api_keys".to_owned());
    }
    if faults.on("admin-client-cannot-delete") {
        admin.permissions.retain(|permission| permission != "delete:libros");
    }
    if faults.on("admin-client-rate-limit-1000") {
        admin.rate_limit = 1000.into();
    }
}

/// Reads embedded initial data; what cannot be read is empty, which the tests below would show.
fn read<T: for<'a> Deserialize<'a> + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_state_is_the_one_the_contract_prescribes() {
        let state = State::initial(&Faults::none());
        let ids: Vec<_> = state.books.iter().filter_map(|book| book["id"].as_u64()).collect();
        assert_eq!(ids, [1, 2, 3, 4, 5]);
        assert_eq!((state.users.len(), state.clients.len()), (2, 2));
        assert_eq!(state.clients[1].permissions.len(), 4);
        assert!(!state.users_demo.users.is_empty() && !state.users_demo.posts.is_empty());
    }
}
