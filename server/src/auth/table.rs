//! Records of one kind in memory, and the changes that make them durable. Knows nothing of what a record means.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::fingerprint::Fingerprint;
use crate::store::{Change, Confirmation, Journal, Kind, Row};

/// Changes of one decision, in order.
#[derive(Debug, Default)]
pub struct Changes(Vec<Change>);

impl Changes {
    /// Hands them to the journal; `None` when nothing changed. Call it under the lock that ordered them.
    pub fn submit(self, journal: &Journal) -> Option<Confirmation> {
        (!self.0.is_empty()).then(|| journal.submit(self.0))
    }

    /// The changes themselves.
    #[must_use]
    pub fn into_list(self) -> Vec<Change> {
        self.0
    }

    fn put(&mut self, kind: Kind, key: String, record: &impl Serialize) {
        let doc = serde_json::to_string(record).expect("a record holds only what JSON can say");
        self.0.push(Change::Put { kind, key, doc });
    }

    fn remove(&mut self, kind: Kind, key: String) {
        self.0.push(Change::Remove { kind, key });
    }

    fn clear(&mut self, kind: Kind) {
        self.0.push(Change::Clear { kind });
    }
}

/// What a record is found by.
pub trait Key: Eq + Hash + Clone {
    /// The key as the store knows it.
    fn text(&self) -> String;
    /// The key behind a stored text; `None` when it is none.
    fn read(text: String) -> Option<Self>;
}

impl Key for String {
    fn text(&self) -> String {
        self.clone()
    }

    fn read(text: String) -> Option<Self> {
        Some(text)
    }
}

impl Key for Fingerprint {
    fn text(&self) -> String {
        self.hex()
    }

    fn read(text: String) -> Option<Self> {
        Self::try_from(text).ok()
    }
}

/// Fewest records at which a table looks for those that are over.
const SWEEP_MIN: usize = 1024;

/// The records of one kind. Every change is noted for the journal as it is made.
#[derive(Debug)]
pub struct Table<K, R> {
    kind: Kind,
    records: HashMap<K, R>,
    sweep_at: usize,
}

impl<K: Key, R: Serialize + DeserializeOwned> Table<K, R> {
    /// A table without records.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self { kind, records: HashMap::new(), sweep_at: SWEEP_MIN }
    }

    /// The table of what a store held.
    ///
    /// # Errors
    /// When a row is no record of this kind. To drop it silently would lose somebody's account.
    pub fn load(kind: Kind, rows: Vec<Row>) -> anyhow::Result<Self> {
        let mut table = Self::new(kind);
        for row in rows {
            let what = || format!("a stored record of the kind `{}` is damaged or of another version", kind.0);
            let record = serde_json::from_str(&row.doc).with_context(what)?;
            table.records.insert(K::read(row.key).with_context(what)?, record);
        }
        Ok(table)
    }

    /// The record under `key`.
    #[must_use]
    pub fn record<Q>(&self, key: &Q) -> Option<&R>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.records.get(key)
    }

    /// Every record, in no order.
    pub fn records(&self) -> impl Iterator<Item = &R> {
        self.records.values()
    }

    /// Puts a record under `key`, in the place of what was there.
    pub fn put(&mut self, key: K, record: R, changes: &mut Changes) {
        changes.put(self.kind, key.text(), &record);
        self.records.insert(key, record);
    }

    /// Changes the record under `key`; `None`, and nothing happens, when there is none.
    pub fn change<T>(&mut self, key: &K, changes: &mut Changes, how: impl FnOnce(&mut R) -> T) -> Option<T> {
        let record = self.records.get_mut(key)?;
        let outcome = how(record);
        changes.put(self.kind, key.text(), record);
        Some(outcome)
    }

    /// Changes the record under `key` in memory; notes it only when `how` says so.
    pub fn touch(&mut self, key: &K, changes: &mut Changes, how: impl FnOnce(&mut R) -> bool) {
        if let Some(record) = self.records.get_mut(key)
            && how(record)
        {
            changes.put(self.kind, key.text(), record);
        }
    }

    /// Notes every record.
    pub fn note_all(&self, changes: &mut Changes) {
        self.records.iter().for_each(|(key, record)| changes.put(self.kind, key.text(), record));
    }

    /// Removes the record under `key`, if there is one.
    pub fn remove(&mut self, key: &K, changes: &mut Changes) {
        if self.records.remove(key).is_some() {
            changes.remove(self.kind, key.text());
        }
    }

    /// Removes every record.
    pub fn clear(&mut self, changes: &mut Changes) {
        self.records.clear();
        changes.clear(self.kind);
    }

    /// Removes records that are over, once the table has doubled since the last time: nobody may come back for them.
    pub fn sweep(&mut self, changes: &mut Changes, is_over: impl Fn(&R) -> bool) {
        if self.records.len() < self.sweep_at {
            return;
        }
        self.records.retain(|key, record| {
            let over = is_over(record);
            if over {
                changes.remove(self.kind, key.text());
            }
            !over
        });
        self.sweep_at = SWEEP_MIN.max(2 * self.records.len());
    }
}

impl<K: Key, R: Serialize + DeserializeOwned + Default> Table<K, R> {
    /// Changes the record under `key`, which starts as the default one.
    pub fn change_or_start<T>(&mut self, key: &K, changes: &mut Changes, how: impl FnOnce(&mut R) -> T) -> T {
        let record = self.records.entry(key.clone()).or_default();
        let outcome = how(record);
        changes.put(self.kind, key.text(), record);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Numbers = Table<String, u64>;

    fn put(key: &str, doc: &str) -> Change {
        Change::Put { kind: Kind::USERS, key: key.to_owned(), doc: doc.to_owned() }
    }

    fn removed(key: &str) -> Change {
        Change::Remove { kind: Kind::USERS, key: key.to_owned() }
    }

    #[test]
    fn every_change_is_noted_in_order() {
        let mut changes = Changes::default();
        let mut table = Numbers::new(Kind::USERS);
        let (a, b) = ("a".to_owned(), "b".to_owned());
        table.put(a.clone(), 1, &mut changes);
        table.change(&a, &mut changes, |number| *number += 1);
        table.change(&b, &mut changes, |number| *number += 1);
        table.change_or_start(&b, &mut changes, |number| *number += 5);
        table.remove(&a, &mut changes);
        table.remove(&a, &mut changes);
        assert_eq!(changes.0, [put("a", "1"), put("a", "2"), put("b", "5"), removed("a")]);
        assert_eq!((table.record(&a), table.record(&b)), (None, Some(&5)));
    }

    #[test]
    fn a_touch_is_noted_only_when_due() {
        let mut changes = Changes::default();
        let mut table = Numbers::new(Kind::USERS);
        let key = "a".to_owned();
        table.put(key.clone(), 1, &mut changes);
        table.touch(&key, &mut changes, |number| {
            *number = 2;
            false
        });
        assert_eq!(changes.0, [put("a", "1")]);
        table.note_all(&mut changes);
        assert_eq!(changes.0, [put("a", "1"), put("a", "2")]);
    }

    #[test]
    fn a_full_table_loses_what_is_over() {
        let mut changes = Changes::default();
        let mut table = Numbers::new(Kind::USERS);
        for number in 0..1023 {
            table.put(number.to_string(), number, &mut changes);
            table.sweep(&mut changes, |number| number % 2 == 0);
        }
        assert_eq!(table.records().count(), 1023);
        table.put("last".to_owned(), 1, &mut changes);
        table.sweep(&mut changes, |number| number % 2 == 0);
        assert_eq!(table.records().count(), 512);
        assert_eq!(changes.0.iter().filter(|change| matches!(change, Change::Remove { .. })).count(), 512);
    }

    #[test]
    fn a_table_reads_back_what_was_stored_and_refuses_damage() {
        let row = |key: &str, doc: &str| Row { key: key.to_owned(), doc: doc.to_owned() };
        let table = Numbers::load(Kind::USERS, vec![row("a", "7")]).expect("a number");
        assert_eq!(table.record(&"a".to_owned()), Some(&7));
        assert!(Numbers::load(Kind::USERS, vec![row("a", "x")]).is_err());
        let hashed = Table::<Fingerprint, u64>::load(Kind::SESSIONS, vec![row("no hash", "7")]);
        assert!(hashed.is_err());
    }
}
