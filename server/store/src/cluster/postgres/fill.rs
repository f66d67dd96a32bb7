//! Fills an empty database in pieces, if the initial collection is too large for one entry of the log. Resumes a fill that was cut short.
//!
//! Until the last piece is stored, the layout number in the head means "filling", so that no server takes a part for the whole. Entry 0 of
//! the log identifies the collection and counts the stored changes. Each commit has a piece and the new count, so several servers may fill
//! the same database at once, or one after the other.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};

use super::client::DatabaseClient;
use super::fold::Net;
use super::tables::{FILLING, LAYOUT};
use crate::cluster::encoding::encoded;
use crate::cluster::{log::Position, threads};
use crate::record::Change;

/// Most changes of a piece, and bytes of documents at which it ends. A larger collection is stored in pieces.
const PIECE: usize = 2_000;
const PIECE_BYTES: usize = 1 << 20;

/// Retries of a piece in a row before the fill fails.
const RETRIES_MAX: usize = 10;
const PAUSE: Duration = Duration::from_secs(1);

/// The database ends the transaction of a server that falls silent within a piece, so that another can go on.
const BEGIN: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 60000";

/// The database is being filled with another collection.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is being filled with another collection, {done} of its {all} changes are stored: to go on with it, import the same file again \
     or start a server with the same --books; otherwise name an empty database"
)]
pub(super) struct Foreign {
    done: usize,
    all: usize,
}

pub(super) struct Filling<'a> {
    changes: &'a [Change],
    /// A digest of the changes; also the token of the first entry.
    source: String,
    has_begun: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// This many changes are stored.
    Stored(usize),
    /// All are stored, and servers may start.
    Filled,
    /// The database held something else before.
    NotEmpty,
}

impl<'a> Filling<'a> {
    pub(super) fn of(changes: &'a [Change]) -> Self {
        let mut digest = Sha256::new();
        for change in changes {
            digest.update(encoded(std::slice::from_ref(change)));
        }
        Self { changes, source: hex::encode(&digest.finalize()[..12]), has_begun: false }
    }

    /// Whether to store in pieces: there are many changes, or a fill has begun already, even of another collection.
    pub(super) fn needs_pieces(&self, client: &DatabaseClient) -> anyhow::Result<bool> {
        let bytes: usize = self.changes.iter().map(bytes).sum();
        let layout: i32 = client.query_one("SELECT layout FROM libros_head")?.get(0);
        Ok(layout == FILLING || self.changes.len() > PIECE || bytes > PIECE_BYTES)
    }

    /// The position of the log once all is stored.
    pub(super) fn position(&self) -> Position {
        Position { number: 1, token: Some(self.source.clone()) }
    }

    /// Repeats `step` until all is stored; `false` if the database held something else. Tries failed steps again.
    pub(super) fn in_pieces(
        &mut self,
        mut step: impl FnMut(&mut Self) -> anyhow::Result<Step>,
    ) -> anyhow::Result<bool> {
        let (mut stored, mut failures) = (None, 0);
        loop {
            match step(self) {
                Ok(Step::Stored(done)) => {
                    if Some(done) != stored {
                        self.log_progress(stored, done);
                        (stored, failures) = (Some(done), 0);
                    }
                }
                Ok(Step::Filled) => return Ok(true),
                Ok(Step::NotEmpty) => return Ok(false),
                Err(error) if failures == RETRIES_MAX || error.is::<Foreign>() => return Err(error),
                Err(error) => {
                    failures += 1;
                    tracing::warn!(
                        why = format!("{error:#}"),
                        "a piece of the initial collection could not be stored; tried again"
                    );
                    threads::sleep(PAUSE);
                }
            }
        }
    }

    /// Begins, stores the next piece, or ends.
    pub(super) fn store_next(&mut self, client: &DatabaseClient) -> anyhow::Result<Step> {
        let Some(done) = self.done(client)? else {
            if self.has_begun {
                // Another server has finished the fill, with the same collection.
                return Ok(Step::Filled);
            }
            self.has_begun = self.begin(client)?;
            return Ok(if self.has_begun { Step::Stored(0) } else { Step::NotEmpty });
        };
        self.has_begun = true;
        if done == self.changes.len() {
            self.end(client)?;
            return Ok(Step::Filled);
        }
        let next = self.end_of_piece(done);
        client.with_patience(2, |client| client.in_transaction(BEGIN, |client| self.store(client, done, next)))?;
        Ok(Step::Stored(next))
    }

    /// The number of stored changes, if a fill has begun.
    fn done(&self, client: &DatabaseClient) -> anyhow::Result<Option<usize>> {
        let Some(row) = client.query_opt("SELECT token, changes FROM libros_log WHERE number = 0", &[])? else {
            return Ok(None);
        };
        let (done, all): (usize, usize) = serde_json::from_str(row.get(1)).context("entry 0 of the log")?;
        ensure!(row.get::<_, &str>(0) == self.source, Foreign { done, all });
        Ok(Some(done))
    }

    /// The text of entry 0 of the log while `done` changes are stored.
    fn state(&self, done: usize) -> String {
        format!("[{done},{}]", self.changes.len())
    }

    /// Takes the first entry of the log; `false` if another server took it first.
    fn begin(&self, client: &DatabaseClient) -> anyhow::Result<bool> {
        client.in_transaction(BEGIN, |client| {
            let first = "UPDATE libros_head SET number = 1, layout = $1 WHERE number = 0";
            if client.execute(first, &[&FILLING])? == 0 {
                return Ok(false);
            }
            let entries = "INSERT INTO libros_log (number, token, changes) VALUES (0, $1, $2), (1, $1, '[]')";
            client.execute(entries, &[&self.source, &self.state(0)])?;
            Ok(true)
        })
    }

    fn end_of_piece(&self, from: usize) -> usize {
        let mut room = PIECE_BYTES;
        let rest = self.changes[from..].iter().take(PIECE);
        let fitting = rest.take_while(|change| {
            let has_room = room > 0;
            room = room.saturating_sub(bytes(change));
            has_room
        });
        from + fitting.count()
    }

    /// Stores a piece, unless another server has stored it meanwhile.
    fn store(&self, client: &DatabaseClient, from: usize, to: usize) -> anyhow::Result<()> {
        let step = "UPDATE libros_log SET changes = $1 WHERE number = 0 AND token = $2 AND changes = $3";
        if client.execute(step, &[&self.state(to), &self.source, &self.state(from)])? == 0 {
            return Ok(());
        }
        let mut net = Net::default();
        for (place, change) in (from..to).zip(&self.changes[from..to]) {
            net.add(place.try_into()?, change.clone());
        }
        Ok(net.write(client)?)
    }

    fn end(&self, client: &DatabaseClient) -> anyhow::Result<()> {
        client.in_transaction(BEGIN, |client| {
            let last = "DELETE FROM libros_log WHERE number = 0 AND token = $1";
            if client.execute(last, &[&self.source])? == 1 {
                client.execute("UPDATE libros_head SET layout = $1", &[&LAYOUT])?;
            }
            Ok(())
        })
    }

    /// Logs the progress, about ten times in all.
    fn log_progress(&self, before: Option<usize>, done: usize) {
        let (all, tenth) = (self.changes.len(), |done: usize| done * 10 / self.changes.len().max(1));
        if before.map(tenth) != Some(tenth(done)) {
            tracing::info!(done, all, "the database is being filled");
        }
    }
}

fn bytes(change: &Change) -> usize {
    if let Change::Put { key, doc, .. } = change { key.len() + doc.len() } else { 0 }
}
