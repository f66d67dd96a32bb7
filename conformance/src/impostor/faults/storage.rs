//! Faults that break rules of the chapter storage.

use super::Fault;
use crate::impostor::policy::{Collection, ReadsFrom};

pub(crate) const FAULTS: &[Fault] = faults! {
    "replaces-race" breaks "storage/no-lost-update": "A replace writes the whole collection back as it was read, undoing writes in between."
        => policy |p| p.books.replace.written_onto = Collection::BeforeOthers;
    "deletes-race" breaks "storage/no-lost-update": "A delete writes the whole collection back as it was read, undoing writes in between."
        => policy |p| p.books.delete.written_onto = Collection::BeforeOthers;
    "slow-creates-restore" breaks "storage/no-lost-update": "A create writes back the collection as it was when its head came."
        => policy |p| p.books.create.written_onto = Collection::AtHead;
    "slow-replaces-restore" breaks "storage/no-lost-update": "A replace writes back the collection as it was when its head came."
        => policy |p| (p.books.replace.place_from, p.books.replace.written_onto) = (Collection::AtHead, Collection::AtHead);
    "slow-replaces-keep-their-place" breaks "storage/no-lost-update": "A replace writes at the place its book had when its head came."
        => policy |p| p.books.replace.place_from = Collection::AtHead;
    "lists-a-second-stale" breaks "storage/between-requests": "Lists are answered from a copy that may be a second old."
        => policy |p| p.books.lists_from = ReadsFrom::RecentCopy { millis: 1000 };
};
