//! Colours for terminals, unless `NO_COLOR` is set. Never changes a text.

use std::io::IsTerminal;
use std::sync::OnceLock;

use crate::printable::Printable;

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

pub fn choose(choice: Choice) {
    _ = CHOICE.set(choice);
}

#[derive(Debug, Clone, Copy)]
pub struct Palette {
    is_on: bool,
}

impl Palette {
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

    /// Colours the verdict of a run.
    pub fn result(self, word: &str) -> Printable {
        match word {
            "conformant" => self.good(word),
            "partial" | "nothing-judged" | "undecided" => self.wary(word),
            _ => self.bad(word),
        }
    }

    fn with(self, code: &str, text: Printable) -> Printable {
        if self.is_on { text.colored(code) } else { text }
    }
}

macro_rules! shades {
    ($($name:ident $code:literal),+) => {
        impl Palette {
            $(pub fn $name(self, text: impl Into<Printable>) -> Printable {
                self.with($code, text.into())
            })+
        }
    };
}
shades!(good "32", bad "1;31", wary "33", faint "2", strong "1");
