//! The state of a fresh service: the seeds, and what the policy makes of them. Remembers nothing.

use serde::Deserialize;
use serde_json::Value;

use super::records::{Client, Demo, User};
use super::state::State;
use crate::impostor::policy::Policy;
use crate::impostor::policy::demo::Collections;

#[derive(Deserialize)]
struct InitialUser {
    id: String,
    email: String,
    password: String,
    nombre: Value,
    role: Value,
    permissions: Vec<String>,
}

/// The initial state the contract prescribes.
pub(crate) fn state(policy: &Policy) -> State {
    let mut books: Vec<Value> = read(include_str!("../../../../seeds/initial/books.json"));
    (policy.initial.books)(&mut books);
    if policy.books.fields_by_name {
        books.iter_mut().for_each(Value::sort_all_objects);
    }
    let users: Vec<InitialUser> = read(include_str!("../../../../seeds/initial/users.json"));
    let mut users = users.into_iter().map(|user| registered(user, policy.auth.password_hash)).collect();
    (policy.initial.users)(&mut users);
    let mut clients: Vec<Client> = read(include_str!("../../../../seeds/initial/clients.json"));
    (policy.initial.clients)(&mut clients);
    let mut demo = Demo {
        users: read(include_str!("../../../../seeds/initial/demo-users.json")),
        posts: read(include_str!("../../../../seeds/initial/demo-posts.json")),
    };
    if policy.demo.starts_empty {
        demo = Demo::default();
    }
    let mut by_query = demo.clone();
    if policy.demo.collections == Collections::UsersShared {
        by_query.posts.iter_mut().for_each(|post| post["title"] = format!("{}, by query", post["title"]).into());
    }
    State {
        highest_book_id: 5,
        books,
        users,
        clients,
        users_demo: demo,
        graphql_demo: by_query.clone(),
        graphql_reduced_demo: by_query,
        next_entry: 1,
        ..State::default()
    }
}

fn registered(user: InitialUser, password_hash: fn(&str) -> String) -> User {
    User {
        id: user.id,
        password_hash: password_hash(&user.password),
        email: user.email,
        nombre: Some(user.nombre),
        role: user.role,
        permissions: user.permissions,
        active: true,
        two_factor: None,
    }
}

/// Reads embedded initial data; what cannot be read is empty, which the test below would show.
fn read<T: for<'a> Deserialize<'a> + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_state_is_the_one_the_contract_prescribes() {
        let state = state(&Policy::default());
        let ids: Vec<_> = state.books.iter().filter_map(|book| book["id"].as_u64()).collect();
        assert_eq!(ids, [1, 2, 3, 4, 5]);
        assert_eq!((state.users.len(), state.clients.len()), (2, 2));
        assert_eq!(state.clients[1].permissions.len(), 4);
        assert!(!state.users_demo.users.is_empty() && !state.users_demo.posts.is_empty());
    }
}
