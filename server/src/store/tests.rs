//! The one way to write, on stores that remember and fail as a test says. No disk.

mod journal;
mod repository;
