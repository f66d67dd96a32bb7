//! The tables in PostgreSQL, how they are made, and how long the database may take. Reads no log.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use tokio_postgres::error::SqlState;

use super::client::{DatabaseClient, Unanswered};
use crate::cluster::{defect::Defect, threads};

/// The layout of the tables below; a number above [`FILLING`] was written by a later version.
pub(super) const LAYOUT: i32 = 1;

/// The layout while the database is being filled, so that no server takes a part for the whole.
pub(super) const FILLING: i32 = 2;

/// How often to try to make the tables: replicas that start at once get in each other's way.
const MADE_AT_MOST: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// How long the database may stay silent after a simple statement. Slow statements get a multiple.
pub(super) const PATIENCE: Duration = Duration::from_secs(6);
/// How long a statement waits for a lock on the head. The database then answers before patience ends.
const LOCKED_AT_MOST_MS: u32 = 4_000;

/// The query that checks that all tables exist and may be used.
const FOUND: &str = "
    SELECT layout, EXISTS (SELECT FROM libros_log), EXISTS (SELECT FROM libros_kind), EXISTS (SELECT FROM libros_state)
    FROM libros_head, libros_folded";

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS libros_head (
        one boolean PRIMARY KEY CHECK (one), number bigint NOT NULL, layout integer NOT NULL);
    CREATE TABLE IF NOT EXISTS libros_log (number bigint PRIMARY KEY, token text NOT NULL, changes text NOT NULL);
    CREATE TABLE IF NOT EXISTS libros_folded (one boolean PRIMARY KEY CHECK (one), number bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS libros_kind (name text PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS libros_state (
        id bytea PRIMARY KEY, kind text NOT NULL, key bytea NOT NULL, born bigint NOT NULL, doc text NOT NULL);
    INSERT INTO libros_head (one, number, layout) VALUES (true, 0, 1) ON CONFLICT DO NOTHING;
    INSERT INTO libros_folded (one, number) VALUES (true, 0) ON CONFLICT DO NOTHING;
";

/// Makes sure that the database can hold every text.
pub(super) fn check_encoding(client: &DatabaseClient) -> anyhow::Result<()> {
    let encoding: String = client.query_one("SELECT current_setting('server_encoding')")?.get(0);
    ensure!(
        ["UTF8", "UTF-8"].contains(&encoding.as_str()),
        "the database keeps texts as {encoding}, and the service needs UTF-8: make another (`createdb --encoding UTF8 --template \
         template0 NAME`)"
    );
    Ok(())
}

/// Makes missing tables, and checks that the layout is known. Where none is missing, it needs no right to make any.
pub(super) fn create(client: &DatabaseClient) -> anyhow::Result<()> {
    let mut found = client.query_opt(FOUND, &[]);
    for tried in 1.. {
        if matches!(found, Ok(Some(_))) {
            break;
        }
        match client.batch_execute(SCHEMA) {
            Ok(()) => {
                found = client.query_opt(FOUND, &[]);
                break;
            }
            Err(Unanswered::Failed(error)) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                return Err(error).context(
                    "the role may neither use all tables nor make them: start once with a role that may make tables, then GRANT SELECT, \
                     INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO this one",
                );
            }
            Err(error) if tried == MADE_AT_MOST || client.is_closed() => return Err(error.into()),
            Err(_) => threads::sleep(PAUSE),
        }
    }
    let layout: i32 = found?.context("the head of the log is missing")?.get(0);
    ensure!(
        layout <= FILLING,
        "a later version of this program uses the database: start that one (layout {layout}; this one knows {LAYOUT})"
    );
    Ok(())
}

/// A commit that changes nothing and waits for no writer.
pub(super) const PROOF: &str = "SELECT number FROM libros_head FOR KEY SHARE";

/// The statements that each session begins with. They limit how long it waits for locks. A commit returns once it is on the disk, and on
/// that of a synchronous standby, whatever the database's default. No statement has a time limit: on a slow network it makes progress.
///
/// The last one commits something. With a synchronous standby, a replaced server cannot commit, even if it does not know yet that it was
/// replaced; and a crashed one can commit only once the standby has all earlier commits. So a session reads nothing that may be lost.
pub(super) fn session() -> Vec<String> {
    let settings = format!(
        "SET statement_timeout = 0; SET lock_timeout = {LOCKED_AT_MOST_MS};
         SET standard_conforming_strings = on;
         SELECT set_config('synchronous_commit', 'on', false)
         WHERE current_setting('synchronous_commit', true) NOT IN ('on', 'remote_apply')"
    );
    if Defect::SkipsProof.is_back() {
        return vec![settings];
    }
    vec![settings, PROOF.to_owned()]
}
