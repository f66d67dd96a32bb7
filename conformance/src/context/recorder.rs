//! Where a run writes transcripts down instead of comparing them. Knows nothing of their form.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Transcripts by name.
#[derive(Debug, Default)]
pub struct Recorder(Mutex<BTreeMap<String, String>>);

impl Recorder {
    /// Writes a transcript down.
    pub fn record(&self, name: &str, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), text);
    }

    /// All of them, name to text.
    pub fn into_transcripts(self) -> BTreeMap<String, String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
