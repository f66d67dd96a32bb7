//! A line of progress on a terminal while a run goes on; silent in a pipe.

use std::io::IsTerminal as _;
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::runner::event::{Event, Listener};
use crate::runner::outcome::Verdict;

/// Draws on standard error.
#[derive(Debug, Default)]
pub struct Progress {
    bar: OnceLock<ProgressBar>,
}

impl Listener for Progress {
    fn hear(&self, event: &Event<'_>) {
        match event {
            Event::Started { cases } => {
                _ = self.bar.set(bar(*cases));
            }
            Event::Began { id } => self.with(|bar| bar.set_message((*id).to_owned())),
            Event::Ended(outcome) => self.with(|bar| {
                bar.inc(1);
                if matches!(outcome.verdict, Verdict::Fail | Verdict::Blocked | Verdict::Broken) {
                    bar.println(format!("{} {}", outcome.verdict.word(), outcome.id));
                }
            }),
            Event::Finished => self.with(ProgressBar::finish_and_clear),
        }
    }
}

impl Progress {
    fn with(&self, act: impl FnOnce(&ProgressBar)) {
        if let Some(bar) = self.bar.get() {
            act(bar);
        }
    }
}

fn bar(cases: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(u64::try_from(cases).unwrap_or(u64::MAX));
    let style = ProgressStyle::with_template("{pos}/{len} {wide_msg}");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
