//! The tables of the SQLite file, and how an empty one is made.
//!
//! Each layout has other columns than those before it, which distinguishes a later one from a damaged number.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use rusqlite::Connection;

use super::folder;

/// The layout of the tables below; a higher number was written by a later version.
pub(super) const LAYOUT: i64 = 2;

const SCHEMA: &str = "
    CREATE TABLE log (seq INTEGER PRIMARY KEY, verb INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
                      doc TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
    CREATE TABLE state (kind TEXT NOT NULL, key TEXT NOT NULL, born INTEGER NOT NULL, doc TEXT NOT NULL,
                        crc INTEGER NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE kind (name TEXT PRIMARY KEY, rows INTEGER NOT NULL DEFAULT 0, crcs INTEGER NOT NULL DEFAULT 0)
                       STRICT, WITHOUT ROWID;
    CREATE TABLE folded (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL,
                         chain INTEGER NOT NULL DEFAULT 0) STRICT;
    INSERT INTO folded (one, seq) VALUES (1, 0);
";

/// All columns of the tables above.
const COLUMNS: &str = "folded.chain folded.one folded.seq kind.crcs kind.name kind.rows log.crc log.doc log.key log.kind log.seq \
                       log.verb state.born state.crc state.doc state.key state.kind";

pub(super) const COUNT_AGAIN: &str = "
    INSERT OR IGNORE INTO kind (name) SELECT DISTINCT kind FROM state;
    UPDATE kind SET (rows, crcs) = (SELECT count(*), coalesce(sum(crc), 0) FROM state WHERE state.kind = kind.name);
";

/// Makes an empty database. It gets its name only once it is whole and `before` has run.
pub(super) fn create(path: &Path, before: impl FnOnce() -> std::io::Result<()>) -> anyhow::Result<()> {
    let unfinished = path.with_extension("db.new");
    // An interrupted start may have left it. If it stays, the next line fails.
    _ = fs::remove_file(&unfinished);
    folder::make_private(&unfinished)?;
    let made = Connection::open(&unfinished).and_then(|connection| {
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", LAYOUT)
    });
    made.with_context(|| format!("cannot create {}", unfinished.display()))?;
    before().with_context(|| format!("cannot write beside {}", path.display()))?;
    folder::rename(&unfinished, path)
}

/// Whether a file has the tables of this layout, whatever its number says.
pub(super) fn is_this(connection: &Connection) -> rusqlite::Result<bool> {
    let columns = "SELECT group_concat(name, ' ') FROM (SELECT tables.name || '.' || columns.name AS name
        FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' ORDER BY 1)";
    let found: Option<String> = connection.query_row(columns, [], |row| row.get(0))?;
    Ok(found.as_deref() == Some(COLUMNS))
}
