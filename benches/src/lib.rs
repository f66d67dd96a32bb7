//! What the benches share: made-up catalogues of any size, a real one where it is present, the questions asked of them, what the
//! query engine is measured beside (a naive scan, SQLite, floors), servers and a client for whole exchanges. Measures nothing itself.

pub mod asker;
pub mod catalogue;
pub mod curve;
pub mod floors;
pub mod goodbooks;
pub mod naive;
pub mod questions;
pub mod served;
pub mod sqlite;
