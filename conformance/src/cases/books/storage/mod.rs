//! Cases of the chapter storage: what is written is there for everyone, and stays.

pub(crate) mod restart;
pub(crate) mod slow;
pub(crate) mod writes;
