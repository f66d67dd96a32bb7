//! Cases of the chapter permissions: what each role holds, and what each operation takes.

pub(crate) mod denials;
pub(crate) mod matrix;
pub(crate) mod operations;
pub(crate) mod permission_sets;
pub(crate) mod roles;
