//! The end of the confirmed changes, written to a file beside the database.
//!
//! SQLite drops its write-ahead log from the first damaged frame on, and takes the frames before it for the whole log. So a torn
//! tail, which was never confirmed, looks like damaged confirmed changes. To tell them apart, each durable commit is noted in a second
//! file before it is confirmed. That costs one more sync of one block, in place: a commit took 0.5 ms instead of 0.35 on an ordinary
//! SSD, and one commit holds all waiting changes. A lock on this file holds the folder. Knows no database.

use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::Duration;
use std::{io, thread};

use anyhow::Context as _;

use super::{checksum, folder};

/// Bytes between the two slots. No disk writes more at once, so a torn write damages at most one slot.
const SLOT: usize = 4096;

/// Prefix of the list of kinds, whose names have no space.
const REFUSED: &str = "refused:";

/// How often to try to lock the file, and how long to wait between tries: another process may be about to end.
const TRIES: usize = 40;
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// A place in the log of changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The number of the last change.
    pub(super) seq: i64,
    /// Its checksum, which continues that of the change before it.
    pub(super) chain: u32,
}

/// The content of the file when it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Confirmed {
    /// Nothing has been written yet.
    Never,
    /// Changes up to here.
    UpTo(Position),
    /// Changes up to here; later ones were refused. The store had held these kinds until then.
    ButRefused(Position, Vec<String>),
    Unreadable,
}

/// The open file; no other process can open it meanwhile.
#[derive(Debug)]
pub(super) struct ConfirmedFile {
    file: File,
    /// The number of durable writes, which selects one of the two slots.
    writes: u64,
}

impl ConfirmedFile {
    /// Opens the file, or makes it, and holds it until dropped.
    pub(super) fn open(path: &Path) -> anyhow::Result<(Self, Confirmed)> {
        let opened = folder::private().create(true).truncate(false).open(path);
        let file = opened.map_err(|error| folder::explain(error, path.parent().unwrap_or(path)))?;
        hold(&file, path)?;
        let mut bytes = Vec::with_capacity(2 * SLOT);
        let length = (&file).take(2 * SLOT as u64).read_to_end(&mut bytes);
        let length = length.with_context(|| format!("cannot read {}", path.display()))?;
        if length == 0 {
            folder::sync_entry(path).with_context(|| format!("cannot create {}", path.display()))?;
        }
        let latest = bytes.chunks(SLOT).filter_map(parse).max_by_key(|(writes, _)| *writes);
        let without_any = if length == 0 { Confirmed::Never } else { Confirmed::Unreadable };
        let (writes, confirmed) = latest.unwrap_or((0, without_any));
        Ok((Self { file, writes }, confirmed))
    }

    /// Notes durably that changes up to `position` are confirmed.
    pub(super) fn write(&mut self, position: Position) -> io::Result<()> {
        self.write_with(position, "")
    }

    /// Notes durably that all changes after `position` were refused, and which kinds the store had held until then.
    pub(super) fn write_refused(&mut self, position: Position, kinds: &[&str]) -> io::Result<()> {
        self.write_with(position, &format!(" {REFUSED}{}", kinds.join(",")))
    }

    /// Writes a slot as text, which a person can read. After a failure, writes the same slot again: only the other one is surely whole.
    fn write_with(&mut self, Position { seq, chain }: Position, end: &str) -> io::Result<()> {
        let writes = self.writes + 1;
        let said = format!("libros-confirmed {writes:020} {seq:020} {chain:08x}{end}");
        let slot = format!("{said} {:08x}\n", checksum::of(&[&said]));
        self.file.write_all_at(slot.as_bytes(), (writes % 2) * SLOT as u64)?;
        self.file.sync_data()?;
        self.writes = writes;
        Ok(())
    }
}

fn hold(file: &File, path: &Path) -> anyhow::Result<()> {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(TRY_AGAIN_AFTER),
            // A file system without locks; SQLite's own keep a second process out later.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
    }
    Err(folder::in_use(path.parent().unwrap_or(path)))
}

fn parse(slot: &[u8]) -> Option<(u64, Confirmed)> {
    let line = slot.split(|byte| *byte == b'\n').next()?;
    let (said, crc) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    if u32::from_str_radix(crc, 16).ok()? != checksum::of(&[said]) {
        return None;
    }
    let mut words = said.split(' ').skip(1);
    let writes = words.next()?.parse().ok()?;
    let seq = words.next()?.parse().ok()?;
    let chain = u32::from_str_radix(words.next()?, 16).ok()?;
    let position = Position { seq, chain };
    let Some(kinds) = words.next().and_then(|word| word.strip_prefix(REFUSED)) else {
        return Some((writes, Confirmed::UpTo(position)));
    };
    let kinds = kinds.split(',').filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
    Some((writes, Confirmed::ButRefused(position, kinds)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn at(seq: i64) -> Position {
        Position { seq, chain: 7 }
    }

    #[test]
    fn the_last_position_is_read_back_and_a_torn_one_falls_back_to_the_one_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("confirmed");
        let (mut file, confirmed) = ConfirmedFile::open(&path).expect("opens");
        assert_eq!(confirmed, Confirmed::Never);
        for seq in 1..=3 {
            file.write(at(seq)).expect("written");
        }
        drop(file);
        let copy = path.with_extension("copy");
        let read_with_spoiled = |place: usize| {
            let mut bytes = fs::read(&path).expect("there");
            bytes[place] ^= 1;
            fs::write(&copy, &bytes).expect("written");
            ConfirmedFile::open(&copy).expect("opens").1
        };
        assert_eq!(read_with_spoiled(SLOT - 1), Confirmed::UpTo(at(3)), "no place is read there");
        assert_eq!(read_with_spoiled(SLOT + 30), Confirmed::UpTo(at(2)));
        let mut file = ConfirmedFile::open(&path).expect("opens").0;
        // A write that fails leaves its slot torn, and the next one may be torn, too.
        let writable = std::mem::replace(&mut file.file, File::open(&path).expect("there"));
        file.write(at(4)).expect_err("only for reading");
        file.file = writable;
        file.write(at(5)).expect("written");
        assert_eq!(read_with_spoiled(30), Confirmed::UpTo(at(3)));
        for kinds in [&["books", "keys"] as &[&str], &[]] {
            file.write_refused(at(2), kinds).expect("written");
            let kinds = kinds.iter().map(|kind| (*kind).to_owned()).collect();
            assert_eq!(read_with_spoiled(SLOT - 1), Confirmed::ButRefused(at(2), kinds));
        }
        drop(file);
        fs::write(&path, "anything").expect("written");
        assert_eq!(read_with_spoiled(0), Confirmed::Unreadable);
    }
}
