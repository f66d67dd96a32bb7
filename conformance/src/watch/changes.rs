//! Finds changed files by their times and sizes. Reads no content.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The pause between two looks at the files.
const PAUSE: Duration = Duration::from_millis(40);
/// Folders that builds and package managers fill; hidden ones are passed over as well.
const GENERATED_FOLDERS: [&str; 9] =
    ["node_modules", "target", "dist", "build", "venv", "__pycache__", "vendor", "tmp", "obj"];
/// Endings of files that a running server writes, also with `-wal`, `-shm` or `-journal` behind: each would start it again.
const WRITTEN_BY_SERVERS: [&str; 6] = ["log", "db", "sqlite", "sqlite3", "tmp", "pid"];

/// Time of change in seconds and nanoseconds, and size in bytes, of each file.
type Snapshot = BTreeMap<PathBuf, (i64, i64, u64)>;

#[derive(Debug)]
pub(crate) struct Files {
    named: Vec<String>,
    snapshot: Snapshot,
}

impl Files {
    /// Watches files, folders with all below them, and patterns, from their state now.
    pub(crate) fn named(named: &[String]) -> Result<Self, String> {
        for name in named {
            let paths = glob::glob(name).map_err(|error| format!("`{name}`: {}", error.msg))?;
            if !Path::new(name).exists() && paths.count() == 0 {
                return Err(format!("--files `{name}` names no file; make it first, or name the folder it will be in"));
            }
        }
        Ok(Self { named: named.to_vec(), snapshot: snapshot(named) })
    }

    /// Waits until files changed and then stayed unchanged for a moment; `false` once `is_over`.
    pub(crate) fn have_changed(&mut self, is_over: impl Fn() -> bool) -> bool {
        let mut before = self.snapshot.clone();
        while !is_over() {
            std::thread::sleep(PAUSE);
            let now = snapshot(&self.named);
            if now != self.snapshot && now == before {
                self.snapshot = now;
                return true;
            }
            before = now;
        }
        false
    }
}

fn snapshot(named: &[String]) -> Snapshot {
    let mut snapshot = Snapshot::new();
    for name in named {
        let path = Path::new(name);
        let paths = if path.exists() {
            vec![path.to_owned()]
        } else {
            glob::glob(name).into_iter().flatten().flatten().collect()
        };
        for path in paths {
            match fs::metadata(&path) {
                Ok(found) if found.is_dir() => below(&path, &mut snapshot),
                Ok(found) => add(path, &found, &mut snapshot),
                Err(_) => {}
            }
        }
    }
    snapshot
}

fn add(path: PathBuf, found: &Metadata, snapshot: &mut Snapshot) {
    snapshot.insert(path, (found.mtime(), found.mtime_nsec(), found.len()));
}

/// A folder that cannot be read, or is gone meanwhile, has no files.
fn below(folder: &Path, snapshot: &mut Snapshot) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let ending = name.rsplit_once('.').and_then(|(_, ending)| ending.split('-').next());
        let is_written = ending.is_some_and(|ending| WRITTEN_BY_SERVERS.contains(&ending));
        let Ok(found) = entry.metadata() else { continue };
        if found.is_dir() && !name.starts_with('.') && !GENERATED_FOLDERS.contains(&&*name) {
            below(&path, snapshot);
        } else if found.is_file() && !name.starts_with('.') && !is_written {
            add(path, &found, snapshot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_editor_saves_is_a_change_and_what_a_server_or_a_build_writes_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("node_modules")).unwrap();
        let named = [folder.path().display().to_string(), format!("{}/*.js", folder.path().display())];
        let before = snapshot(&named[..1]);
        for name in ["books.db", "books.sqlite3-wal", "server.log", ".hidden", "node_modules/a.js"] {
            fs::write(path(name), "x").unwrap();
        }
        assert_eq!(snapshot(&named[..1]), before);
        assert!(Files::named(&named[1..]).unwrap_err().contains("names no file"));
        fs::write(path("server.js"), "x").unwrap();
        let mut files = Files::named(&named).unwrap();
        assert!(!files.have_changed(|| true));
        fs::write(path("server.js"), "xy").unwrap();
        assert!(files.have_changed(|| false));
        assert_eq!(files.snapshot.len(), 1);
    }
}
