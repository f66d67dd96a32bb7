//! Folds entries of the log into the snapshot, so that starts read little and the log stays short. One replica folds at a time.

use std::collections::BTreeSet;

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};

use super::client::{DatabaseClient, Unanswered};
use crate::cluster::encoding::decoded;
use crate::record::Change;
use crate::rows::Rows;

/// Folded entries that stay in the log, for replicas that were away.
const KEPT: i64 = 10_000;

/// Places in the order of the snapshot for the changes of one entry.
const PLACES: i64 = 1 << 24;

/// The net effect of entries: the documents to store, and the kinds and documents to delete.
#[derive(Default)]
pub(super) struct Net {
    rows: Rows,
    cleared: BTreeSet<&'static str>,
    removed: BTreeSet<Vec<u8>>,
}

/// Entries folded at a time: all since a long time may be more than the database takes in one message.
const STEP: i64 = 64;

/// Folds entries up to one, some at a time, each time in a transaction; returns whether all are folded.
pub(super) fn fold(client: &DatabaseClient, up_to: i64) -> anyhow::Result<bool> {
    let locked = client.query_opt("SELECT number FROM libros_folded FOR UPDATE SKIP LOCKED", &[])?;
    let Some(folded) = locked.map(|row| row.get::<_, i64>(0)).filter(|folded| *folded < up_to) else {
        // Another replica has done it, or is about to.
        return Ok(true);
    };
    let to = up_to.min(folded + STEP);
    let entries = "SELECT number, changes FROM libros_log WHERE number > $1 AND number <= $2 ORDER BY number";
    let mut net = Net::default();
    let mut last = folded;
    for row in client.query(entries, &[&folded, &to])? {
        let number: i64 = row.get(0);
        ensure!(number == last + 1, "entry {} of the log is missing", last + 1);
        last = number;
        let changes = decoded(row.get(1)).with_context(|| format!("entry {number} of the log"))?;
        for (place, change) in (number * PLACES..).zip(changes) {
            net.add(place, change);
        }
    }
    ensure!(last == to, "entry {} of the log is missing", last + 1);
    net.write(client)?;
    client.execute("DELETE FROM libros_log WHERE number <= $1", &[&(to - KEPT)])?;
    client.execute("UPDATE libros_folded SET number = $1", &[&to])?;
    Ok(to == up_to)
}

impl Net {
    pub(super) fn add(&mut self, place: i64, change: Change) {
        match &change {
            Change::Put { .. } => {}
            Change::Remove { kind, key } => _ = self.removed.insert(id(kind.0, key)),
            Change::Clear { kind } => _ = self.cleared.insert(kind.0),
        }
        self.rows.apply_at(place, change);
    }

    pub(super) fn write(self, client: &DatabaseClient) -> Result<(), Unanswered> {
        let kinds: Vec<&str> = self.rows.kinds.into_iter().map(|kind| kind.0).collect();
        let cleared: Vec<&str> = self.cleared.into_iter().collect();
        let removed: Vec<Vec<u8>> = self.removed.into_iter().collect();
        client.execute("INSERT INTO libros_kind (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", &[&kinds])?;
        client.execute("DELETE FROM libros_state WHERE kind = ANY ($1)", &[&cleared])?;
        client.execute("DELETE FROM libros_state WHERE id = ANY ($1)", &[&removed])?;
        let (mut ids, mut kinds, mut keys, mut born, mut docs) = (vec![], vec![], vec![], vec![], vec![]);
        for ((kind, key), (place, doc)) in self.rows.records {
            ids.push(id(kind.0, &key));
            kinds.push(kind.0);
            keys.push(key.into_bytes());
            born.push(place);
            docs.push(doc);
        }
        client.execute(
            "INSERT INTO libros_state (id, kind, key, born, doc)
             SELECT * FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::bigint[], $5::text[])
             ON CONFLICT (id) DO UPDATE SET doc = excluded.doc",
            &[&ids, &kinds, &keys, &born, &docs],
        )?;
        Ok(())
    }
}

/// The hash of a key, which may be longer than an index takes.
fn id(kind: &str, key: &str) -> Vec<u8> {
    Sha256::new().chain_update(kind).chain_update([0]).chain_update(key).finalize().to_vec()
}
