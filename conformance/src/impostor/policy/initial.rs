//! What the impostor starts with: the seeds as they are, and a step after each that may change them. Reads no seed.

use serde_json::Value;

use crate::impostor::model::records::{Client, User};
use crate::impostor::model::steps::steps;

steps! {
    /// The step after each seed; by default it changes nothing.
    pub struct InitialPolicy {
        books: fn(&mut Vec<Value>) = |_| {};
        users: fn(&mut Vec<User>) = |_| {};
        clients: fn(&mut Vec<Client>) = |_| {};
    }
}
