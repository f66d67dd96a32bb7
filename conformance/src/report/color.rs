//! Colour for a terminal: only where one is listening and `NO_COLOR` is not set.
//!
//! Never decides what is said, only how it looks.

use std::io::IsTerminal;
use std::sync::OnceLock;

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Choice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// In a pipe as well
    Always,
    /// Nowhere
    Never,
}

static CHOICE: OnceLock<Choice> = OnceLock::new();

/// Takes what the user chose, once a process.
pub fn choose(choice: Choice) {
    _ = CHOICE.set(choice);
}

/// Whether and how to colour.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    is_on: bool,
}

impl Palette {
    /// No colour at all.
    pub const PLAIN: Self = Self { is_on: false };

    /// Colour if `out` is a terminal and the user has not said otherwise (<https://no-color.org>).
    pub fn for_terminal(out: &impl IsTerminal) -> Self {
        match CHOICE.get() {
            Some(Choice::Always) => return Self { is_on: true },
            Some(Choice::Never) => return Self::PLAIN,
            Some(Choice::Auto) | None => {}
        }
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { is_on: out.is_terminal() && !is_unwanted && !is_dumb }
    }

    /// For what held.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// For what did not.
    pub fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// For what is worth a look.
    pub fn wary(self, text: &str) -> String {
        self.with("33", text)
    }

    /// For what may be passed over.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// For headings.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.is_on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
