//! Records of one kind in memory, and the changes that make them durable. Knows nothing of what a record means.

use std::borrow::Borrow;
use std::hash::Hash;
use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use libros_server_query::json;
use libros_server_store::{Change, Changes, Kind, Loaded, Row, Unreadable};

/// A key of a record. The store has its text.
pub(crate) trait Key: Eq + Hash + Clone + ToString + FromStr {}

impl<K: Eq + Hash + Clone + ToString + FromStr> Key for K {}

const SWEEP_MIN: usize = 1024;

/// The records of one kind. Each change is also added to a list of changes, for the journal.
/// Cloning is O(1), and a change to a clone touches O(log n) of it; clones share the records.
#[derive(Debug, Clone)]
pub(crate) struct Table<K, R> {
    kind: Kind,
    records: imbl::HashMap<K, Arc<R>>,
    /// The number of records at which the next sweep is due.
    sweep_at: usize,
}

impl<K: Key, R: Serialize + DeserializeOwned + Clone> Table<K, R> {
    /// Reads the rows of this kind; adds those that are no such records to `unreadable`.
    pub(crate) fn load(kind: Kind, loaded: &mut Loaded, unreadable: &mut Vec<Unreadable>) -> Self {
        let mut table = Self::empty(kind);
        for Row { key, doc } in loaded.take(kind).unwrap_or_default() {
            match (key.parse(), json::read_record(&doc)) {
                (Ok(key), Ok(record)) => _ = table.records.insert(key, Arc::new(record)),
                (Err(_), _) => unreadable.push(Unreadable { kind, key, why: "its key is damaged".to_owned() }),
                (_, Err(error)) => unreadable.push(Unreadable { kind, key, why: error.to_string() }),
            }
        }
        table
    }

    fn empty(kind: Kind) -> Self {
        Self { kind, records: imbl::HashMap::new(), sweep_at: SWEEP_MIN }
    }

    /// Applies a change of another replica; returns the record that it put. Fails for a record of another shape.
    pub(crate) fn take_in(&mut self, change: &Change) -> Result<Option<Arc<R>>, String> {
        let read = |key: &str| key.parse().map_err(|_| format!("{}: the key {key} is damaged", self.kind.0));
        match change {
            Change::Put { key, doc, .. } => {
                let record = json::read_record(doc).map_err(|error| format!("{}, {key}: {error}", self.kind.0))?;
                let (key, record) = (read(key)?, Arc::new(record));
                self.records.insert(key, Arc::clone(&record));
                return Ok(Some(record));
            }
            Change::Remove { key, .. } => {
                let key: K = read(key)?;
                self.records.remove(&key);
            }
            Change::Clear { .. } => *self = Self::empty(self.kind),
        }
        Ok(None)
    }

    pub(crate) fn record<Q>(&self, key: &Q) -> Option<&Arc<R>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.records.get(key)
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = &R> {
        self.records.values().map(Arc::as_ref)
    }

    pub(crate) fn put(&mut self, key: K, record: R, changes: &mut Changes) {
        self.note_record(&key, &record, changes);
        self.records.insert(key, Arc::new(record));
    }

    /// Adds the current record under `key`, if there is one, to `changes`.
    pub(crate) fn note(&self, key: &K, changes: &mut Changes) {
        if let Some(record) = self.records.get(key) {
            self.note_record(key, record, changes);
        }
    }

    pub(crate) fn note_all(&self, changes: &mut Changes) {
        self.records.iter().for_each(|(key, record)| self.note_record(key, record, changes));
    }

    pub(crate) fn remove(&mut self, key: &K, changes: &mut Changes) {
        if self.records.remove(key).is_some() {
            changes.remove(self.kind, key.to_string());
        }
    }

    pub(crate) fn clear(&mut self, changes: &mut Changes) {
        *self = Self::empty(self.kind);
        changes.clear(self.kind);
    }

    /// Removes records that are over, once there are 1024 and twice as many as the last sweep left. `is_over` must hold for good.
    pub(crate) fn sweep(&mut self, changes: &mut Changes, is_over: impl Fn(&R) -> bool) {
        if self.records.len() < self.sweep_at {
            return;
        }
        let over: Vec<K> =
            self.records.iter().filter(|(_, record)| is_over(record)).map(|(key, _)| key.clone()).collect();
        for key in over {
            self.remove(&key, changes);
        }
        self.sweep_at = SWEEP_MIN.max(2 * self.records.len());
    }

    /// Changes the record under `key`; returns `None`, and changes nothing, if there is none.
    pub(crate) fn change<T>(&mut self, key: &K, changes: &mut Changes, how: impl FnOnce(&mut R) -> T) -> Option<T> {
        let mut record = R::clone(self.record(key)?);
        let outcome = how(&mut record);
        self.put(key.clone(), record, changes);
        Some(outcome)
    }

    /// Changes the record under `key`, or a default one if there is none.
    pub(crate) fn change_or_start(&mut self, key: &K, changes: &mut Changes, how: impl FnOnce(&mut R))
    where
        R: Default,
    {
        let mut record = self.record(key).map(|record| R::clone(record)).unwrap_or_default();
        how(&mut record);
        self.put(key.clone(), record, changes);
    }

    fn note_record(&self, key: &K, record: &R, changes: &mut Changes) {
        let doc = serde_json::to_string(record).expect("a record holds only what JSON can say");
        changes.put(self.kind, key.to_string(), doc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Numbers = Table<String, u64>;

    /// Adds this many records, sweeps even ones after each; returns how many are left.
    fn filled(table: &mut Numbers, count: u64, changes: &mut Changes) -> usize {
        for number in 0..count {
            table.put(number.to_string(), number, changes);
            table.sweep(changes, |number| number % 2 == 0);
        }
        table.records().count()
    }

    #[test]
    fn a_full_table_loses_what_is_over_also_after_it_was_cleared() {
        let (mut table, mut changes) = (Numbers::empty(Kind::USERS), Changes::default());
        assert_eq!(filled(&mut table, 1023, &mut changes), 1023);
        assert_eq!(filled(&mut table, 1024, &mut changes), 512);
        let removed = changes.into_list().into_iter().filter(|change| matches!(change, Change::Remove { .. }));
        assert_eq!(removed.count(), 512);
        let mut changes = Changes::default();
        (0..4096).for_each(|number| table.put(number.to_string(), number, &mut changes));
        table.sweep(&mut changes, |_| false);
        table.clear(&mut changes);
        assert_eq!(filled(&mut table, 1024, &mut changes), 512);
    }
}
