//! The chapters of the documents, one a folder: its cases, its faults and its permitted readings. `seeds/rules` has its rules.
//!
//! Cases and variations share no code: a case never uses a variation, nor a variation what cases act through.

pub mod cases;
pub(crate) mod prelude;
pub mod variations;

pub(crate) mod api_keys {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod backup_codes {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod blog {
    pub(crate) mod entries;
    pub(crate) mod variations;
    pub(crate) mod written;
}
pub(crate) mod books {
    pub(crate) mod answers;
    pub(crate) mod fields;
    pub(crate) mod operations;
    pub(crate) mod variations {
        pub(crate) mod fields;
        pub(crate) mod operations;
        pub(crate) mod paths;
        pub(crate) mod stamps;
    }
}
pub(crate) mod codes {
    pub(crate) mod cases;
    pub(crate) mod diagnosis;
    pub(crate) mod variations;
}
pub(crate) mod conditional {
    pub(crate) mod tags;
    pub(crate) mod variations;
}
pub(crate) mod consistency {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod credentials {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod devices {
    pub(crate) mod variations;
}
pub(crate) mod errors {
    pub(crate) mod bodies;
    pub(crate) mod envelopes;
    pub(crate) mod variations;
}
/// Whole exchanges, compared with reviewed texts (see [`crate::snapshot`]), where every permitted reading gives the same text.
pub(crate) mod exchanges {
    pub(crate) mod cases;
}
pub(crate) mod graphql {
    pub(crate) mod endpoint;
    pub(crate) mod http;
    pub(crate) mod mutation;
    pub(crate) mod nesting;
    pub(crate) mod queries;
    pub(crate) mod selection;
    pub(crate) mod transport;
    pub(crate) mod variations;
}
/// No user can be created there: the cases look at the users that the target has, and say so where there are none.
pub(crate) mod graphql_reduced {
    pub(crate) mod forms;
    pub(crate) mod transport;
    pub(crate) mod variations;
}
pub(crate) mod headers {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
/// Probes, which run where they are asked for: what no honest client sends. The documents are silent, so that a probe judges no rule.
pub(crate) mod hostile {
    pub(crate) mod floods;
    pub(crate) mod requests;
    pub(crate) mod smuggling;
}
/// Every case asks for its own books alone, by the equality filter on their marker.
pub(crate) mod list {
    pub(crate) mod filters;
    pub(crate) mod generated;
    pub(crate) mod labelled_books;
    pub(crate) mod laws;
    pub(crate) mod order;
    pub(crate) mod variations {
        pub(crate) mod bounds;
        pub(crate) mod equality;
        pub(crate) mod order;
        pub(crate) mod search;
        pub(crate) mod values;
    }
}
/// No case tries a code while it waits for the end of a block, unless that is what it judges.
pub(crate) mod lockout {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod login {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod paging {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod pending {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod permissions {
    pub(crate) mod variations;
}
pub(crate) mod posts {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod registration {
    pub(crate) mod answers;
    pub(crate) mod variations;
}
pub(crate) mod routing {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
/// What reads and judges the cases that are data.
pub(crate) mod rows {
    pub(crate) mod exchanges;
    mod expectation;
    pub(crate) mod files;
    pub(crate) mod lists;
    mod scope;
    mod step;
    mod when;
}
pub(crate) mod sessions {
    pub(crate) mod histories;
    pub(crate) mod variations;
}
pub(crate) mod signup {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod storage {
    pub(crate) mod restart;
    pub(crate) mod variations;
    pub(crate) mod writes;
}
pub(crate) mod tokens {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
pub(crate) mod two_factor {
    pub(crate) mod histories;
    pub(crate) mod link;
    pub(crate) mod variations;
}
pub(crate) mod users {
    pub(crate) mod reading;
    pub(crate) mod variations;
}
pub(crate) mod verification {
    pub(crate) mod variations;
}
pub(crate) mod versioning {
    pub(crate) mod cases;
    pub(crate) mod variations;
}
