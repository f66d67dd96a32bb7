//! The last run in this folder: its options and its failures, for `--last-failed` and `replay`. Keeps no credential.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::commands::CommandError;
use crate::runner::outcome::{RunOutcome, Verdict};
use crate::runner::replayed::Before;

/// The folder of this state; git ignores it.
const FOLDER: &str = ".libros-conformance";

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LastRun {
    /// The options that name the target and those that a replay repeats, as they are typed.
    pub(crate) options: Vec<String>,
    pub(crate) failed: Vec<Before>,
}

impl LastRun {
    pub(crate) fn read() -> Result<Self, CommandError> {
        let text = fs::read_to_string(file());
        let text = text.map_err(|_| {
            CommandError::usage("no run of this folder with a failure is remembered: `run` comes first")
        })?;
        serde_json::from_str(&text).map_err(|error| {
            let path = file().display().to_string();
            CommandError::usage(format!("{path} is of another version, or damaged ({error}): `run` writes it again"))
        })
    }

    /// Remembers a run. A failed write is no error: later commands only miss the run.
    pub(crate) fn remember(options: Vec<String>, outcome: &RunOutcome) {
        let is_again = |verdict: Verdict| verdict.is_red() && verdict != Verdict::UnexpectedPass;
        let again = outcome.cases.iter().filter(|case| is_again(case.verdict));
        let run = Self { options, failed: again.map(Before::of).collect() };
        // A clean run leaves nothing to look at again, and no folder where there was none; one of no case has seen nothing.
        if run.failed.is_empty() && (outcome.cases.is_empty() || !file().exists()) {
            return;
        }
        let Ok(text) = serde_json::to_string(&run) else { return };
        _ = fs::create_dir_all(FOLDER);
        _ = fs::write(PathBuf::from(FOLDER).join(".gitignore"), "*\n");
        _ = fs::write(file(), text);
    }
}

fn file() -> PathBuf {
    PathBuf::from(FOLDER).join("last-run.json")
}
