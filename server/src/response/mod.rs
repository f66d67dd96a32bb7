//! The vocabulary of responses: what handlers say, failures, and the headers that go with either. Knows no handler.

pub(crate) mod conditional;
pub(crate) mod content;
pub(crate) mod failure;
pub(crate) mod header_groups;
pub(crate) mod header_templates;
mod once_a_second;
