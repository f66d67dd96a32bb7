//! Keeps files that cannot be read whole under another name; never overwrites one.

use std::path::{Path, PathBuf};

use super::folder;

/// Endings of the names of SQLite's files beside a database.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];
/// The same for the file of [`super::confirmed`].
pub(super) const CONFIRMED: &str = "-confirmed";

/// Whether there are files beside a database, which itself may be missing.
pub(super) fn has_companions(path: &Path) -> bool {
    COMPANIONS.iter().any(|end| with_end(path, end).exists())
}

/// The first free name for what `path` holds: `<path>.unreadable-1` and so on.
pub(super) fn free_name(path: &Path) -> PathBuf {
    let is_free = |name: &PathBuf| !name.exists() && !has_companions(name) && !with_end(name, CONFIRMED).exists();
    (1_u32..)
        .map(|number| with_end(path, &format!(".unreadable-{number}")))
        .find(is_free)
        .unwrap_or_else(|| with_end(path, ".unreadable"))
}

/// Renames or copies, by `take`, a database that is not open and the files beside it; returns their new name.
pub(super) fn keep(path: &Path, take: fn(&Path, &Path) -> anyhow::Result<()>) -> anyhow::Result<PathBuf> {
    let kept = free_name(path);
    for end in [""].iter().chain(&COMPANIONS) {
        let from = with_end(path, end);
        if from.exists() {
            take(&from, &with_end(&kept, end))?;
        }
    }
    // Always a copy: the lock on this file holds the folder.
    folder::copy(&with_end(path, CONFIRMED), &with_end(&kept, CONFIRMED))?;
    Ok(kept)
}

/// The path of a file beside another.
pub(super) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
