//! One SQLite file of this program: opened for this process alone, checked, read whole.
//!
//! Before [`Database::settle`] nothing in the files changes, so that damaged files can be kept as they were found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};

use super::confirmed::Position;
use super::log::{self, Total};
use super::unfit::Unfit;
use super::{checksum, folder, layout, quarantine};
use crate::record::{Change, Kind, Loaded, Row};

/// How long to wait for another process that holds the file: it may be about to end.
const BUSY_MS: u64 = 2000;

#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    path: PathBuf,
    /// Kinds the file has ever held.
    known: BTreeSet<String>,
    pub(super) end: Position,
    /// Rows logged since the last checkpoint.
    logged: usize,
}

/// Whether only a later SQLite may write the file, which this one would open read-only. Call it before opening: closing gives up all locks.
fn has_unknown_format(path: &Path) -> bool {
    let mut header = [0; 19];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[18] > 2
}

/// Whether a check failed to read a page, for lack of memory or a failing disk, so that the page may be whole. A damaged page is error 11.
fn is_unread(verdict: &str) -> bool {
    let has_error = verdict.contains("error code=") && !verdict.contains("error code=11");
    has_error || verdict.contains("failed to get page")
}

impl Database {
    /// Opens a file for this process alone, and checks that this program wrote it. Changes nothing in it.
    pub(super) fn open(path: &Path) -> Result<Self, Unfit> {
        if has_unknown_format(path) {
            return Err(Unfit::Damaged("its header names a format that SQLite does not know".to_owned()));
        }
        let connection = Connection::open(path)?;
        // A damaged file is kept as it was found: closing must not change it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.busy_timeout(Duration::from_millis(BUSY_MS))?;
        // This also spares the file of shared memory.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        match connection.pragma_query_value(None, "user_version", |row| row.get(0))? {
            layout::LAYOUT => {}
            later if later > layout::LAYOUT && !layout::is_this(&connection)? => return Err(Unfit::Later(later)),
            other => {
                let why = format!("it is empty, or no database of this program, or damaged (layout {other})");
                return Err(Unfit::Damaged(why));
            }
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A commit returns once the log is synced: confirmed changes are durable.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
        let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(if is_unread(&verdict) { Unfit::Files(anyhow!(verdict)) } else { Unfit::Damaged(verdict) });
        }
        let end = log::walk(&connection, |_| Ok(()))?;
        Ok(Self { connection, path: path.to_owned(), known: BTreeSet::new(), end, logged: 0 })
    }

    /// Whether the log has passed this position: a row has it, or it was the end at the last checkpoint.
    pub(super) fn has_passed(&self, position: Position) -> rusqlite::Result<bool> {
        let passed = "SELECT EXISTS (SELECT 1 FROM log WHERE seq = ?1 AND crc = ?2)
                          OR EXISTS (SELECT 1 FROM folded WHERE seq = ?1 AND chain = ?2)";
        self.connection.query_row(passed, params![position.seq, position.chain], |row| row.get(0))
    }

    /// Drops refused changes: all after `end`, and kinds that did not exist then.
    pub(super) fn cut(&mut self, end: Position, kinds: &[String]) -> Result<(), Unfit> {
        if end.seq < self.end.seq {
            log::cut(&mut self.connection, end, kinds)?;
            tracing::info!(refused = self.end.seq - end.seq, "changes that had been refused are dropped");
            self.end = end;
        }
        Ok(())
    }

    /// Commits without a change, which overwrites a failed commit, so that the next start finds no part of it.
    pub(super) fn overwrite_refused(&self) -> rusqlite::Result<()> {
        self.connection.execute("UPDATE folded SET seq = seq", []).map(drop)
    }

    /// Records durably that the file has held this kind.
    pub(super) fn know(&self, kind: Kind) -> rusqlite::Result<()> {
        self.connection.execute("INSERT OR IGNORE INTO kind (name) VALUES (?1)", [kind.0]).map(drop)
    }

    pub(super) fn kinds(&self) -> Vec<&str> {
        self.known.iter().map(String::as_str).collect()
    }

    /// Moves the log into the state, and reads everything. From now on the file changes.
    pub(super) fn settle(&mut self) -> Result<Loaded, Unfit> {
        self.checkpoint()?;
        let (loaded, damaged, is_miscounted) = self.rows()?;
        if is_miscounted || !damaged.is_empty() {
            self.repair(&loaded, &damaged, is_miscounted)?;
        }
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        Ok(loaded)
    }

    /// Reads all rows; returns the whole ones, kind and key of the damaged ones, and whether the rows differ from the totals.
    fn rows(&mut self) -> rusqlite::Result<(Loaded, Vec<(String, String)>, bool)> {
        let (mut loaded, mut damaged) = (Loaded::default(), Vec::new());
        let expected = log::totals(&self.connection)?;
        for name in expected.keys() {
            loaded.open(name);
            self.known.insert(name.clone());
        }
        let mut by_kind: BTreeMap<String, (Total, Vec<(i64, Row)>)> = BTreeMap::new();
        // Sorts rows by when their keys were first stored, in memory: SQLite would do it in a file.
        let mut state = self.connection.prepare("SELECT kind, key, born, doc, crc FROM state")?;
        let mut rows = state.query([])?;
        while let Some(row) = rows.next()? {
            // A flipped bit may leave a text that is not UTF-8, or a number that is no checksum: neither matches.
            let text = |column| Ok::<_, rusqlite::Error>(String::from_utf8_lossy(row.get_ref(column)?.as_bytes()?));
            let (kind, key, doc, crc) = (text(0)?, text(1)?, text(3)?, row.get(4)?);
            let (total, rows) = match by_kind.get_mut(&*kind) {
                Some(entry) => entry,
                None => by_kind.entry(kind.to_string()).or_default(),
            };
            total.add(crc);
            if crc == i64::from(checksum::of(&[&kind, &key, &doc])) {
                rows.push((row.get(2)?, Row { key: key.into_owned(), doc: doc.into_owned() }));
            } else {
                damaged.push((kind.into_owned(), key.into_owned()));
            }
        }
        let mut totals = BTreeMap::new();
        for (kind, (total, mut rows)) in by_kind {
            rows.sort_unstable_by_key(|(born, _)| *born);
            *loaded.open(&kind) = rows.into_iter().map(|(_, row)| row).collect();
            totals.insert(kind, total);
        }
        let counted = expected.into_iter().filter(|(_, total)| *total != Total::default());
        Ok((loaded, damaged, !counted.eq(totals)))
    }

    /// Copies a file with damaged or missing rows, and goes on with the whole rows.
    fn repair(&mut self, whole: &Loaded, damaged: &[(String, String)], is_miscounted: bool) -> Result<(), Unfit> {
        let kept = self.copy()?;
        let kept_as = kept.display();
        for (kind, key) in damaged {
            tracing::error!(kind, key, %kept_as, "a stored record is damaged: a copy is kept, and the service starts without it");
        }
        if is_miscounted {
            tracing::error!(
                %kept_as,
                "ROWS OF THE STORE ARE MISSING OR NOT ITS OWN: a copy is kept, and the service goes on with the others"
            );
        }
        let transaction = self.connection.transaction()?;
        // Rewrites all rows, since no search finds a damaged key.
        transaction.execute("DELETE FROM state", [])?;
        for (kind, rows) in &whole.collections {
            for (born, Row { key, doc }) in (1_i64..).zip(rows) {
                transaction
                    .prepare_cached("INSERT INTO state (kind, key, born, doc, crc) VALUES (?1, ?2, ?3, ?4, ?5)")?
                    .execute(params![kind, key, born, doc, checksum::of(&[kind, key, doc])])?;
            }
        }
        transaction.execute_batch(layout::COUNT_AGAIN)?;
        Ok(transaction.commit()?)
    }

    /// Copies everything, for the owner alone; returns the name of the copy.
    pub(super) fn copy(&self) -> Result<PathBuf, Unfit> {
        let kept = quarantine::free_name(&self.path);
        folder::make_private(&kept)?;
        // Bytes, since a path need not be UTF-8.
        let copied = self.connection.execute("VACUUM INTO CAST(?1 AS TEXT)", [kept.as_os_str().as_bytes()]);
        // Half a copy would fill the disk again at each start.
        copied.inspect_err(|_| _ = std::fs::remove_file(&kept))?;
        Ok(kept)
    }

    /// Appends changes durably. If it fails, none is stored.
    pub(super) fn append(&mut self, changes: &[Change]) -> rusqlite::Result<()> {
        self.end = log::append(&mut self.connection, self.end, &mut self.known, changes)?;
        self.logged += changes.len();
        Ok(())
    }

    /// Moves the log into the state if it has at least `due` rows.
    pub(super) fn checkpoint_from(&mut self, due: usize) {
        if self.logged < due {
            return;
        }
        if let Err(error) = self.checkpoint() {
            tracing::error!(%error, "the log cannot be moved into the state; it stays as it is");
            // The next try comes after as many more rows, not with every commit.
            self.logged = 0;
        }
    }

    fn checkpoint(&mut self) -> Result<(), Unfit> {
        self.end = log::checkpoint(&mut self.connection)?;
        self.logged = 0;
        Ok(())
    }
}
