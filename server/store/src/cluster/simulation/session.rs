//! A session of the simulated PostgreSQL: the statements of the log, with their locks and limits. Sessions wait for the head's row, and end
//! if they idle in a transaction. It cannot fold or fill: `trials` tests that.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::{sleep, timeout};

use super::database::{Data, Database};
use super::scheduler::BEGIN;
use crate::cluster::encoding::decoded;
use crate::cluster::threads::locked;
use crate::record::Change;

/// From 1970 to 2000, where the database's time begins.
const EPOCH: Duration = Duration::from_secs(946_684_800);

const READ_ONLY: &str = "25006";
pub(super) const IDLE: &str = "25P03";
const NO_TABLE: &str = "42P01";
const LOCKED: &str = "55P03";

const LONG: u32 = 20;
const INT: u32 = 23;
const TEXT: u32 = 25;
const BYTES: u32 = 17;
const BOOL: u32 = 16;
const TIME: u32 = 1184;

type Rows = Vec<Vec<Option<Vec<u8>>>>;

/// The rows of a statement, and its tag.
pub(super) type Answer = (Rows, &'static str);

/// A part of a question, the types of its parameters and of its columns, and its rows.
type Question = (&'static str, &'static [u32], &'static [u32], fn(&Session, &Data, &[Vec<u8>]) -> Rows);

/// The questions of the log. Of those that fit the first counts.
static QUESTIONS: [Question; 11] = [
    ("LEFT JOIN libros_log", &[LONG], &[LONG, LONG, TEXT, TEXT, TIME], |session, data, parameters| {
        let (after, last) = (number(&parameters[0]), data.log.len());
        let found = after.max(data.folded + 1)..=last.min(after + 256);
        let row = |place: usize| {
            let [number, token, changes] = entry(data, place);
            vec![long(last), number, token, if place == after { Some(vec![]) } else { changes }, session.now()]
        };
        let rows: Rows = found.map(row).collect();
        if rows.is_empty() { vec![vec![long(last), None, None, Some(vec![]), session.now()]] } else { rows }
    }),
    ("EXISTS", &[], &[INT, BOOL, BOOL, BOOL], |_, _, _| {
        vec![vec![int(1), Some(vec![1]), Some(vec![0]), Some(vec![0])]]
    }),
    ("server_encoding", &[], &[TEXT], |_, _, _| vec![vec![Some(b"UTF8".to_vec())]]),
    ("clock_timestamp", &[], &[TIME], |session, _, _| vec![vec![session.now()]]),
    ("SELECT number, layout", &[], &[LONG, INT], |_, data, _| vec![vec![long(data.log.len()), int(1)]]),
    ("SELECT layout", &[], &[INT], |_, _, _| vec![vec![int(1)]]),
    ("FROM libros_kind", &[], &[TEXT], |_, _, _| vec![vec![Some(b"books".to_vec())]]),
    ("FROM libros_state", &[], &[TEXT, BYTES, TEXT], |_, data, _| {
        let changes = data.log[..data.folded].iter().flat_map(|(_, changes)| decoded(changes).expect("as written"));
        changes.map(state_row).collect()
    }),
    ("FROM libros_folded", &[], &[LONG], |_, data, _| vec![vec![long(data.folded)]]),
    ("SELECT number, token, changes", &[LONG], &[LONG, TEXT, TEXT], |_, data, parameters| {
        let found = number(&parameters[0]).max(data.folded) + 1..=data.log.len();
        found.map(|place| entry(data, place).into()).collect()
    }),
    ("pg_walfile_name", &[], &[TEXT, TEXT], |session, _, _| {
        vec![session.database.sight(session.node).map(|text| Some(text.into_bytes())).into()]
    }),
];

pub(super) fn question(sql: &str) -> &'static Question {
    let known = QUESTIONS.iter().find(|(part, ..)| sql.contains(part));
    known.unwrap_or_else(|| panic!("the simulated database does not know: {sql}"))
}

pub(super) enum Failure {
    Error(&'static str),
    /// The session ends with it.
    Ended,
}

pub(super) struct Session {
    database: Arc<Database>,
    node: usize,
    locked_at_most: Duration,
    pub(super) transaction: Transaction,
}

#[derive(Default)]
pub(super) struct Transaction {
    held: Option<OwnedMutexGuard<()>>,
    /// What it reads, where that does not change.
    snapshot: Option<Data>,
    added: Option<(String, String)>,
    pub(super) is_open: bool,
    pub(super) has_failed: bool,
    pub(super) idle_at_most: Option<Duration>,
}

impl Session {
    /// A session at `node`, if that is up.
    pub(super) fn open(database: &Arc<Database>, node: usize) -> Option<Self> {
        let (database, transaction) = (Arc::clone(database), Transaction::default());
        (!database.is_down(node)).then_some(Self { database, node, locked_at_most: Duration::MAX, transaction })
    }

    fn data(&self) -> Data {
        let state = locked(&self.database.state);
        self.transaction.snapshot.clone().unwrap_or_else(|| state.nodes[self.node].data.clone())
    }

    fn may_write(&self, needs_tables: bool) -> Result<(), Failure> {
        let state = locked(&self.database.state);
        let node = &state.nodes[self.node];
        match () {
            () if !node.leads => Err(Failure::Error(READ_ONLY)),
            () if needs_tables && !node.data.has_tables => Err(Failure::Error(NO_TABLE)),
            () => Ok(()),
        }
    }

    async fn lock_head(&mut self) -> Result<(), Failure> {
        self.may_write(true)?;
        if self.transaction.held.is_none() {
            let head = Arc::clone(&locked(&self.database.state).nodes[self.node].head);
            let held = timeout(self.locked_at_most, head.lock_owned()).await;
            self.transaction.held = Some(held.map_err(|_| Failure::Error(LOCKED))?);
        }
        Ok(())
    }

    async fn commit(&mut self, change: impl Fn(&mut Data)) -> Result<(), Failure> {
        let Database { dice, swallowed, .. } = &*self.database;
        sleep(Duration::from_millis(dice.below(4) as u64)).await;
        loop {
            let released = {
                let state = locked(&self.database.state);
                let node = &state.nodes[self.node];
                if state.leader == self.node || node.is_alone {
                    break;
                }
                Arc::clone(&node.released).notified_owned()
            };
            released.await;
        }
        let state = &mut *locked(&self.database.state);
        for (place, node) in state.nodes.iter_mut().enumerate() {
            if place == self.node || (state.leader == self.node && !node.leads) {
                change(&mut node.data);
            }
        }
        if dice.below(1000) < swallowed.load(Ordering::Relaxed) {
            return Err(Failure::Ended);
        }
        Ok(())
    }

    async fn add(&mut self, after: usize, token: String, changes: String) -> Result<Answer, Failure> {
        self.lock_head().await?;
        if self.data().log.len() != after {
            if !self.transaction.is_open {
                self.transaction.held = None;
            }
            return Ok((vec![], "INSERT 0 0"));
        }
        self.transaction.added = Some((token, changes));
        if !self.transaction.is_open {
            self.commit_added().await?;
        }
        Ok((vec![], "INSERT 0 1"))
    }

    async fn commit_added(&mut self) -> Result<(), Failure> {
        let outcome = match self.transaction.added.take() {
            Some(added) => self.commit(|data| data.log.push(added.clone())).await,
            None => Ok(()),
        };
        self.transaction = Transaction::default();
        outcome
    }

    /// One statement of those that the log knows.
    pub(super) async fn execute(&mut self, sql: &str, parameters: &[Vec<u8>]) -> Result<Answer, Failure> {
        let has = |part: &str| sql.contains(part);
        if has("WITH head AS") {
            let (after, token, changes) = added(sql);
            return self.add(after, token, changes).await;
        } else if has("FOR KEY SHARE") {
            self.may_write(true)?;
            self.commit(|_| ()).await?;
        } else if has("FOR NO KEY UPDATE") {
            self.lock_head().await?;
        } else if has("BEGIN") {
            self.transaction.is_open = true;
            self.transaction.snapshot = has("REPEATABLE READ").then(|| self.data());
        } else if has("COMMIT") {
            self.commit_added().await?;
        } else if has("ROLLBACK") {
            self.transaction = Transaction::default();
        } else if let Some(limit_ms) = setting(sql, "lock_timeout") {
            self.locked_at_most = Duration::from_millis(limit_ms);
        } else if let Some(limit_ms) = setting(sql, "idle_in_transaction_session_timeout") {
            self.transaction.idle_at_most = Some(Duration::from_millis(limit_ms)).filter(|limit| !limit.is_zero());
        } else if has("INSERT INTO libros_head") {
            self.may_write(false)?;
            self.commit(|data| data.has_tables = true).await?;
        } else if !["SET ", "set_config", "CREATE TABLE", "INSERT INTO libros_folded"].into_iter().any(has) {
            return self.read(sql, parameters);
        }
        Ok((vec![], "DONE"))
    }

    fn read(&self, sql: &str, parameters: &[Vec<u8>]) -> Result<Answer, Failure> {
        let ((.., rows), data) = (question(sql), self.data());
        if sql.contains("libros_") && !data.has_tables {
            return Err(Failure::Error(NO_TABLE));
        }
        Ok((rows(self, &data, parameters), "SELECT 1"))
    }

    fn now(&self) -> Option<Vec<u8>> {
        let now = BEGIN + self.database.begun.elapsed() - EPOCH;
        Some((now.as_micros() as i64).to_be_bytes().to_vec())
    }
}

/// The place, token and changes that the text of a statement adds.
fn added(sql: &str) -> (usize, String, String) {
    let quoted: Vec<&str> = sql.split('\'').collect();
    let after = sql.split("WHERE number = ").nth(1).and_then(|rest| rest.split(' ').next());
    let after = after.and_then(|after| after.parse().ok()).expect("a number");
    (after, quoted[1].to_owned(), quoted[3].to_owned())
}

/// What a statement sets `name` to.
fn setting(sql: &str, name: &str) -> Option<u64> {
    let (_, value) = sql.split_once(name)?;
    value.trim_start_matches([' ', '=']).trim().parse().ok()
}

/// An entry's number, token and changes.
fn entry(data: &Data, place: usize) -> [Option<Vec<u8>>; 3] {
    let (token, changes) = &data.log[place - 1];
    [long(place), Some(token.as_bytes().to_vec()), Some(changes.as_bytes().to_vec())]
}

fn state_row(change: Change) -> Vec<Option<Vec<u8>>> {
    let Change::Put { kind, key, doc } = change else { panic!("clients only put") };
    [kind.0.as_bytes(), key.as_bytes(), doc.as_bytes()].map(|field| Some(field.to_vec())).into()
}

fn long(number: usize) -> Option<Vec<u8>> {
    Some((number as i64).to_be_bytes().to_vec())
}

fn int(number: i32) -> Option<Vec<u8>> {
    Some(number.to_be_bytes().to_vec())
}

fn number(bytes: &[u8]) -> usize {
    i64::from_be_bytes(bytes.try_into().expect("eight bytes")) as usize
}
