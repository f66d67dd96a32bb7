//! The subcommands, one a file: each turns its options into calls of the library and the outcome into an exit code.

pub mod explain;
pub mod impostor;
pub mod init;
pub mod list;
pub mod rules;
pub mod run;
pub mod selftest;

/// Why a command ended without doing its work: an exit code, and a sentence for the user.
#[derive(Debug)]
pub struct CommandError {
    /// Exit code.
    pub code: u8,
    /// What was wrong, where, and what to do.
    pub why: String,
}

impl CommandError {
    /// Unknown option, id or pattern, unreadable file: exit code 2.
    pub fn usage(why: impl Into<String>) -> Self {
        Self { code: 2, why: why.into() }
    }

    /// Target unreachable, not ready, or its hook failed: exit code 3.
    pub fn target(why: impl Into<String>) -> Self {
        Self { code: 3, why: why.into() }
    }
}
