//! The conformance suite of the Library Catalogue Service.
//!
//! A case's path: the [`contract`] and the [`mod@cases`] are static tables; the [`runner`] selects among them by glob, chapter and need;
//! the [`implementation`]'s profile gives URLs and credentials; a case acts through its [`context`], which records every exchange; a check
//! on a reply ([`http`]) either holds or stops the case with a mismatch that names rule, place, wanted and got; verdicts become
//! events and, at the end, [`report`]s.
//!
//! Invariants, each held by a test:
//! - Nothing here imports the server, except the launcher behind `--reference` ([`implementation::process`]), and that one talks to it by URL.
//! - Cases know no sockets, reports know no cases, the impostor shares no code with the cases.
//! - Time, randomness and sockets each come in through one file: [`clock`], [`random`], [`http::connection`].

mod bench;
mod book;
pub mod case;
pub mod cases;
pub mod clock;
pub mod commands;
mod compare;
pub mod context;
pub mod contract;
mod fixture;
pub mod generate;
pub mod http;
pub mod implementation;
pub mod impostor;
pub mod invariants;
pub mod oracle;
pub mod printable;
pub mod random;
pub mod report;
pub mod runner;
pub mod selftest;
pub mod snapshot;
