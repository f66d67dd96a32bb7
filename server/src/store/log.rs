//! The append-only log of a SQLite store: appending to it, and folding it into the state table.

use std::collections::HashSet;

use rusqlite::{Connection, Transaction, params};

use super::{Change, checksum};

/// What a log row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Put = 1,
    Remove = 2,
    Clear = 3,
}

/// Why a log cannot be folded.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfolded {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Damaged(String),
}

/// One row of the log.
struct Entry {
    seq: i64,
    verb: i64,
    kind: String,
    key: String,
    doc: String,
    crc: u32,
}

/// Appends changes after row `seq`, in one durable commit; adds to `known` the kinds that are new.
///
/// Returns the number of the last row. Nothing is stored and nothing known when it fails.
pub(super) fn append(
    connection: &mut Connection,
    mut seq: i64,
    known: &mut HashSet<String>,
    changes: &[Change],
) -> rusqlite::Result<i64> {
    let transaction = connection.transaction()?;
    let mut new_kinds: Vec<&str> = Vec::new();
    for change in changes {
        seq += 1;
        let (verb, kind, key, doc) = match change {
            Change::Put { kind, key, doc } => (Verb::Put, kind.0, key.as_str(), doc.as_str()),
            Change::Remove { kind, key } => (Verb::Remove, kind.0, key.as_str(), ""),
            Change::Clear { kind } => (Verb::Clear, kind.0, "", ""),
        };
        if !known.contains(kind) && !new_kinds.contains(&kind) {
            transaction.execute("INSERT INTO kind (name) VALUES (?1)", [kind])?;
            new_kinds.push(kind);
        }
        let crc = checksum::of_log(seq, verb as i64, kind, key, doc);
        transaction
            .prepare_cached("INSERT INTO log (seq, verb, kind, key, doc, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
            .execute(params![seq, verb as i64, kind, key, doc, crc])?;
    }
    transaction.commit()?;
    known.extend(new_kinds.into_iter().map(str::to_owned));
    Ok(seq)
}

/// Moves every row of the log into the state table, in one commit; returns the number of the last one.
///
/// The log goes on where it was folded last, without a gap: rows missing at its head or in between are noticed.
pub(super) fn fold(connection: &mut Connection) -> Result<i64, Unfolded> {
    let transaction = connection.transaction()?;
    let mut seq: i64 = transaction.query_row("SELECT seq FROM folded", [], |row| row.get(0))?;
    let before = seq;
    {
        let mut select = transaction.prepare("SELECT seq, verb, kind, key, doc, crc FROM log ORDER BY seq")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let entry = Entry {
                seq: row.get(0)?,
                verb: row.get(1)?,
                kind: row.get(2)?,
                key: row.get(3)?,
                doc: row.get(4)?,
                crc: row.get(5)?,
            };
            seq += 1;
            if entry.seq != seq {
                return Err(Unfolded::Damaged(format!("row {seq} of the log is missing")));
            }
            apply(&transaction, &entry)?;
        }
    }
    if seq != before {
        transaction.execute("DELETE FROM log", [])?;
        transaction.execute("UPDATE folded SET seq = ?1", [seq])?;
        transaction.commit()?;
    }
    Ok(seq)
}

fn apply(transaction: &Transaction<'_>, entry: &Entry) -> Result<(), Unfolded> {
    let Entry { seq, verb, kind, key, doc, crc } = entry;
    if *crc != checksum::of_log(*seq, *verb, kind, key, doc) {
        return Err(Unfolded::Damaged(format!("row {seq} of the log is damaged")));
    }
    if *verb == Verb::Put as i64 {
        // A document that is replaced keeps its place.
        let crc = checksum::of(&[kind, key, doc]);
        transaction
            .prepare_cached(
                "INSERT INTO state (kind, key, born, doc, crc) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (kind, key) DO UPDATE SET doc = excluded.doc, crc = excluded.crc",
            )?
            .execute(params![kind, key, seq, doc, crc])?;
    } else if *verb == Verb::Remove as i64 {
        transaction.prepare_cached("DELETE FROM state WHERE kind = ?1 AND key = ?2")?.execute([kind, key])?;
    } else if *verb == Verb::Clear as i64 {
        transaction.execute("DELETE FROM state WHERE kind = ?1", [kind])?;
    } else {
        return Err(Unfolded::Damaged(format!("row {seq} of the log does nothing known")));
    }
    Ok(())
}
