//! The state of a fresh service: the seeds.

use serde::Deserialize;

use crate::records::{Demo, User};
use crate::state::State;
use crate::steps::Steps;

pub fn state(steps: &Steps) -> State {
    let mut users: Vec<User> = read(include_str!("../../../seeds/initial/users.json"));
    for user in &mut users {
        user.password_hash = (steps.auth.password_hash)(&user.password_hash);
    }
    let demo = Demo {
        users: read(include_str!("../../../seeds/initial/demo-users.json")),
        posts: read(include_str!("../../../seeds/initial/demo-posts.json")),
    };
    State {
        books: read(include_str!("../../../seeds/initial/books.json")),
        users,
        clients: read(include_str!("../../../seeds/initial/clients.json")),
        users_demo: demo.clone(),
        graphql_demo: demo.clone(),
        graphql_reduced_demo: demo,
        ..State::default()
    }
}

/// Reads embedded initial data; empty if it cannot be read, on which most cases of the suite would fail.
fn read<T: for<'a> Deserialize<'a> + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}
