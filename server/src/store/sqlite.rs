//! The store on disk: one SQLite file, written as an append-only log, with a state table folded in behind it.
//!
//! A commit appends to the log and is synced before it is confirmed. Every row carries a checksum, since SQLite itself
//! does not notice a flipped bit inside a text. A file that cannot be read is set aside, never overwritten.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::log::{self, Unfolded};
use super::{Change, Kind, Loaded, Row, Store, aside, checksum};

/// Name of the database within the data folder.
const FILE_NAME: &str = "libros.db";

/// The layout of the tables below; a higher number was written by a later version.
const LAYOUT: i64 = 1;

/// How long another process may hold the file: it may be on its way out.
const BUSY_MS: u64 = 2000;

/// Rows in the log at which it is folded when nothing waits ...
const FOLD_AT_REST: usize = 4096;
/// ... and at which it is folded even when something does.
const FOLD_AT_MOST: usize = 65_536;

const SCHEMA: &str = "
    CREATE TABLE log (seq INTEGER PRIMARY KEY, verb INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
                      doc TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
    CREATE TABLE state (kind TEXT NOT NULL, key TEXT NOT NULL, born INTEGER NOT NULL, doc TEXT NOT NULL,
                        crc INTEGER NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE kind (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE folded (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL) STRICT;
    INSERT INTO folded VALUES (1, 0);
";

/// Documents in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    /// Kinds the file has ever held.
    known: HashSet<String>,
    /// The number of the last row ever logged.
    seq: i64,
    /// Rows logged since the log was folded.
    logged: usize,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Damaged(String),
    #[error("it was written by a later version of this program (layout {0}; this one knows {LAYOUT})")]
    Later(i64),
}

impl Unfit {
    /// Whether the file holds something else than what was written; it may be whole and just not usable now.
    fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase, Unknown};
        match self {
            // Without a code: a value of the wrong type. `Unknown`: a statement that does not fit the tables.
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), None | Some(DatabaseCorrupt | NotADatabase | Unknown))
            }
            Self::Damaged(_) => true,
            Self::Later(_) => false,
        }
    }

    /// What to tell whoever started the program.
    fn explain(self, path: &Path) -> anyhow::Error {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        let held = match &self {
            Self::Sqlite(error) => matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked)),
            Self::Damaged(_) | Self::Later(_) => false,
        };
        let place = path.display();
        if held {
            anyhow!("{place} is in use by another process: stop that one, or choose another folder with --data")
        } else {
            anyhow::Error::new(self).context(format!("cannot use {place}"))
        }
    }
}

impl From<Unfolded> for Unfit {
    fn from(error: Unfolded) -> Self {
        match error {
            Unfolded::Sqlite(error) => Self::Sqlite(error),
            Unfolded::Damaged(why) => Self::Damaged(why),
        }
    }
}

impl SqliteStore {
    /// Opens the store in `folder`, which is made where it is missing, and reads all of it.
    ///
    /// A file that cannot be read is renamed, and the log says so; the books then count as empty, everything else as
    /// never stored. The same goes for a single kind of which a row is damaged.
    ///
    /// # Errors
    /// When the folder cannot be used, another process holds the file, or a later version wrote it.
    pub fn open(folder: &Path) -> anyhow::Result<(Self, Loaded)> {
        aside::make_folder(folder)?;
        let path = folder.join(FILE_NAME);
        if !path.exists() {
            // Companions without their file are what a lost file leaves behind.
            aside::set_aside(&path)?;
            create(&path)?;
        }
        match Self::open_existing(&path) {
            Ok(opened) => Ok(opened),
            Err(unfit) if unfit.is_damage() => Self::open_instead(&path, &unfit),
            Err(unfit) => Err(unfit.explain(&path)),
        }
    }

    /// Sets the file aside and opens a new one in its place.
    fn open_instead(path: &Path, why: &Unfit) -> anyhow::Result<(Self, Loaded)> {
        // rule: storage/unreadable-is-kept
        let kept = aside::set_aside(path)?.unwrap_or_default();
        tracing::error!(
            %why,
            kept_as = %kept.display(),
            "what is stored cannot be read: it is set aside, and the service starts without it"
        );
        create(path)?;
        let (mut store, mut loaded) = Self::open_existing(path).map_err(|unfit| unfit.explain(path))?;
        // Empty, and known to be: the initial books are not due, now or after the next start.
        // rule: storage/unreadable-is-empty
        store.commit(&[Change::Clear { kind: Kind::BOOKS }])?;
        loaded.open(Kind::BOOKS.0);
        Ok((store, loaded))
    }

    fn open_existing(path: &Path) -> Result<(Self, Loaded), Unfit> {
        let mut store =
            Self { connection: connect(path)?, path: path.to_owned(), known: HashSet::new(), seq: 0, logged: 0 };
        match store.read() {
            Ok(loaded) => Ok((store, loaded)),
            Err(error) => {
                // What is set aside shall be what was found: closing must not tidy it up.
                let keep = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
                _ = store.connection.set_db_config(keep, true);
                Err(error)
            }
        }
    }

    fn read(&mut self) -> Result<Loaded, Unfit> {
        take(&self.connection)?;
        self.fold()?;
        let (mut loaded, damaged) = self.rows()?;
        for kind in damaged {
            self.set_aside_kind(&kind)?;
            loaded.forget(&kind);
            if kind == Kind::BOOKS.0 {
                loaded.open(&kind);
            }
        }
        Ok(loaded)
    }

    /// Every row, and the kinds of which a row is damaged.
    fn rows(&mut self) -> rusqlite::Result<(Loaded, Vec<String>)> {
        let mut loaded = Loaded::default();
        let mut damaged = Vec::new();
        let mut kinds = self.connection.prepare("SELECT name FROM kind")?;
        for name in kinds.query_map([], |row| row.get::<_, String>(0))? {
            let name = name?;
            loaded.open(&name);
            self.known.insert(name);
        }
        let mut state = self.connection.prepare("SELECT kind, key, doc, crc FROM state ORDER BY kind, born")?;
        let mut rows = state.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, key, doc): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if row.get::<_, u32>(3)? == checksum::of(&[&kind, &key, &doc]) {
                loaded.push(&kind, Row { key, doc });
            } else if !damaged.contains(&kind) {
                damaged.push(kind);
            }
        }
        Ok((loaded, damaged))
    }

    /// Keeps a copy of everything and removes a kind.
    fn set_aside_kind(&mut self, kind: &str) -> rusqlite::Result<()> {
        let kept = aside::free_name(&self.path).display().to_string();
        self.connection.execute("VACUUM INTO ?1", [&kept])?;
        tracing::error!(
            kind,
            kept_as = kept,
            "a stored collection cannot be read: a copy is set aside, and the service starts without it"
        );
        self.connection.execute("DELETE FROM state WHERE kind = ?1", [kind])?;
        Ok(())
    }

    fn fold(&mut self) -> Result<(), Unfit> {
        self.seq = log::fold(&mut self.connection)?;
        self.logged = 0;
        Ok(())
    }
}

impl Store for SqliteStore {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        self.seq = log::append(&mut self.connection, self.seq, &mut self.known, changes)
            .with_context(|| format!("cannot write to {}", self.path.display()))?;
        self.logged += changes.len();
        Ok(())
    }

    fn rest(&mut self, idle: bool) {
        let due = if idle { FOLD_AT_REST } else { FOLD_AT_MOST };
        if self.logged < due {
            return;
        }
        if let Err(error) = self.fold() {
            tracing::error!(%error, "the log cannot be folded; it stays as it is");
            // Tried again after as many rows more, not with every commit.
            self.logged = 0;
        }
    }

    fn set_aside(&mut self, kind: Kind) -> anyhow::Result<()> {
        self.set_aside_kind(kind.0).with_context(|| format!("cannot set aside what {} holds", self.path.display()))
    }
}

/// Makes an empty database that gets its name only once it is whole.
fn create(path: &Path) -> anyhow::Result<()> {
    let unfinished = path.with_extension("db.new");
    aside::remove(&unfinished)?;
    let made = Connection::open(&unfinished).and_then(|connection| {
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", LAYOUT)
    });
    made.with_context(|| format!("cannot create {}", unfinished.display()))?;
    aside::keep_private(&unfinished)?;
    aside::rename(&unfinished, path)
}

/// Opens the file for this process alone, and changes nothing in it.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS))?;
    // This also spares the file of shared memory.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    Ok(connection)
}

/// Takes the file into use, once it has proved to be one of this program's.
fn take(connection: &Connection) -> Result<(), Unfit> {
    let layout: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if layout > LAYOUT {
        return Err(Unfit::Later(layout));
    }
    if layout < LAYOUT {
        return Err(Unfit::Damaged("it is empty, or no database of this program".to_owned()));
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A commit returns once the log is synced: what is confirmed is durable.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(Unfit::Damaged(verdict)) }
}
