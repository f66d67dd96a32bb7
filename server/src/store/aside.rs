//! Files of the store: making their folder, and renaming what cannot be read so that nothing is lost.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// What SQLite keeps beside a file, by the ending it adds to its name.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Makes a folder that only its owner may enter, unless it is there already.
pub(super) fn make_folder(folder: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .with_context(|| format!("cannot create the data folder {}", folder.display()))
}

/// The first free name for something set aside from `path`: `<path>.unreadable-1` and so on.
pub(super) fn free_name(path: &Path) -> PathBuf {
    let taken = |name: &PathBuf| name.exists() || COMPANIONS.iter().any(|end| with_end(name, end).exists());
    (1_u32..)
        .map(|number| with_end(path, &format!(".unreadable-{number}")))
        .find(|name| !taken(name))
        .unwrap_or_else(|| with_end(path, ".unreadable"))
}

/// Renames a database and what SQLite keeps beside it; returns the new name, `None` when there was nothing.
pub(super) fn set_aside(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let kept = free_name(path);
    let mut any = false;
    for end in [""].iter().chain(&COMPANIONS) {
        let from = with_end(path, end);
        if from.exists() {
            rename(&from, &with_end(&kept, end))?;
            any = true;
        }
    }
    Ok(any.then_some(kept))
}

/// Lets only the owner of a file read it; what SQLite keeps beside it follows suit.
pub(super) fn keep_private(path: &Path) -> anyhow::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o600))
        .with_context(|| format!("cannot restrict who may read {}", path.display()))
}

/// Renames a file so that a crash afterwards does not undo it.
pub(super) fn rename(from: &Path, to: &Path) -> anyhow::Result<()> {
    let renamed = fs::rename(from, to).and_then(|()| match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    });
    renamed.with_context(|| format!("cannot rename {} to {}", from.display(), to.display()))
}

/// Removes a file that may not be there.
pub(super) fn remove(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
