//! What the benches share: made-up catalogues of any size, a real one where it is present, and the naive scan beside
//! which the query engine is measured, servers and a client for whole exchanges. Measures nothing itself.

pub mod asker;
pub mod catalogue;
pub mod goodbooks;
pub mod naive;
pub mod served;
