//! The state of a fresh service: the seeds.

use serde::Deserialize;
use serde_json::Value;

use crate::records::{Demo, User};
use crate::state::State;
use crate::steps::Steps;

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
pub fn state(steps: &Steps) -> State {
    let users: Vec<InitialUser> = read(include_str!("../../../seeds/initial/users.json"));
    let demo = Demo {
        users: read(include_str!("../../../seeds/initial/demo-users.json")),
        posts: read(include_str!("../../../seeds/initial/demo-posts.json")),
    };
    State {
        books: read(include_str!("../../../seeds/initial/books.json")),
        users: users.into_iter().map(|user| registered(user, steps)).collect(),
        clients: read(include_str!("../../../seeds/initial/clients.json")),
        users_demo: demo.clone(),
        graphql_demo: demo.clone(),
        graphql_reduced_demo: demo,
        ..State::default()
    }
}

fn registered(user: InitialUser, steps: &Steps) -> User {
    User {
        id: user.id,
        password_hash: (steps.auth.password_hash)(&user.password),
        email: user.email,
        nombre: Some(user.nombre),
        role: user.role,
        permissions: user.permissions,
        active: true,
        two_factor: None,
    }
}

/// Reads embedded initial data; what cannot be read is empty, which most cases of the suite would show.
fn read<T: for<'a> Deserialize<'a> + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}
