//! Opens the place of a report before anything is judged, and writes it when everything is.
//!
//! Replaces a plain file as a whole, never by half. Writes into devices, pipes, links and `/dev/fd/N` directly.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::mutex::locked;
use crate::random;

const PRIVATE: u32 = 0o600;
const SHARED: u32 = 0o666;

/// Plain files that this process reads, or will write (`true`): a report must replace none of them.
static IN_USE: Mutex<BTreeMap<PathBuf, bool>> = Mutex::new(BTreeMap::new());

/// Notes a file that is read, or that another program writes. Fails if a report will replace it.
pub(crate) fn note_use(path: &Path) -> Result<(), String> {
    let is_written = *locked(&IN_USE).entry(resolved(path)).or_insert(false);
    if is_written { Err(format!("{} is named as an output, too: name another file", path.display())) } else { Ok(()) }
}

/// Notes a file that will be written; `false` if it is in use.
fn claim(path: &Path) -> bool {
    let (path, mut in_use) = (resolved(path), locked(&IN_USE));
    let is_free = !in_use.contains_key(&path);
    in_use.entry(path).or_insert(true);
    is_free
}

/// The same path for a file by whatever name; the file need not exist.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    StandardOutput,
    /// Written beside its place, and renamed over it.
    Beside(File, PathBuf),
    Itself(File),
}

impl Destination {
    /// Opens it; `-` is standard output. One that is private is readable by its owner alone.
    pub fn open(path: &Path, is_private: bool) -> Result<Self, String> {
        let place = place(path, if is_private { PRIVATE } else { SHARED });
        let place = place.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        if let Place::Beside(_, beside) = &place
            && !claim(path)
        {
            _ = fs::remove_file(beside);
            let name = path.display();
            return Err(format!("cannot write {name}: this command reads it, or writes something else there"));
        }
        Ok(Self { path: path.to_owned(), place })
    }

    pub fn write(mut self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
        let written = match &mut self.place {
            Place::StandardOutput => closed_pipe_is_fine(content(&mut io::stdout().lock())),
            Place::Itself(file) => truncated(file).and_then(|()| closed_pipe_is_fine(buffered(file, content))),
            Place::Beside(file, beside) => buffered(file, content).and_then(|()| fs::rename(beside, &self.path)),
        };
        written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        if let Place::Beside(_, beside) = &self.place {
            // Only a report that was not written left this file.
            _ = fs::remove_file(beside);
            locked(&IN_USE).remove(&resolved(&self.path));
        }
    }
}

fn place(path: &Path, mode: u32) -> io::Result<Place> {
    if path == Path::new("-") {
        return Ok(Place::StandardOutput);
    }
    let there = fs::symlink_metadata(path).ok();
    if there.as_ref().is_none_or(fs::Metadata::is_file) {
        let mut beside = path.to_owned().into_os_string();
        // A process id would not do: in a container it may be that of an earlier run, which was killed and left its file.
        beside.push(format!(".{}.part", random::nonce()));
        let beside = PathBuf::from(beside);
        match OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside) {
            Ok(file) => return Ok(Place::Beside(file, beside)),
            Err(error) if there.is_none() => return Err(error),
            // A file may be writable in a folder that is not.
            Err(_) => {}
        }
    }
    // The target of a link need not exist yet.
    let is_link = there.is_some_and(|there| there.is_symlink());
    Ok(Place::Itself(OpenOptions::new().write(true).create(is_link).truncate(false).mode(mode).open(path)?))
}

/// Empties a plain file behind a link; a device or pipe has no length.
fn truncated(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

fn buffered(file: &mut File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.flush()
}

/// A reader that went away (`| head`) is no fault.
pub(crate) fn closed_pipe_is_fine(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn write(path: &Path, text: &'static str) -> Result<(), String> {
        Destination::open(path, true)?.write(|out| out.write_all(text.as_bytes()))
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_plain_file_is_replaced_and_readable_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "earlier and longer").unwrap();
        fs::write(folder.path().join(format!("report.{}.part", std::process::id())), "left by another run").unwrap();
        let opened = Destination::open(&path, true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "earlier and longer", "nothing is lost before the end");
        opened.write(|out| out.write_all(b"new")).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("new", 0o600));
        drop(Destination::open(&path, true).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing more is left beside it");
    }

    #[test]
    fn a_report_replaces_no_file_that_is_read_or_written_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let first = Destination::open(&path, true).unwrap();
        let again = || Destination::open(&folder.path().join("./report"), true);
        assert!(again().is_err() && note_use(&path).is_err());
        drop(first);
        assert!(again().is_ok());
        note_use(&path).unwrap();
        assert!(again().is_err());
    }

    #[test]
    fn links_pipes_and_devices_are_written_to_and_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (link, behind) = (folder.path().join("link"), folder.path().join("behind"));
        symlink(&behind, &link).unwrap();
        write(&link, "first, which is long").unwrap();
        write(&link, "second").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&behind).unwrap(), "second");
        write(Path::new("/dev/null"), "gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let (mut reader, writer) = io::pipe().unwrap();
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&writer);
        write(Path::new(&format!("/dev/fd/{descriptor}")), "piped").unwrap();
        drop(writer);
        assert_eq!(io::read_to_string(&mut reader).unwrap(), "piped");
    }

    #[test]
    fn what_cannot_be_written_is_said_before_anything_is_judged() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), &folder.path().join("none/report")] {
            assert!(Destination::open(path, false).unwrap_err().contains("cannot write"), "{}", path.display());
        }
    }
}
