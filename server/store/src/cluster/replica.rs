//! The store of one replica: appends a commit to the log that replicas share, if it knows every entry. It adds an entry again if it is in
//! doubt whether the entry was added: the entry has one place and one token, so it counts once. Knows no database.

use std::time::Duration;

use anyhow::Context as _;

use super::background::Background;
use super::defect::Defect;
use super::encoding::{decoded, encoded};
use super::log::{AppendError, Appended, Filled, Position, Tail};
use super::postgres::{PostgresLog, openings};
use super::threads;
use crate::interface::{Bell, NotDurable, Sharing, Store};
use crate::record::{Change, Loaded, Unreadable};
use libros_server_system::clock::{Clock, Stopwatch};
use libros_server_system::entropy::Entropy;

/// How often, and for how long, an entry in doubt is added again.
const ADDED_AT_MOST: usize = 200;
const ADDED_WITHIN: Duration = Duration::from_secs(10);
/// How long to wait between these tries.
const PAUSE: Duration = Duration::from_millis(50);

/// Entries from one fold into the snapshot to the next.
const FOLD_EVERY: i64 = 1024;

/// How long the log must lack entries that were read before they count as lost. By then a new connection has been asked, too.
const LOST_AFTER: Duration = Duration::from_secs(1);

struct Replica {
    log: PostgresLog,
    background: Background,
    sharing: Sharing,
    position: Position,
    folded: i64,
    /// Since when the log has lacked entries that were read before.
    lacks_since: Option<Stopwatch>,
    entropy: Entropy,
}

/// Joins the replicas on the database at `url`: makes missing tables, and reads everything. Fails if it cannot, or a later version uses it.
pub fn join_replicas(
    url: &str,
    sharing: Sharing,
    entropy: &Entropy,
    clock: &Clock,
) -> anyhow::Result<(impl Store + use<>, Loaded)> {
    let open = openings(url, clock)?;
    let (mut log, background, entropy) = (open(), Background::new(open), entropy.clone());
    let (position, rows) = log.load()?;
    // The first commit that is not in a hurry folds: a start does not know how far the log is folded.
    Ok((Replica { log, background, sharing, position, folded: 0, lacks_since: None, entropy }, rows.into_loaded()))
}

impl Replica {
    fn append(&mut self, token: &str, changes: &str) -> anyhow::Result<Appended> {
        let (mut in_doubt, since) = (None, Stopwatch::start());
        for _ in 0..ADDED_AT_MOST {
            let after = self.position.number;
            let in_turn = self.background.append(after, token, changes);
            match in_turn.unwrap_or_else(|| self.log.append(after, token, changes)) {
                Ok(Appended::NotLast) if in_doubt.is_some() && !Defect::ForgetsDoubt.is_back() => {
                    // The place is taken: by the entry in doubt, or by another?
                    match self.log.read(&self.position) {
                        Ok(Tail::Entries { entries, .. }) => {
                            let is_own = entries.first().is_some_and(|first| first.token == token);
                            return Ok(if is_own { Appended::Added } else { Appended::NotLast });
                        }
                        Ok(Tail::Folded) => anyhow::bail!("the entry in doubt was folded away before it was found"),
                        Ok(Tail::Lost(why)) => anyhow::bail!("{why}: the entry in doubt cannot be looked for"),
                        Err(_) => {}
                    }
                }
                Ok(appended) => return Ok(appended),
                Err(AppendError::Refused(error)) if in_doubt.is_none() => return Err(error),
                Err(AppendError::Refused(error) | AppendError::InDoubt(error)) => in_doubt = Some(error),
                Err(AppendError::Silent(error)) => {
                    in_doubt = Some(error);
                    break;
                }
            }
            if since.elapsed() > ADDED_WITHIN {
                break;
            }
            threads::sleep(PAUSE);
        }
        Err(in_doubt.unwrap_or_else(|| anyhow::anyhow!("it was never tried"))).context(
            "IT IS NOT KNOWN WHETHER CHANGES WERE STORED: they were answered as failed, and may come to be there",
        )
    }
}

impl Store for Replica {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        if self.position.number == 0 {
            match self.log.fill(changes)? {
                Filled::Append => {}
                Filled::At(position) => {
                    self.position = position;
                    return Ok(());
                }
                Filled::Overtaken => return Err(NotDurable::Overtaken.into()),
            }
        }
        let token = self.entropy.hex::<12>();
        match self.append(&token, &encoded(changes))? {
            Appended::Added => {
                self.position = Position { number: self.position.number + 1, token: Some(token) };
                Ok(())
            }
            Appended::NotLast => Err(NotDurable::Overtaken.into()),
        }
    }

    fn sharing(&self) -> Sharing {
        self.sharing
    }

    fn news(&mut self) -> anyhow::Result<Vec<Change>> {
        let mut news = Vec::new();
        let mut position = self.position.clone();
        loop {
            let tail = self.log.read(&position)?;
            if let Tail::Lost(why) = &tail {
                let since = *self.lacks_since.get_or_insert_with(Stopwatch::start);
                anyhow::ensure!(since.elapsed() >= LOST_AFTER, "{why}");
                tracing::error!(
                    why,
                    "THE DATABASE HAS LOST ENTRIES that this replica had read: it reads everything again"
                );
            }
            self.lacks_since = None;
            let Tail::Entries { entries, is_whole } = tail else {
                // The log no longer reaches back to this position, or has lost it.
                let (position, rows) = self.log.load()?;
                self.position = position;
                return Ok(rows.into_changes());
            };
            for entry in entries {
                let number = entry.number;
                anyhow::ensure!(number == position.number + 1, "entry {} of the log is missing", position.number + 1);
                news.append(&mut decoded(&entry.changes).with_context(|| format!("entry {number} of the log"))?);
                position = Position { number, token: Some(entry.token) };
            }
            if is_whole {
                self.position = position;
                return Ok(news);
            }
        }
    }

    fn ask_turn(&mut self, bell: &Bell) {
        self.background.ask_turn(bell);
    }

    fn turn(&mut self) -> Option<anyhow::Result<()>> {
        self.background.turn()
    }

    fn pass(&mut self) {
        self.background.pass();
    }

    fn maintain(&mut self, idle: bool) {
        if !idle || self.position.number < self.folded + FOLD_EVERY {
            return;
        }
        // The next try comes after as many more entries, not with every commit.
        self.folded = self.position.number;
        if let Err(error) = self.background.fold(self.position.number) {
            tracing::warn!(why = format!("{error:#}"), "the log cannot be folded; it stays as it is");
        }
    }

    fn quarantine(&mut self, unreadable: &[Unreadable]) -> anyhow::Result<()> {
        anyhow::bail!(
            "{} records that replicas share cannot be read by this one: they are not touched, since others may",
            unreadable.len()
        )
    }
}
