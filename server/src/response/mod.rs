//! The vocabulary of responses: what handlers say, failures, and the headers that go with either. Knows no handler.

pub(crate) mod conditional;
pub mod content;
mod dated_headers;
pub mod failure;
pub(crate) mod header_groups;
pub(crate) mod header_templates;
mod http_dates;
