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

mod compare {
    //! Compares json reports: the changes between two, and a matrix of implementations by chapter and by rule.
    //!
    //! Reads reports only, never an implementation.

    pub(crate) mod badge;
    pub(crate) mod changes;
    mod grid;
    pub(crate) mod matrix;
    pub(crate) mod page;
    pub(crate) mod terminal;
}

pub mod context {
    //! What a case acts through, and what all cases of a run share. Judges nothing.

    pub mod case_context;
    mod control_hooks;
    pub mod observation;
    pub mod recorder;
    pub mod restart;
    pub mod session;
    pub mod shared_clock;
}

pub mod contract {
    //! The contract: rules, verdicts and violations. Knows no implementation and no case.

    pub mod declared_rules;
    pub mod edition;
    pub mod excerpt;
    pub mod ledger;
    pub mod locations;
    pub mod renamed;
    pub mod rule;
    pub(crate) mod sentences;
    pub mod since;
    pub mod verdict;
    pub mod violation;
}

mod fixture {
    //! Preparations that several chapters share: books, users and clients of a case.
    //!
    //! Never judges: a preparation that fails blocks the case.

    pub(crate) mod books;
    pub(crate) mod clients;
    pub(crate) mod concurrency;
    pub(crate) mod demo;
    pub(crate) mod limits;
    pub(crate) mod preflight;
    pub(crate) mod reset;
    pub(crate) mod time;
    pub(crate) mod tokens;
    pub(crate) mod totp_steps;
    pub(crate) mod two_factor;
    pub(crate) mod users;
}

pub mod generate {
    //! Generated inputs and their shrinking, list queries and histories. Sends nothing by itself.

    pub mod histories;
    pub mod inputs;
    pub mod queries;
}

pub mod http {
    //! Requests and replies: sent, recorded, checked. Knows no case.

    pub mod challenge;
    pub mod client;
    pub mod connection;
    pub mod control;
    pub mod exchange;
    pub mod listed_values;
    pub mod media_type;
    pub mod reply;
    pub mod request;
    mod stream;
    pub mod throttle;
    #[cfg(feature = "tls")]
    mod tls;
}

pub mod implementation {
    //! The implementation under judgement: its profile and its process. Sends no request of a case.

    mod address;
    mod environment;
    mod interface;
    pub(crate) mod listening;
    pub mod process;
    mod process_group;
    mod process_output;
    pub mod profile;
    mod profile_file;
}

pub mod impostor;
pub mod invariants;

pub mod oracle {
    //! Independent computations of ETags, one-time codes and concurrent histories. Send nothing.

    pub mod etag;
    pub mod jwt;
    pub(crate) mod linearizability;
    pub mod totp;
}

pub mod printable;
pub mod random;
pub mod report;
pub mod runner;
pub mod selftest;
pub mod snapshot;
