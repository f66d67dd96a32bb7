//! What the suite's cases act through: requests, replies, the implementation under judgement, contexts, fixtures, generated inputs.
//!
//! Knows no rule: what judges answers and accepts readings comes in as a [`http::client::Judge`].

#![expect(missing_docs, reason = "internal to the suite: many names need no second sentence")]

pub mod clock;
pub mod excerpt;
pub mod inputs;
pub mod json;
pub mod mutex;
pub mod printable;
pub mod random;
pub mod verdict;
pub mod violation;
mod worded;

pub mod context {
    //! What a case acts through, and what all cases of a run share. Judges nothing.

    pub mod case_context;
    mod control_hooks;
    pub mod restart;
    pub mod session;
    pub mod shared_clock;
}

pub mod fixture {
    //! Preparations that several chapters share, a file a subject.
    //!
    //! Never judges: a preparation that fails blocks the case.

    pub mod books;
    pub mod clients;
    pub mod concurrency;
    pub mod demo;
    pub mod limits;
    pub mod reset;
    pub mod time;
    pub mod tokens;
    pub mod totp_steps;
    pub mod two_factor;
    pub mod users;
}

pub mod http {
    //! Requests and replies: sent, recorded, checked. Knows no case.

    pub mod chain;
    pub mod client;
    pub mod connection;
    pub mod control;
    pub mod exchange;
    pub mod header_values;
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
    mod interface;
    pub mod listening;
    pub mod process;
    mod process_group;
    pub mod profile;
    mod profile_file;
}

pub mod oracle {
    //! Independent readings of ETags, JWTs, one-time codes and concurrent histories. Send nothing.

    pub mod etag;
    pub mod jwt;
    pub mod linearizability;
    pub mod totp;
}
