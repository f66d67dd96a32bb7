//! Fills an empty database in pieces, when the initial collection is too large for one entry of the log. A fill that was cut short is resumed.
//!
//! Until the last piece is stored the head has a layout number for "filling", so that no server takes a part for the whole. Entry 0 of the log
//! says what is being filled in and how far. Each piece is committed together with its step of entry 0: so several servers may fill the same
//! database at once, or one after the other.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};

use super::client::Client;
use super::fold::Net;
use super::tables::{FILLING, LAYOUT};
use crate::cluster::encoding::encoded;
use crate::cluster::log::Position;
use crate::cluster::threads;
use crate::record::Change;

/// Changes, and bytes of their documents, from which on they are brought in pieces, and at which a piece ends.
const PIECE: usize = 2_000;
const PIECE_BYTES: usize = 1 << 20;

/// How often in a row a piece may fail.
const FAILURES: usize = 10;
const PAUSE: Duration = Duration::from_secs(1);

/// The database lets another go on in the place of one that falls silent within a piece.
const BEGIN: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 60000";

/// Another brings something else.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is being filled with something else, of which {done} of {all} changes are there: import the same file again, or start a \
     server with the same --books, and it is gone on with; or give an empty database"
)]
pub(super) struct Foreign {
    done: usize,
    all: usize,
}

/// Changes on their way into an empty database.
pub(super) struct Filling<'a> {
    changes: &'a [Change],
    /// A digest of the changes, which is the token of the first entry, too.
    source: String,
    has_begun: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// So many changes are there.
    There(usize),
    /// All are there, and servers may start.
    Filled,
    /// The database has held something before any of them.
    Held,
}

impl<'a> Filling<'a> {
    pub(super) fn of(changes: &'a [Change]) -> Self {
        let mut digest = Sha256::new();
        for change in changes {
            digest.update(encoded(std::slice::from_ref(change)));
        }
        Self { changes, source: hex::encode(&digest.finalize()[..12]), has_begun: false }
    }

    /// Whether the changes are brought in pieces: they are many, or pieces are there already, be they of something else.
    pub(super) fn is_due(&self, client: &Client) -> anyhow::Result<bool> {
        let bytes: usize = self.changes.iter().map(bytes).sum();
        let layout: i32 = client.query_one("SELECT layout FROM libros_head")?.get(0);
        Ok(layout == FILLING || self.changes.len() > PIECE || bytes > PIECE_BYTES)
    }

    /// Where the log is once all is there.
    pub(super) fn position(&self) -> Position {
        Position { number: 1, token: Some(self.source.clone()) }
    }

    /// Whether all is there in the end, and nothing else; goes on where `step` fails, as long as anything comes to be there.
    pub(super) fn in_pieces(
        &mut self,
        mut step: impl FnMut(&mut Self) -> anyhow::Result<Step>,
    ) -> anyhow::Result<bool> {
        let (mut there, mut failures) = (None, 0);
        loop {
            match step(self) {
                Ok(Step::There(done)) => {
                    if Some(done) != there {
                        (there, failures) = (Some(done), 0);
                        self.log_progress(done);
                    }
                }
                Ok(Step::Filled) => return Ok(true),
                Ok(Step::Held) => return Ok(false),
                Err(error) if failures == FAILURES || error.is::<Foreign>() => return Err(error),
                Err(error) => {
                    failures += 1;
                    tracing::warn!(
                        why = format!("{error:#}"),
                        "a piece of what fills the database is not there; tried again"
                    );
                    threads::sleep(PAUSE);
                }
            }
        }
    }

    /// Begins, brings the next piece, or ends.
    pub(super) fn go_on(&mut self, client: &Client) -> anyhow::Result<Step> {
        let Some(done) = self.done(client)? else {
            if self.has_begun {
                // Only who brings the same ends it.
                return Ok(Step::Filled);
            }
            self.has_begun = self.begin(client)?;
            return Ok(if self.has_begun { Step::There(0) } else { Step::Held });
        };
        self.has_begun = true;
        if done == self.changes.len() {
            self.end(client)?;
            return Ok(Step::Filled);
        }
        let next = self.end_of_piece(done);
        client.with_patience(2, |client| client.in_transaction(BEGIN, |client| self.bring(client, done, next)))?;
        Ok(Step::There(next))
    }

    /// How many changes are there already, if anything is being brought.
    fn done(&self, client: &Client) -> anyhow::Result<Option<usize>> {
        let Some(row) = client.query_opt("SELECT token, changes FROM libros_log WHERE number = 0", &[])? else {
            return Ok(None);
        };
        let (done, all): (usize, usize) = serde_json::from_str(row.get(1)).context("entry 0 of the log")?;
        ensure!(row.get::<_, &str>(0) == self.source, Foreign { done, all });
        Ok(Some(done))
    }

    /// Entry 0 of the log while `done` changes are there.
    fn state(&self, done: usize) -> String {
        format!("[{done},{}]", self.changes.len())
    }

    /// Takes the place of the first entry, so that who has found the database empty as well comes second.
    fn begin(&self, client: &Client) -> anyhow::Result<bool> {
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

    /// Nothing, if another has brought the piece meanwhile.
    fn bring(&self, client: &Client, from: usize, to: usize) -> anyhow::Result<()> {
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

    fn end(&self, client: &Client) -> anyhow::Result<()> {
        client.in_transaction(BEGIN, |client| {
            let last = "DELETE FROM libros_log WHERE number = 0 AND token = $1";
            if client.execute(last, &[&self.source])? == 1 {
                client.execute("UPDATE libros_head SET layout = $1", &[&LAYOUT])?;
            }
            Ok(())
        })
    }

    /// Says how far it is, ten times in all.
    fn log_progress(&self, done: usize) {
        let (all, tenth) = (self.changes.len(), |done: usize| done * 10 / self.changes.len().max(1));
        if tenth(done) != tenth(done.saturating_sub(PIECE)) || done == 0 {
            tracing::info!(done, all, "the database is being filled");
        }
    }
}

fn bytes(change: &Change) -> usize {
    if let Change::Put { key, doc, .. } = change { key.len() + doc.len() } else { 0 }
}
