//! PostgreSQL as the log asks it: of two nodes one leads, and what that one commits is on the other before it is confirmed.
//!
//! Sessions wait for the head's row as they do there, and are ended when they are idle in a transaction. A leader that was replaced and does not
//! know of it answers reads, and its commits wait for a standby, unseen. Where it is made to wait for none, they are seen, and are lost
//! when it is stopped. Folding and filling are not here: `trials` tries them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Mutex as Row, Notify, OwnedMutexGuard};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use super::dice::Dice;
use super::scheduler::{BEGIN, locked};
use crate::cluster::encoding::decoded;
use crate::record::Change;

pub(super) const NODES: usize = 2;

/// From 1970 to 2000, where the database's time begins.
const EPOCH: Duration = Duration::from_secs(946_684_800);

const ELECTED_AT_MOST_EVERY: Duration = Duration::from_secs(6);
/// How long a new leader commits alone, and how long one at most that waits for a standby no more.
const ALONE_MS: usize = 3_000;

const READ_ONLY: &str = "25006";
pub(super) const IDLE: &str = "25P03";
const NO_TABLE: &str = "42P01";
const LOCKED: &str = "55P03";

#[derive(Clone, Default)]
struct Data {
    has_tables: bool,
    /// Token and changes of each entry.
    log: Vec<(String, String)>,
    /// Entries up to here are in the snapshot, and no longer in the log.
    folded: usize,
}

#[derive(Default)]
struct Node {
    data: Data,
    is_down: bool,
    /// Whether it takes itself for the leader.
    leads: bool,
    /// Since when it leads.
    timeline: u32,
    /// Whether it commits without a standby, whoever leads.
    is_alone: bool,
    /// Notified when it does.
    released: Arc<Notify>,
    head: Arc<Row<()>>,
    sessions: Vec<AbortHandle>,
}

#[derive(Default)]
struct State {
    nodes: [Node; NODES],
    leader: usize,
    elected: Option<Duration>,
}

pub(super) struct Database {
    state: Mutex<State>,
    begun: Instant,
    dice: Dice,
    /// Of a thousand commits these lose their answer.
    pub(super) swallowed: AtomicUsize,
}

impl Database {
    pub(super) fn new(dice: Dice, begun: Instant) -> Arc<Self> {
        let database = Self { state: Mutex::default(), begun, dice, swallowed: AtomicUsize::new(0) };
        locked(&database.state).nodes[0].leads = true;
        Arc::new(database)
    }

    /// A session at `node`, if that is up.
    pub(super) fn session(self: &Arc<Self>, node: usize) -> Option<Session> {
        let at = &locked(&self.state).nodes[node];
        (!at.is_down).then(|| Session::new(Arc::clone(self), node, Arc::clone(&at.head)))
    }

    /// Remembers who serves a session at `node`.
    pub(super) fn serves(&self, node: usize, session: AbortHandle) {
        let sessions = &mut locked(&self.state).nodes[node].sessions;
        sessions.retain(|session| !session.is_finished());
        sessions.push(session);
    }

    /// Ends all sessions at `node`, and takes no others while it is down.
    pub(super) fn stop(&self, node: usize, is_down: bool) {
        let at = &mut locked(&self.state).nodes[node];
        at.is_down = is_down;
        at.sessions.drain(..).for_each(|session| session.abort());
    }

    pub(super) fn is_down(&self, node: usize) -> bool {
        locked(&self.state).nodes[node].is_down
    }

    /// Lets the other node lead; the leader so far is not told. None leads again as soon as the lease excludes.
    pub(super) fn fail_over(&self) {
        let now = self.begun.elapsed();
        let is_alone = |state: &State| state.nodes[state.leader].is_alone;
        if locked(&self.state).elected.is_some_and(|elected| now < elected + ELECTED_AT_MOST_EVERY)
            || is_alone(&locked(&self.state))
        {
            return;
        }
        self.rejoin();
        let state = &mut *locked(&self.state);
        let timeline = state.nodes[state.leader].timeline + 1;
        state.elected = Some(now);
        state.leader = (state.leader + 1) % NODES;
        let leader = &mut state.nodes[state.leader];
        (leader.leads, leader.timeline, leader.is_alone) = (true, timeline, false);
    }

    /// Tells a leader that was replaced. All that was committed there alone is lost.
    pub(super) fn rejoin(&self) {
        let mut state = locked(&self.state);
        let (leader, data) = (state.leader, state.nodes[state.leader].data.clone());
        state.nodes[leader].is_alone = false;
        let replaced = state.nodes.iter_mut().enumerate().filter(|(place, node)| node.leads && *place != leader);
        for (_, node) in replaced {
            node.data = data.clone();
            (node.leads, node.is_alone) = (false, false);
            node.sessions.drain(..).for_each(|session| session.abort());
        }
    }

    /// Makes the leader that was replaced, or the one that leads where none was, wait for a standby no more, until it rejoins.
    pub(super) fn release(self: &Arc<Self>) {
        let state = &mut *locked(&self.state);
        let replaced = (0..NODES).find(|place| state.nodes[*place].leads && *place != state.leader);
        let node = &mut state.nodes[replaced.unwrap_or(state.leader)];
        if replaced.is_some() && node.timeline > 0 {
            // The second within thirty seconds.
            return;
        }
        node.is_alone = true;
        node.released.notify_waiters();
        let (database, lasts) = (Arc::clone(self), self.dice.up_to_ms(ALONE_MS));
        tokio::spawn(async move {
            sleep(lasts).await;
            database.rejoin();
        });
    }

    /// Folds the older half of the log into the snapshot.
    pub(super) fn forget_entries(&self) {
        let state = &mut *locked(&self.state);
        let folded = state.nodes[state.leader].data.log.len() / 2;
        state.nodes.iter_mut().for_each(|node| node.data.folded = folded.min(node.data.log.len()));
    }

    /// The changes of all entries.
    pub(super) fn log(&self) -> Vec<String> {
        let state = locked(&self.state);
        state.nodes[state.leader].data.log.iter().map(|(_, changes)| changes.clone()).collect()
    }
}

pub(super) struct Answer {
    pub(super) rows: Vec<Vec<Option<Vec<u8>>>>,
    pub(super) tag: &'static str,
}

impl Answer {
    pub(super) fn done(tag: &'static str) -> Self {
        Self { rows: Vec::new(), tag }
    }
}

/// Why a statement has no result.
pub(super) enum Failure {
    Error(&'static str),
    /// The session ends with it.
    Ended,
}

pub(super) struct Session {
    database: Arc<Database>,
    node: usize,
    head: Arc<Row<()>>,
    held: Option<OwnedMutexGuard<()>>,
    /// What its transaction reads, where that does not change.
    snapshot: Option<Data>,
    added: Option<(String, String)>,
    pub(super) is_open: bool,
    pub(super) has_failed: bool,
    locked_at_most: Duration,
    /// How long it may be idle in a transaction.
    pub(super) idle_at_most: Option<Duration>,
}

impl Session {
    fn new(database: Arc<Database>, node: usize, head: Arc<Row<()>>) -> Self {
        Self {
            database,
            node,
            head,
            held: None,
            snapshot: None,
            added: None,
            is_open: false,
            has_failed: false,
            locked_at_most: Duration::MAX,
            idle_at_most: None,
        }
    }

    fn data(&self) -> Data {
        let state = locked(&self.database.state);
        self.snapshot.clone().unwrap_or_else(|| state.nodes[self.node].data.clone())
    }

    pub(super) fn end_transaction(&mut self) {
        (self.held, self.snapshot, self.added, self.idle_at_most) = (None, None, None, None);
        (self.is_open, self.has_failed) = (false, false);
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
        if self.held.is_none() {
            let held = timeout(self.locked_at_most, Arc::clone(&self.head).lock_owned()).await;
            self.held = Some(held.map_err(|_| Failure::Error(LOCKED))?);
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
            if !self.is_open {
                self.held = None;
            }
            return Ok(Answer::done("INSERT 0 0"));
        }
        self.added = Some((token, changes));
        if !self.is_open {
            self.commit_added().await?;
        }
        Ok(Answer::done("INSERT 0 1"))
    }

    async fn commit_added(&mut self) -> Result<(), Failure> {
        let added = self.added.take();
        let outcome = match added {
            Some(added) => self.commit(|data| data.log.push(added.clone())).await,
            None => Ok(()),
        };
        self.end_transaction();
        outcome
    }

    /// One statement of those that the log knows.
    pub(super) async fn execute(&mut self, sql: &str, parameters: &[Vec<u8>]) -> Result<Answer, Failure> {
        let has = |part: &str| sql.contains(part);
        if has("WITH head AS") {
            let (after, token, changes) = added(sql, parameters);
            return self.add(after, token, changes).await;
        } else if has("FOR KEY SHARE") {
            self.may_write(true)?;
            self.commit(|_| ()).await?;
        } else if has("FOR NO KEY UPDATE") {
            self.lock_head().await?;
        } else if has("BEGIN") {
            self.is_open = true;
            self.snapshot = has("REPEATABLE READ").then(|| self.data());
        } else if has("COMMIT") {
            self.commit_added().await?;
        } else if has("ROLLBACK") {
            self.end_transaction();
        } else if let Some(limit_ms) = setting(sql, "lock_timeout") {
            self.locked_at_most = Duration::from_millis(limit_ms);
        } else if let Some(limit_ms) = setting(sql, "idle_in_transaction_session_timeout") {
            self.idle_at_most = Some(Duration::from_millis(limit_ms)).filter(|limit| !limit.is_zero());
        } else if has("INSERT INTO libros_head") {
            self.may_write(false)?;
            self.commit(|data| data.has_tables = true).await?;
        } else if !["SET ", "set_config", "CREATE TABLE", "INSERT INTO libros_folded"].into_iter().any(has) {
            return self.read(sql, parameters);
        }
        Ok(Answer::done("DONE"))
    }

    fn read(&self, sql: &str, parameters: &[Vec<u8>]) -> Result<Answer, Failure> {
        let (has, data) = (|part: &str| sql.contains(part), self.data());
        let head = || long(data.log.len());
        let entry = |number: usize| {
            let (token, changes) = &data.log[number - 1];
            (long(number), Some(token.as_bytes().to_vec()), Some(changes.as_bytes().to_vec()))
        };
        let rows = if has("pg_walfile_name") {
            vec![self.sight()]
        } else if has("server_encoding") {
            vec![vec![Some(b"UTF8".to_vec())]]
        } else if has("SELECT clock_timestamp()") {
            vec![vec![self.now()]]
        } else if !data.has_tables {
            return Err(Failure::Error(NO_TABLE));
        } else if has("EXISTS") {
            vec![vec![int(1), Some(vec![1]), Some(vec![0]), Some(vec![0])]]
        } else if has("LEFT JOIN libros_log") {
            let (after, last) = (number(&parameters[0]), data.log.len());
            let found = after.max(data.folded + 1)..=last.min(after + 256);
            let row = |number: usize| {
                let (number_text, token, changes) = entry(number);
                vec![head(), number_text, token, if number == after { Some(vec![]) } else { changes }, self.now()]
            };
            let rows: Vec<_> = found.map(row).collect();
            if rows.is_empty() { vec![vec![head(), None, None, Some(vec![]), self.now()]] } else { rows }
        } else if has("SELECT number, layout") {
            vec![vec![head(), int(1)]]
        } else if has("SELECT layout") {
            vec![vec![int(1)]]
        } else if has("FROM libros_folded") {
            vec![vec![long(data.folded)]]
        } else if has("FROM libros_log WHERE number > $1") {
            let row = |number| Some(entry(number)).map(|(number, token, changes)| vec![number, token, changes]);
            (number(&parameters[0]).max(data.folded) + 1..=data.log.len()).filter_map(row).collect()
        } else if has("FROM libros_kind") {
            vec![vec![Some(b"books".to_vec())]]
        } else if has("FROM libros_state") {
            data.log[..data.folded]
                .iter()
                .flat_map(|(_, changes)| decoded(changes).expect("as written"))
                .map(state_row)
                .collect()
        } else {
            panic!("the simulated database does not know: {sql}");
        };
        Ok(Answer { rows, tag: "SELECT 1" })
    }

    /// The timeline, and the standbys that a commit waits for.
    fn sight(&self) -> Vec<Option<Vec<u8>>> {
        let state = locked(&self.database.state);
        let Node { timeline, is_alone, .. } = state.nodes[self.node];
        let until = state.elected.unwrap_or_default() + Duration::from_millis(ALONE_MS as u64);
        let is_new = timeline > 0 && state.leader == self.node && self.database.begun.elapsed() < until;
        let standbys = if is_alone || is_new { "" } else { "the other" };
        [format!("{timeline:08X}"), standbys.to_owned()].map(|text| Some(text.into_bytes())).into()
    }

    fn now(&self) -> Option<Vec<u8>> {
        let now = BEGIN + self.database.begun.elapsed() - EPOCH;
        Some((now.as_micros() as i64).to_be_bytes().to_vec())
    }
}

/// What a statement adds: of its parameters, or of its text.
fn added(sql: &str, parameters: &[Vec<u8>]) -> (usize, String, String) {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).expect("a text");
    if let [after, token, changes] = parameters {
        return (number(after), text(token), text(changes));
    }
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

/// A change as a row of the snapshot.
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
