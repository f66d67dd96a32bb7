//! The log in PostgreSQL, or in an engine that speaks its protocol and keeps to SQL.
//!
//! One row is the head. One statement adds an entry and increments the head's number, if the replica knows that number. The database
//! serializes these updates, so numbers have no gap and follow the order of commits. The SQL needs `WITH` around an `UPDATE`, `unnest`,
//! `ON CONFLICT`, `FOR UPDATE` and `FOR [NO] KEY ...`, `clock_timestamp()`; no `LISTEN`, no advisory lock, no sequence.
//!
//! A turn is a transaction that has locked the head's row. It ends with the entry that it adds, by the same statement as without a turn.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, ensure};
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::{SimpleQueryMessage, Statement};

use self::client::{DatabaseClient, Unanswered};
use self::fill::Filling;
use self::host_clock::HostClock;
use self::lease::Lease;
use self::target::Target;
use crate::cluster::defect::Defect;
use crate::cluster::log::{AppendError, Appended, Entry, Filled, Position, Tail};
use crate::cluster::threads;
use crate::record::Change;
use crate::rows::Rows;
use libros_server_system::clock::{Asked, Clock, Stopwatch};

mod client;
mod connection_string;
mod fill;
mod fold;
mod host_clock;
mod lease;
mod snapshot;
mod sockets;
mod standby;
mod tables;
mod target;
#[cfg(test)]
mod trials;

const APPEND: &str = "
    WITH head AS (UPDATE libros_head SET number = number + 1 WHERE number = $1 RETURNING number)
    INSERT INTO libros_log (number, token, changes) SELECT number, $2, $3 FROM head";

/// The database itself ends the turn of a server that falls silent, even if it does not notice that the connection is lost.
const HOLD: &str = "
    BEGIN; SET LOCAL idle_in_transaction_session_timeout = 1000; SELECT number FROM libros_head FOR NO KEY UPDATE";

/// Also returns the last entry read before, without its changes, which shows whether the log is still the same; and the database's time.
const READ: &str = "
    SELECT head.number, log.number, log.token, CASE WHEN log.number = $1 THEN '' ELSE log.changes END, clock_timestamp()
    FROM libros_head AS head LEFT JOIN libros_log AS log ON log.number >= $1 AND log.number <= $1 + 256
    ORDER BY log.number";

/// A multiple of the usual patience, for a fold.
const FOLD_PATIENCE_FACTOR: u32 = 10;

/// How long to wait before asking a host again that waits for no standby.
const STANDBY_WAIT_PAUSE: Duration = Duration::from_secs(1);
/// How long a start waits for a standby.
const STANDBY_WAIT_MAX: Duration = Duration::from_secs(30);

/// Bytes that even a slow database writes within the usual patience.
const WRITTEN_AT_LEAST: usize = 4 << 20;

/// The log, over one connection, which it reopens whenever it is lost.
pub(crate) struct PostgresLog {
    target: Arc<Target>,
    patience: Duration,
    host_clock: HostClock,
    lease: Arc<Lease>,
    connection: Option<LogConnection>,
    /// Whether this connection has the turn: an open transaction has locked the head.
    has_turn: bool,
}

struct LogConnection {
    client: DatabaseClient,
    /// The term in which the connection was opened.
    term: u64,
    /// Started before the last commit.
    proven: Stopwatch,
    /// Started at the last use. After a long idle time, or a stop of this process, the server may have been replaced.
    used: Stopwatch,
    read: Statement,
}

/// Returns a function that opens the log in the database at `url`, for each thread that needs it; makes missing tables.
pub(super) fn openings(url: &str, clock: &Clock) -> anyhow::Result<impl Fn() -> PostgresLog + Send + use<>> {
    let (target, client) = prepared(url)?;
    let mut host_clock = HostClock::new(clock.clone());
    let asked = Asked::now();
    host_clock.compare(asked, client.query_one("SELECT clock_timestamp()")?.get(0))?;
    let lease = Arc::new(Lease::among(target.hosts.len()));
    Ok(move || PostgresLog {
        host_clock: host_clock.clone(),
        lease: Arc::clone(&lease),
        ..PostgresLog::new(Arc::clone(&target), tables::PATIENCE)
    })
}

/// Fills the empty database at `url`, in pieces; resumes an interrupted fill. Fails if it cannot, or the database holds something else.
pub fn fill(url: &str, changes: &[Change]) -> anyhow::Result<()> {
    let mut log = PostgresLog::new(prepared(url)?.0, tables::PATIENCE);
    let is_filled = log.fill_in_pieces(&mut Filling::of(changes))?;
    ensure!(is_filled, "the database holds a store already: name one that holds none with --store");
    Ok(())
}

/// The address of the database at `url` and a connection to it; makes its tables if they are missing.
fn prepared(url: &str) -> anyhow::Result<(Arc<Target>, DatabaseClient)> {
    let target = Arc::new(Target::named(url, tables::session())?);
    // A host that waits for no standby may have been replaced; that shows soon. Later, no wait helps.
    let since = Stopwatch::start();
    let client = loop {
        let client = connected(&target, tables::PATIENCE)?;
        match client.batch_execute("") {
            Err(Unanswered::Alone) if since.elapsed() < STANDBY_WAIT_MAX => threads::sleep(STANDBY_WAIT_PAUSE),
            asked => break asked.map(|()| client)?,
        }
    };
    tables::check_encoding(&client)?;
    tables::create(&client).context("the tables cannot be made in the database")?;
    Ok((target, client))
}

fn connected(target: &Target, patience: Duration) -> anyhow::Result<DatabaseClient> {
    DatabaseClient::connect(target, patience).context("the database cannot be used")
}

impl LogConnection {
    /// Commits something, unless there was a recent commit. A commit shows that this host leads, so that its reads are current.
    fn prove(&mut self, lease: &Lease) -> Result<(), Unanswered> {
        if lease.is_due(self.proven) {
            let proven = Stopwatch::start();
            self.client.batch_execute(tables::PROOF)?;
            lease.renew(self.client.host);
            self.proven = proven;
        }
        Ok(())
    }
}

impl PostgresLog {
    fn new(target: Arc<Target>, patience: Duration) -> Self {
        let (host_clock, lease) = (HostClock::default(), Arc::default());
        Self { target, patience, host_clock, lease, connection: None, has_turn: false }
    }

    fn connection(&mut self) -> anyhow::Result<&mut LogConnection> {
        let term = self.lease.term();
        let is_trusted =
            |open: &LogConnection| !open.client.is_closed() && open.term == term && open.used.elapsed() < self.patience;
        let connection = match self.connection.take().filter(is_trusted) {
            Some(open) => LogConnection { used: Stopwatch::start(), ..open },
            // If no connection opens, those of other threads may be silent as well.
            None => self.open().inspect_err(|_| self.lease.end_term())?,
        };
        Ok(self.connection.insert(connection))
    }

    fn open(&self) -> anyhow::Result<LogConnection> {
        let proven = Stopwatch::start();
        let client = connected(&self.target, self.patience)?;
        let read = client.prepare(READ)?;
        // The host answers, so this thread relies on it.
        let term = self.lease.renew(client.host);
        Ok(LogConnection { client, term, proven, used: Stopwatch::start(), read })
    }

    /// Calls `run`, and once more on a new connection if the old one was lost; not after a silence, which used up the patience.
    fn with_connection<T>(&mut self, run: impl Fn(&mut LogConnection) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let is_new = self.connection.is_none();
        let outcome = run(self.connection()?);
        let is_silent = self.drop_silent();
        let lost = self.connection.take_if(|connection| connection.client.is_closed());
        if outcome.is_ok() || is_new || is_silent || lost.is_none() {
            return outcome;
        }
        let outcome = run(self.connection()?);
        self.drop_silent();
        outcome
    }

    /// Drops the connection if it is silent, and then ends the term, since others may be silent as well; returns whether it was silent.
    fn drop_silent(&mut self) -> bool {
        let silent = self.connection.take_if(|connection| connection.client.is_silent.get());
        if silent.is_some() {
            self.lease.end_term();
        }
        silent.is_some()
    }

    /// Waits for the turn. It lasts until the next append, or until this connection ends or is idle for long.
    pub(super) fn take_turn(&mut self) -> anyhow::Result<()> {
        let hold = if Defect::KeepsTurn.is_back() { &HOLD.replace("1000", "0") } else { HOLD };
        let held = self.with_connection(|LogConnection { client, .. }| Ok(client.batch_execute(hold)?));
        self.has_turn = held.is_ok();
        if held.is_err() {
            // The transaction ends with the connection.
            self.connection = None;
        }
        held
    }

    pub(super) fn give_back_turn(&mut self) {
        self.has_turn = false;
        let term = self.lease.term();
        // If the connection may be silent, the turn ends by dropping it.
        self.connection = self.connection.take().filter(|connection| {
            let is_trusted = connection.term == term || Defect::GivesBackOverSilence.is_back();
            is_trusted && connection.client.batch_execute("ROLLBACK").is_ok()
        });
    }

    /// Fills the database in pieces, on a new connection whenever one is lost.
    fn fill_in_pieces(&mut self, filling: &mut Filling<'_>) -> anyhow::Result<bool> {
        filling
            .in_pieces(|filling| self.connection().and_then(|LogConnection { client, .. }| filling.store_next(client)))
    }

    /// Stores the initial collection outside the log, if it is too large for an entry.
    pub(super) fn fill(&mut self, changes: &[Change]) -> anyhow::Result<Filled> {
        let mut filling = Filling::of(changes);
        if !self.with_connection(|LogConnection { client, .. }| filling.needs_pieces(client))? {
            return Ok(Filled::Append);
        }
        let is_filled = self.fill_in_pieces(&mut filling)?;
        Ok(if is_filled { Filled::At(filling.position()) } else { Filled::Overtaken })
    }

    /// Appends an entry if `after` is the last one: on return it is durable and visible to all replicas. The same message ends the turn.
    pub(super) fn append(&mut self, after: i64, token: &str, changes: &str) -> Result<Appended, AppendError> {
        let is_lost = self.connection.as_ref().is_none_or(|connection| connection.client.is_closed());
        let has_turn = std::mem::take(&mut self.has_turn) && !is_lost;
        let LogConnection { client, .. } = self.connection().map_err(AppendError::Refused)?;
        let statement = APPEND.replace("$1", &after.to_string()).replace("$2", &literal(token));
        // Replaced last: the stored text may itself contain `$1`.
        let statement = statement.replace("$3", &literal(changes)) + if has_turn { "; COMMIT" } else { "" };
        match client.with_patience(times(changes), |client| client.simple_query(&statement)) {
            // COMMIT completes with 0 rows.
            Ok(messages) => {
                let is_added = messages.iter().any(|one| matches!(one, SimpleQueryMessage::CommandComplete(1)));
                Ok(if is_added { Appended::Added } else { Appended::NotLast })
            }
            Err(error) => {
                self.drop_silent();
                if has_turn {
                    // The transaction ends with the connection.
                    self.connection = None;
                }
                outcome_of(error)
            }
        }
    }

    /// Reads the entries after a position, including every entry confirmed before the call. Fails if the log cannot be asked.
    pub(super) fn read(&mut self, position: &Position) -> anyhow::Result<Tail> {
        let after = position.number;
        let asked = Asked::now();
        let lease = Arc::clone(&self.lease);
        let found = self.with_connection(|connection| {
            connection.prove(&lease)?;
            let LogConnection { client, read, .. } = connection;
            let rows = client.query(read, &[&after])?;
            let first = rows.first().context("the head of the log is missing")?;
            let (head, time): (i64, SystemTime) = (first.get(0), first.get(4));
            let lost = |why| Ok((Tail::Lost(why), time));
            if head < after {
                return lost(format!("the log ends at {head}, but {after} was read before"));
            }
            let mut entries = Vec::with_capacity(rows.len());
            for row in &rows {
                let Some(number) = row.get::<_, Option<i64>>(1) else { continue };
                let entry = Entry { number, token: row.get(2), changes: row.get(3) };
                if number > after {
                    entries.push(entry);
                } else if position.token.as_ref().is_some_and(|token| *token != entry.token) {
                    return lost(format!("entry {after} differs from the one read before"));
                }
            }
            let is_gapless = entries.first().map_or(head == after, |first| first.number == after + 1);
            let last = entries.last().map_or(after, |last| last.number);
            Ok((if is_gapless { Tail::Entries { entries, is_whole: last == head } } else { Tail::Folded }, time))
        });
        if matches!(found, Err(_) | Ok((Tail::Lost(_), _))) {
            // Another host may have the entries that this one has lost.
            self.connection = None;
        }
        let (tail, time) = found?;
        self.host_clock.compare(asked, time)?;
        Ok(tail)
    }

    pub(super) fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
        self.with_connection(|LogConnection { client, .. }| {
            client.in_transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", snapshot::load)
        })
    }

    pub(super) fn fold(&mut self, up_to: i64) -> anyhow::Result<()> {
        let fold = |client: &DatabaseClient| client.in_transaction("BEGIN", |client| fold::fold(client, up_to));
        while !self.with_connection(|LogConnection { client, .. }| client.with_patience(FOLD_PATIENCE_FACTOR, fold))? {}
        Ok(())
    }
}

/// A text as SQL writes it, where a backslash means itself.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn outcome_of(error: Unanswered) -> Result<Appended, AppendError> {
    let cause = match &error {
        Unanswered::Silent(_) => return Err(AppendError::Silent(error.into())),
        Unanswered::Alone => return Err(AppendError::InDoubt(error.into())),
        Unanswered::Failed(failed) => failed.as_db_error(),
    };
    let Some(cause) = cause else {
        // The connection was cut.
        return Err(AppendError::InDoubt(error.into()));
    };
    let is_certain =
        cause.parsed_severity() == Some(Severity::Error) && *cause.code() != SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN;
    match *cause.code() {
        // The caller tries again on a host that allows writes.
        SqlState::READ_ONLY_SQL_TRANSACTION => Err(AppendError::InDoubt(error.into())),
        // Engines stricter than read committed fail with these instead of finding no row.
        SqlState::UNIQUE_VIOLATION | SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            Ok(Appended::NotLast)
        }
        _ if is_certain => Err(AppendError::Refused(error.into())),
        _ => Err(AppendError::InDoubt(error.into())),
    }
}

/// The multiple of the usual patience for an entry of this length.
fn times(changes: &str) -> u32 {
    1 + u32::try_from(changes.len() / WRITTEN_AT_LEAST).unwrap_or(u32::MAX)
}
