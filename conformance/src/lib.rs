//! The conformance suite of the Library Catalogue Service.
//!
//! A case's path: the [`contract`] and the [`chapters::cases`] are static tables; the [`runner`] selects among them by glob, chapter and need;
//! the [`implementation`]'s profile gives URLs and credentials; a case acts through its [`context`], which records every exchange; a check
//! on a reply ([`http`]) either holds or stops the case with a mismatch that names rule, place, wanted and got; verdicts become
//! events and, at the end, [`report`]s.
//!
//! Invariants, each held by a test:
//! - Nothing here imports the server, except the launcher behind `--reference` ([`implementation::reference`]), and that one talks to it by URL.
//! - Cases know no sockets, reports know no cases, the impostor shares no code with the cases.
//! - Time and randomness each come in through one file, [`clock`] and [`random`]; sockets through [`http::connection`] and `bench::connection`.

#![expect(missing_docs, reason = "internal to the suite: many names need no second sentence")]

pub use libros_conformance_kit::{clock, context, fixture, http, json, mutex, oracle, printable, random};

mod bench;
mod book;
pub mod case;
pub mod chapters;
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

pub mod contract {
    //! The contract: rules, verdicts and violations. Knows no implementation and no case.

    pub use libros_conformance_kit::{excerpt, verdict, violation};
    pub mod edition;
    pub mod ledger;
    pub mod locations;
    pub mod renamed;
    pub mod rule;
    pub(crate) mod sentences;
}

pub mod generate {
    //! Generated inputs and their shrinking, list queries and histories. Sends nothing by itself.

    pub mod histories;
    pub use libros_conformance_kit::inputs;
    pub mod queries;
}

pub mod implementation {
    //! The implementation under judgement: its profile and its process, and the reference. Sends no request of a case.

    pub use libros_conformance_kit::implementation::{listening, process, profile};
    pub mod reference;
}

pub mod impostor;
pub mod invariants;
mod nemesis;

pub mod report;
pub mod runner;
pub mod selftest;
pub mod snapshot;

mod watch {
    //! Parts of `watch`: the changes of files, the board of verdicts, the screen. Judges nothing.

    pub(crate) mod board;
    pub(crate) mod changes;
    pub(crate) mod screen;
}
