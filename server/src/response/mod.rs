//! The vocabulary of responses: what handlers say, failures, and the headers that go with either. Knows no handler.

pub(crate) mod conditional;
pub mod content;
pub mod failure;
pub(crate) mod header_groups;
pub(crate) mod header_templates;
mod http_dates;
mod once_a_second;
