//! Faults that break rules of the chapter storage.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "replaces-race" breaks "storage/no-lost-update": "A replace writes the whole collection back as it was read, undoing writes in between.";
    "deletes-race" breaks "storage/no-lost-update": "A delete writes the whole collection back as it was read, undoing writes in between.";
    "slow-creates-restore" breaks "storage/no-lost-update": "A create writes back the collection as it was when its head came.";
    "slow-replaces-restore" breaks "storage/no-lost-update": "A replace writes back the collection as it was when its head came.";
    "slow-replaces-keep-their-place" breaks "storage/no-lost-update": "A replace writes at the place its book had when its head came.";
    "lists-a-second-stale" breaks "storage/between-requests": "Lists are answered from a copy that may be a second old.";
};
