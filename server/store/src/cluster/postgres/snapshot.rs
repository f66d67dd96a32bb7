//! Reads the snapshot and the entries of the log after it. Writes nothing.

use anyhow::{Context as _, ensure};

use super::client::DatabaseClient;
use super::tables;
use crate::cluster::encoding::decoded;
use crate::cluster::log::Position;
use crate::record::{Change, Kind};
use crate::rows::Rows;

/// A multiple of the usual patience, while the database sorts.
const SORTS: u32 = 5;

pub(super) fn load(client: &DatabaseClient) -> anyhow::Result<(Position, Rows)> {
    let mut rows = Rows::default();
    let head = client.query_one("SELECT number, layout FROM libros_head")?;
    if head.get::<_, i32>(1) == tables::FILLING {
        // Counts as empty, so that the server fills the database, which resumes this fill.
        return Ok((Position::default(), rows));
    }
    for row in client.query("SELECT name FROM libros_kind", &[])? {
        rows.kinds.insert(Kind::named(row.get(0))?);
    }
    let state = "SELECT kind, key, doc FROM libros_state ORDER BY born";
    for row in client.with_patience(SORTS, |client| client.query(state, &[]))? {
        let key = String::from_utf8(row.get(1))?;
        rows.apply(Change::Put { kind: Kind::named(row.get(0))?, key, doc: row.get::<_, String>(2).into() });
    }
    let folded: i64 = client.query_one("SELECT number FROM libros_folded")?.get(0);
    let mut position = Position { number: folded, token: None };
    let entries = "SELECT number, token, changes FROM libros_log WHERE number > $1 ORDER BY number";
    for row in client.with_patience(SORTS, |client| client.query(entries, &[&folded]))? {
        let found: i64 = row.get(0);
        ensure!(found == position.number + 1, "the log has a gap before entry {found}");
        for change in decoded(row.get(2)).with_context(|| format!("entry {found} of the log"))? {
            rows.apply(change);
        }
        position = Position { number: found, token: Some(row.get(1)) };
    }
    let head: i64 = head.get(0);
    ensure!(head == position.number, "the log ends at {head}, but its entries at {}", position.number);
    Ok((position, rows))
}
