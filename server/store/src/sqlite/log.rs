//! The append-only log of a SQLite store: appends changes, and moves them into the state table.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::checksum;
use super::confirmed::Position;
use super::unfit::Unfit;
use crate::record::Change;

/// The verb of a row: what its change does.
const PUT: i64 = 1;
const REMOVE: i64 = 2;
const CLEAR: i64 = 3;

pub(super) struct Entry {
    seq: i64,
    verb: i64,
    kind: String,
    key: String,
    doc: String,
    crc: u32,
}

/// How many rows of a kind the state holds, and the sum of their checksums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) rows: i64,
    pub(super) crcs: i64,
}

impl Total {
    pub(super) fn add(&mut self, crc: i64) {
        self.rows += 1;
        self.crcs = self.crcs.wrapping_add(crc);
    }

    fn subtract(&mut self, crc: i64) {
        self.rows -= 1;
        self.crcs = self.crcs.wrapping_sub(crc);
    }
}

/// Appends changes after `end`, in one durable commit; returns the new end. Adds new kinds to `known`. If it fails, nothing has changed.
pub(super) fn append(
    connection: &mut Connection,
    mut end: Position,
    known: &mut BTreeSet<String>,
    changes: &[Change],
) -> rusqlite::Result<Position> {
    let transaction = connection.transaction()?;
    let mut new_kinds: Vec<&str> = Vec::new();
    for change in changes {
        let (verb, kind, key, doc) = match change {
            Change::Put { kind, key, doc } => (PUT, kind.0, key.as_str(), &**doc),
            Change::Remove { kind, key } => (REMOVE, kind.0, key.as_str(), ""),
            Change::Clear { kind } => (CLEAR, kind.0, "", ""),
        };
        if !known.contains(kind) && !new_kinds.contains(&kind) {
            transaction.execute("INSERT INTO kind (name) VALUES (?1)", [kind])?;
            new_kinds.push(kind);
        }
        end.seq += 1;
        end.chain = checksum::of_log(end.chain, end.seq, verb, [kind, key, doc]);
        transaction
            .prepare_cached("INSERT INTO log (seq, verb, kind, key, doc, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
            .execute(params![end.seq, verb, kind, key, doc, end.chain])?;
    }
    transaction.commit()?;
    known.extend(new_kinds.into_iter().map(str::to_owned));
    Ok(end)
}

/// Drops every row of the log after `end`, and every kind but these, in one commit.
pub(super) fn cut(connection: &mut Connection, end: Position, kinds: &[String]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute("DELETE FROM log WHERE seq > ?1", [end.seq])?;
    for name in totals(&transaction)?.into_keys().filter(|name| !kinds.contains(name)) {
        transaction.execute("DELETE FROM kind WHERE name = ?1 AND rows = 0", [name])?;
    }
    transaction.commit()
}

/// Moves every row of the log into the state table, in one commit; returns where the log ended.
pub(super) fn checkpoint(connection: &mut Connection) -> Result<Position, Unfit> {
    let transaction = connection.transaction()?;
    let mut totals = totals(&transaction)?;
    let mut moved = 0_usize;
    let end = walk(&transaction, |entry| {
        moved += 1;
        apply(&transaction, entry, totals.entry(entry.kind.clone()).or_default())
    })?;
    if moved > 0 {
        transaction.execute("DELETE FROM log", [])?;
        transaction.execute("UPDATE folded SET seq = ?1, chain = ?2", params![end.seq, end.chain])?;
        for (kind, total) in totals {
            transaction
                .prepare_cached("UPDATE kind SET rows = ?2, crcs = ?3 WHERE name = ?1")?
                .execute(params![kind, total.rows, total.crcs])?;
        }
        transaction.commit()?;
    }
    Ok(end)
}

/// The totals of each kind that the state should have.
pub(super) fn totals(connection: &Connection) -> rusqlite::Result<BTreeMap<String, Total>> {
    let mut select = connection.prepare("SELECT name, rows, crcs FROM kind")?;
    select.query_map([], |row| Ok((row.get(0)?, Total { rows: row.get(1)?, crcs: row.get(2)? })))?.collect()
}

/// Checks and visits every row of the log in order; returns its end. Fails if a row is damaged, or missing after the last checkpoint.
pub(super) fn walk(
    connection: &Connection,
    mut visit: impl FnMut(&Entry) -> Result<(), Unfit>,
) -> Result<Position, Unfit> {
    let folded = "SELECT seq, chain FROM folded";
    let mut end = connection.query_row(folded, [], |row| Ok(Position { seq: row.get(0)?, chain: row.get(1)? }))?;
    let mut select = connection.prepare("SELECT seq, verb, kind, key, doc, crc FROM log ORDER BY seq")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (seq, verb, kind, key, doc, crc) = row.try_into()?;
        let entry = Entry { seq, verb, kind, key, doc, crc };
        end.seq += 1;
        if entry.seq != end.seq {
            return Err(Unfit::Damaged(format!("row {} of the log is missing", end.seq)));
        }
        if entry.crc != checksum::of_log(end.chain, entry.seq, entry.verb, [&entry.kind, &entry.key, &entry.doc]) {
            return Err(Unfit::Damaged(format!("row {} of the log is damaged", end.seq)));
        }
        end.chain = entry.crc;
        visit(&entry)?;
    }
    Ok(end)
}

fn apply(transaction: &Transaction<'_>, entry: &Entry, total: &mut Total) -> Result<(), Unfit> {
    let Entry { seq, verb, kind, key, doc, .. } = entry;
    let mut replaced = transaction.prepare_cached("SELECT crc FROM state WHERE kind = ?1 AND key = ?2")?;
    let replaced = replaced.query_row([kind, key], |row| row.get(0)).optional()?;
    if let Some(crc) = replaced {
        total.subtract(crc);
    }
    if *verb == PUT {
        // A document that is replaced keeps its place.
        let crc = i64::from(checksum::of(&[kind, key, doc]));
        total.add(crc);
        transaction
            .prepare_cached(
                "INSERT INTO state (kind, key, born, doc, crc) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (kind, key) DO UPDATE SET doc = excluded.doc, crc = excluded.crc",
            )?
            .execute(params![kind, key, seq, doc, crc])?;
    } else if *verb == REMOVE {
        transaction.prepare_cached("DELETE FROM state WHERE kind = ?1 AND key = ?2")?.execute([kind, key])?;
    } else if *verb == CLEAR {
        transaction.execute("DELETE FROM state WHERE kind = ?1", [kind])?;
        *total = Total::default();
    } else {
        return Err(Unfit::Damaged(format!("row {seq} of the log has the unknown verb {verb}")));
    }
    Ok(())
}
