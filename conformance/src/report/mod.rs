//! Reports: one format a file, each written from the run's outcome alone.

pub mod human;
