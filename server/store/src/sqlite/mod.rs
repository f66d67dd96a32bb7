//! The store on disk: one SQLite file. Changes are appended to a log table and later moved into a state table.
//!
//! A commit is synced, and noted as confirmed beside the file, before it is answered. Every row carries a checksum, since
//! SQLite itself does not notice a flipped bit inside a text. What cannot be read is kept under another name, with an error in the log.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use self::confirmed::{Confirmed, ConfirmedFile, Position};
use self::database::Database;
use self::unfit::Unfit;
use super::interface::Store;
use super::record::{Change, Kind, Loaded, Unreadable};

mod checksum;
mod confirmed;
mod database;
mod folder;
mod layout;
mod log;
mod quarantine;
#[cfg(test)]
mod tests;
pub mod transfer;
mod unfit;

const FILE_NAME: &str = "libros.db";

/// Rows in the log at which it moves into the state when nothing waits ...
const CHECKPOINT_WHEN_IDLE: usize = 1024;
/// ... and at which it moves even when something does.
const CHECKPOINT_AT_MOST: usize = 65_536;

/// An opened file, and all it holds.
type Opened = (Database, Loaded);

/// Documents in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    database: Database,
    path: PathBuf,
    /// Whether the last commit failed, so that the disk may hold a part of it.
    has_refused: bool,
    /// Whether the last commit is noted as confirmed.
    is_noted: bool,
    /// Dropped last: its lock holds the folder.
    confirmed: ConfirmedFile,
}

impl SqliteStore {
    /// Opens the store in `folder`, which it makes if it is missing, and reads all of it.
    ///
    /// Renames a file that cannot be read, and logs that; the books then count as empty, everything else as never stored. If single rows
    /// are damaged, or confirmed changes are missing, it copies the files, logs that, and reads the rest. Fails if the folder cannot be
    /// used, another process holds it, or a later version wrote it.
    pub fn open(folder: &Path) -> anyhow::Result<(Self, Loaded)> {
        folder::make(folder)?;
        let path = folder.join(FILE_NAME);
        let (mut file, mut confirmed) = ConfirmedFile::open(&quarantine::with_end(&path, quarantine::CONFIRMED))?;
        let is_new = matches!(confirmed, Confirmed::Never | Confirmed::UpTo(Position { seq: 0, .. }));
        if is_new && !path.exists() && !quarantine::has_companions(&path) {
            layout::create(&path, || file.write(Position::default()))?;
            confirmed = Confirmed::UpTo(Position::default());
        }
        let opened = match open_existing(&path, &mut file, &confirmed) {
            Err(unfit) if unfit.is_damage() => open_instead(&path, &mut file, &confirmed, &unfit),
            opened => opened,
        };
        let (database, loaded) = opened.map_err(|unfit| unfit.explain(&path))?;
        Ok((Self { database, path, has_refused: false, is_noted: true, confirmed: file }, loaded))
    }

    /// Makes sure that no change of a refused commit takes effect: not at the next start, which may find a part, and not with later commits.
    fn settle_refused(&mut self) -> anyhow::Result<()> {
        if self.has_refused {
            self.database.overwrite_refused()?;
            self.confirmed.write(self.database.end)?;
            self.has_refused = false;
        }
        Ok(())
    }
}

/// Keeps the file under another name and opens a new one in its place.
fn open_instead(path: &Path, file: &mut ConfirmedFile, confirmed: &Confirmed, why: &Unfit) -> Result<Opened, Unfit> {
    let kept = quarantine::keep(path, folder::rename)?;
    tracing::error!(
        %why,
        ?confirmed,
        kept_as = %kept.display(),
        "what is stored cannot be read: it is kept under another name, and the service starts without it"
    );
    layout::create(path, || Ok(()))?;
    open_short(path, file)
}

/// Opens a file that lacks confirmed changes. If it has no books, records that there are none, so that the initial ones never return.
fn open_short(path: &Path, file: &mut ConfirmedFile) -> Result<Opened, Unfit> {
    let database = Database::open(path)?;
    // Comes before its end counts as confirmed: after a crash in between, it must not look like a new store.
    // rule: storage/unreadable-is-empty
    database.know(Kind::BOOKS)?;
    take_into_use(database, path, file)
}

fn take_into_use(mut database: Database, path: &Path, file: &mut ConfirmedFile) -> Result<Opened, Unfit> {
    file.write(database.end).map_err(|error| folder::explain(error, path))?;
    let loaded = database.settle()?;
    Ok((database, loaded))
}

fn open_existing(path: &Path, file: &mut ConfirmedFile, confirmed: &Confirmed) -> Result<Opened, Unfit> {
    if !path.exists() {
        return Err(Unfit::Damaged("the file is missing, but not what belongs to it".to_owned()));
    }
    let mut database = Database::open(path)?;
    // The log may go on: changes that were durable when the power failed, but not yet noted, were not confirmed.
    let is_whole = match confirmed {
        Confirmed::UpTo(position) | Confirmed::ButRefused(position, _) => database.has_passed(*position)?,
        Confirmed::Never | Confirmed::Unreadable => false,
    };
    if !is_whole {
        let reached = database.end.seq;
        // Copying a file that is open would give up the lock on it.
        drop(database);
        let kept = quarantine::keep(path, folder::copy)?;
        tracing::error!(
            reached,
            ?confirmed,
            kept_as = %kept.display(),
            "CONFIRMED CHANGES ARE MISSING FROM THE STORE, or it is not known whether any are: its files were damaged or \
             exchanged. A copy is kept, and the service goes on with what can be read"
        );
        return open_short(path, file);
    }
    if let Confirmed::ButRefused(position, kinds) = confirmed {
        database.cut(*position, kinds)?;
    }
    take_into_use(database, path, file)
}

impl Store for SqliteStore {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        let stored = self.settle_refused().and_then(|()| Ok(self.database.append(changes)?));
        if let Err(error) = stored {
            self.has_refused = true;
            // This comes before the answer that the commit failed.
            if let Err(error) = self.confirmed.write_refused(self.database.end, &self.database.kinds()) {
                tracing::error!(%error, "the refusal of changes cannot be noted: a kill now might leave them in force");
            }
            return Err(error.context(format!("cannot write to {}", self.path.display())));
        }
        let noted = self.confirmed.write(self.database.end);
        self.is_noted = noted.is_ok();
        if let Err(error) = noted {
            // The changes are durable, as promised. Only later damage to them would go unnoticed.
            tracing::error!(%error, "the confirmed position cannot be noted: damage of the log would not be noticed");
        }
        Ok(())
    }

    fn maintain(&mut self, idle: bool) {
        // The next start looks the position noted last up in the log.
        if self.is_noted {
            self.database.checkpoint_from(if idle { CHECKPOINT_WHEN_IDLE } else { CHECKPOINT_AT_MOST });
        }
    }

    fn quarantine(&mut self, unreadable: &[Unreadable]) -> anyhow::Result<()> {
        let kept = self.database.copy();
        let kept = kept.with_context(|| format!("cannot keep a copy of {}", self.path.display()))?;
        tracing::error!(
            records = unreadable.len(),
            kept_as = %kept.display(),
            "a copy of the store with the records that cannot be read is kept"
        );
        let remove = |Unreadable { kind, key, .. }: &Unreadable| Change::Remove { kind: *kind, key: key.clone() };
        self.commit(&unreadable.iter().map(remove).collect::<Vec<_>>())
    }
}
