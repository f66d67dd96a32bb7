//! The data folder: making it, private files in it, renaming so that a crash does not undo it. Knows no database.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};

/// Makes a folder that only its owner may enter, and missing ones above it, durably.
pub(super) fn make(folder: &Path) -> anyhow::Result<()> {
    let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
    let missing: Vec<&Path> = missing.collect();
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.and_then(|()| missing.into_iter().try_for_each(sync_entry))
        .map_err(|error| explain(error, folder))
        .with_context(|| format!("cannot create the data folder {}", folder.display()))
}

/// How to open a file that only its owner may read.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options
}

/// Makes an empty file that only its owner may read; SQLite gives its companions the same mode.
pub(super) fn make_private(path: &Path) -> anyhow::Result<()> {
    let made = private().create_new(true).open(path);
    made.map(drop).map_err(|error| explain(error, path)).with_context(|| format!("cannot create {}", path.display()))
}

/// Explains why nothing can be written at `path`, and what to do.
pub(super) fn explain(error: io::Error, path: &Path) -> anyhow::Error {
    let place = path.display();
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => anyhow::Error::new(error).context(format!(
            "{place} is read-only for this process: give it a folder that it may write to with --data, or keep everything in \
             memory with --ephemeral"
        )),
        _ => error.into(),
    }
}

/// The error if another process holds a file or a folder.
pub(super) fn in_use(path: &Path) -> anyhow::Error {
    anyhow!("{} is in use by another process: stop that one, or choose another folder with --data", path.display())
}

/// Renames a file durably.
pub(super) fn rename(from: &Path, to: &Path) -> anyhow::Result<()> {
    let renamed = fs::rename(from, to).and_then(|()| sync_entry(to));
    renamed.with_context(|| format!("cannot rename {} to {}", from.display(), to.display()))
}

/// Copies a file durably, for its owner alone.
pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let copied = File::open(from).and_then(|mut source| {
        let mut target = private().create_new(true).open(to)?;
        let done = io::copy(&mut source, &mut target).and_then(|_| target.sync_all()).and_then(|()| sync_entry(to));
        // Half a copy would fill the disk again at each start.
        done.inspect_err(|_| _ = fs::remove_file(to))
    });
    copied.with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// Makes the name of a file or folder durable.
pub(super) fn sync_entry(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_written_is_called_read_only() {
        for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem] {
            let text = format!("{:#}", explain(kind.into(), Path::new("books")));
            assert!(text.starts_with("books is read-only for this process") && text.contains("--data"), "{text}");
        }
        let text = format!("{:#}", explain(io::ErrorKind::StorageFull.into(), Path::new("books")));
        assert!(!text.contains("read-only"), "{text}");
    }
}
