//! Faults that break rules of the chapter storage.

use super::Fault;

pub(super) const FAULTS: &[Fault] = faults! {
    "replaces-race" breaks "storage/no-lost-update": "A replace writes the whole collection back as it was read, undoing writes in between.";
    "deletes-race" breaks "storage/no-lost-update": "A delete writes the whole collection back as it was read, undoing writes in between.";
    "lists-a-second-stale" breaks "storage/between-requests": "Lists are answered from a copy that may be a second old.";
};
