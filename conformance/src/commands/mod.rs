//! The subcommands, one a file: each turns its options into a call of the library and its outcome into an exit code.

pub mod run;
