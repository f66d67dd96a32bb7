//! Blocking calls to the database, none of which waits for ever. A statement may take long while bytes arrive. If the connection moves
//! none for as long as the caller has patience, the call fails and the connection ends. Knows no table.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use tokio::time::timeout;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, SimpleQueryMessage, Statement, ToStatement};

use super::sockets::{Driver, Wire};
use super::standby::Standby;
use super::target::Target;
use crate::cluster::defect::Defect;

/// Sent with each question if there are several hosts, since another may lead by now. A session applies a changed setting between two
/// messages, before a commit that waited for the standby is visible: so this shows whether the answer before it can be relied on.
const SIGHT: &str = "
    SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), current_setting('synchronous_standby_names')";

/// How often a call looks at the connection within its patience.
const LOOKS: u32 = 6;

#[derive(Debug, thiserror::Error)]
pub(super) enum Unanswered {
    #[error(transparent)]
    Failed(#[from] Error),
    #[error("THE DATABASE IS REACHED AND SAYS NOTHING for {0:?}")]
    Silent(Duration),
    #[error(
        "THE DATABASE WAITS FOR NO STANDBY ANY MORE: it is not relied on yet, since it may have been replaced (or it lacks pg_walfile_name)"
    )]
    Alone,
}

type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) struct DatabaseClient {
    client: tokio_postgres::Client,
    wire: RefCell<Wire>,
    /// Its place among the hosts of the target.
    pub(super) host: usize,
    runtime: Driver,
    patience: Cell<Duration>,
    /// Whether the client gave up because nothing moved.
    pub(super) is_silent: Cell<bool>,
    /// Whether the database has ended the session, or its server no longer takes writes.
    is_lost: Cell<bool>,
    standby: Option<Arc<Standby>>,
}

impl DatabaseClient {
    /// Opens a session, within `patience`, and has `patience` from then on.
    pub(super) fn connect(target: &Target, patience: Duration) -> anyhow::Result<Self> {
        let runtime = Driver::new()?;
        let mut refused: Vec<Option<Error>> = target.hosts.iter().map(|_| None).collect();
        let opened = runtime.block_on(async { timeout(patience, target.open(&mut refused)).await });
        if let Ok(Some((host, (client, wire)))) = opened {
            let (patience, is_silent, is_lost) = (Cell::new(patience), Cell::new(false), Cell::new(false));
            let (wire, standby) = (RefCell::new(wire), target.standby.clone());
            return Ok(Self { client, wire, host, runtime, patience, is_silent, is_lost, standby });
        }
        let reasons = refused.into_iter().map(|error| {
            let silent = || anyhow!("no session within {patience:?}: it is not reached, or says nothing");
            error.map_or_else(silent, |error| Unanswered::Failed(error).into())
        });
        let mut reasons: Vec<anyhow::Error> = reasons.collect();
        if reasons.len() > 1 {
            let named = reasons.iter().zip(target.names()).map(|(reason, name)| format!("{name}: {reason:#}"));
            bail!("none of its hosts can be written to: {}", named.collect::<Vec<_>>().join("; "));
        }
        Err(reasons.remove(0))
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_silent.get() || self.is_lost.get() || self.client.is_closed()
    }

    /// Asks with a multiple of the patience, since the database may work for long before it answers.
    pub(super) fn with_patience<T>(&self, times: u32, ask: impl FnOnce(&Self) -> T) -> T {
        let usual = self.patience.replace(self.patience.get() * times);
        let answer = ask(self);
        self.patience.set(usual);
        answer
    }

    /// Runs `ask` in a transaction that the statement `begin` opens; rolls back if it fails.
    pub(super) fn in_transaction<T>(
        &self,
        begin: &str,
        ask: impl FnOnce(&Self) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.batch_execute(begin)?;
        match ask(self) {
            Ok(answer) => {
                self.batch_execute("COMMIT")?;
                Ok(answer)
            }
            Err(error) => {
                if !self.is_closed() {
                    self.batch_execute("ROLLBACK").context(format!("{error:#}"))?;
                }
                Err(error)
            }
        }
    }

    pub(super) fn batch_execute(&self, statements: &str) -> Result<(), Unanswered> {
        self.ask(self.client.batch_execute(statements))
    }

    pub(super) fn simple_query(&self, statements: &str) -> Result<Vec<SimpleQueryMessage>, Unanswered> {
        self.ask(self.client.simple_query(statements))
    }

    pub(super) fn prepare(&self, statement: &str) -> Result<Statement, Unanswered> {
        self.ask(self.client.prepare(statement))
    }

    pub(super) fn execute(&self, statement: &str, parameters: Parameters<'_>) -> Result<u64, Unanswered> {
        self.ask(self.client.execute(statement, parameters))
    }

    pub(super) fn query(
        &self,
        statement: &(impl ToStatement + ?Sized),
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, Unanswered> {
        self.ask(self.client.query(statement, parameters))
    }

    /// The row of a statement that has one.
    pub(super) fn query_one(&self, statement: &str) -> anyhow::Result<Row> {
        self.query_opt(statement, &[])?.context("the database answers with no row")
    }

    pub(super) fn query_opt(&self, statement: &str, parameters: Parameters<'_>) -> Result<Option<Row>, Unanswered> {
        Ok(self.query(statement, parameters)?.into_iter().next())
    }

    fn ask<T>(&self, question: impl Future<Output = Result<T, Error>>) -> Result<T, Unanswered> {
        let patience = self.patience.get();
        let silent = || Unanswered::Silent(patience);
        if self.is_silent.get() {
            return Err(silent());
        }
        let both = async {
            let sight = async {
                match &self.standby {
                    Some(_) => self.client.simple_query(SIGHT).await,
                    None => Ok(Vec::new()),
                }
            };
            tokio::join!(biased; question, sight)
        };
        let answer = self.runtime.block_on(watched(both, &mut self.wire.borrow_mut(), patience));
        self.is_silent.set(answer.is_none());
        let (answer, sight) = answer.ok_or_else(silent)?;
        self.is_lost.set(self.is_lost.get() || answer.as_ref().is_err_and(ends_session));
        let answer = answer?;
        if self.standby.as_ref().is_some_and(|standby| !is_relied_on(standby, &sight.unwrap_or_default())) {
            // The next connection may lead to the elected host.
            self.is_lost.set(true);
            return Err(Unanswered::Alone);
        }
        Ok(answer)
    }
}

/// Whether a host with this answer to [`SIGHT`] may be relied on; without an answer it may not.
fn is_relied_on(standby: &Standby, sight: &[SimpleQueryMessage]) -> bool {
    sight.iter().any(|said| {
        let SimpleQueryMessage::Row(row) = said else { return false };
        standby.is_relied_on(row.get(0).unwrap_or_default(), row.get(1).unwrap_or_default())
    })
}

/// Whether the session is of no more use: the database has ended it, or the server only reads and so is a standby.
fn ends_session(error: &Error) -> bool {
    let Some(cause) = error.as_db_error() else { return false };
    let goes_on = [Severity::Error, Severity::Warning].map(Some).contains(&cause.parsed_severity());
    !goes_on || *cause.code() == SqlState::READ_ONLY_SQL_TRANSACTION
}

/// The answer; `None` if the connection moves nothing for too long.
async fn watched<T>(question: impl Future<Output = T>, wire: &mut Wire, patience: Duration) -> Option<T> {
    let (mut question, mut quiet) = (pin!(question), 0);
    // Several looks: if this process was stopped, one look times out although the answer is there, not yet read.
    while quiet < LOOKS || Defect::WaitsForEver.is_back() {
        let before = wire.moves;
        if let Ok(answer) = timeout(patience / LOOKS, wire.carry(question.as_mut())).await {
            return Some(answer);
        }
        // Each look polls the connection twice by itself: at its beginning and at its end.
        quiet = if wire.moves <= before + 2 { quiet + 1 } else { 0 };
    }
    None
}
