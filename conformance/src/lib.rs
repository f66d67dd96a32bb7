//! The conformance suite of the Library Catalogue Service.
//!
//! A case's path: the [contract](rule) and the [cases](mod@cases) are static tables; [`mod@run`] selects among them by glob, chapter and need;
//! the [target] profile gives URLs and credentials; a case acts through its [`trial`], which records every [`exchange`]; an
//! expectation ([`expect`]) either holds or stops the case with a mismatch that names rule, place, wanted and got; verdicts
//! become events ([`event`]) and, at the end, reports ([`report`]).
//!
//! Invariants, each held by a test:
//! - Nothing here imports the server, except the launcher behind `--reference` ([`launch`]), and that one talks to it by URL.
//! - Cases know no sockets, reports know no cases, the impostor shares no code with the cases.
//! - Time, chance and sockets each come in through one file: [`now`], [`chance`], [`wire`].

pub mod case;
pub mod cases;
pub mod chance;
pub mod commands;
pub mod etag;
pub mod event;
pub mod exchange;
pub mod expect;
pub mod expected;
pub mod generate;
pub mod golden;
pub mod hook;
pub mod impostor;
pub mod launch;
pub mod now;
pub mod outcome;
pub mod paint;
pub mod prepare;
pub mod progress;
pub mod queries;
pub mod report;
pub mod request;
pub mod restart;
pub mod rule;
pub mod run;
pub mod select;
pub mod selftest;
pub mod setting;
pub mod target;
pub mod totp;
pub mod trial;
pub mod wire;
