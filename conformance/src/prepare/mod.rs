//! Preparations that several chapters share: books, users, clients of a case's own.
//!
//! A preparation never judges: what fails here blocks the case.

pub mod books;
pub mod clients;
pub mod moments;
pub mod raw;
pub mod steps;
pub mod two_factor;
pub mod users;
