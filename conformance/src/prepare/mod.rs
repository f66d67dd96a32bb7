//! Preparations that several chapters share: books, users, clients of a case's own.
//!
//! A preparation never judges: what fails here blocks the case.

pub mod at_once;
pub mod books;
pub mod bounds;
pub mod clients;
pub mod clock;
pub mod deadline;
pub mod demo;
pub mod fresh;
pub mod moments;
pub mod raw;
pub mod slow;
pub mod steps;
pub mod tokens;
pub mod two_factor;
pub mod users;
