//! What the last run in this folder was and what failed in it, for `--last-failed` and `replay`. Keeps no credential.

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
    /// The options that name the target, and those under which a case goes as it did, as they are typed.
    pub(crate) options: Vec<String>,
    /// The cases that failed or were blocked.
    pub(crate) failed: Vec<String>,
    /// How they did.
    #[serde(default)]
    pub(crate) before: Vec<Before>,
}

impl LastRun {
    /// Reads the last run of this folder.
    pub(crate) fn read() -> Result<Self, CommandError> {
        let text = fs::read_to_string(file());
        let text = text.map_err(|_| CommandError::usage("nothing was run in this folder yet: `run` comes first"))?;
        serde_json::from_str(&text)
            .map_err(|error| CommandError::usage(format!("{} is damaged ({error}): remove it", file().display())))
    }

    /// Remembers a run. What cannot be written is only missed later.
    pub(crate) fn remember(options: Vec<String>, outcome: &RunOutcome) {
        let is_red = |verdict| matches!(verdict, Verdict::Fail | Verdict::Blocked | Verdict::Flaky | Verdict::Broken);
        let red: Vec<_> = outcome.cases.iter().filter(|case| is_red(case.verdict)).collect();
        let failed = red.iter().map(|case| case.id.clone()).collect();
        let run = Self { options, failed, before: red.into_iter().map(Before::of).collect() };
        // A clean run leaves nothing to look at again, and no folder where there was none.
        if run.failed.is_empty() && !file().exists() {
            return;
        }
        let Ok(text) = serde_json::to_string_pretty(&run) else {
            return;
        };
        _ = fs::create_dir_all(FOLDER);
        _ = fs::write(PathBuf::from(FOLDER).join(".gitignore"), "*\n");
        _ = fs::write(file(), text);
    }
}

fn file() -> PathBuf {
    PathBuf::from(FOLDER).join("last-run.json")
}
