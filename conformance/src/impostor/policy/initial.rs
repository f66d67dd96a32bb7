//! What the impostor starts with: the seeds as they are, and a step after each that may change them. Reads no seed.

use serde_json::Value;

use crate::impostor::model::records::{Client, User};

/// The step after each seed; by default it changes nothing.
#[derive(Clone, Debug)]
pub struct InitialPolicy {
    pub(crate) books: fn(&mut Vec<Value>),
    pub(crate) users: fn(&mut Vec<User>),
    pub(crate) clients: fn(&mut Vec<Client>),
}

impl Default for InitialPolicy {
    fn default() -> Self {
        Self { books: |_| {}, users: |_| {}, clients: |_| {} }
    }
}
