//! Collects transcripts in a run that records them instead of comparing. Knows nothing of their form.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Transcripts by name.
#[derive(Debug, Default)]
pub struct Recorder(Mutex<BTreeMap<String, String>>);

impl Recorder {
    /// Records a transcript.
    pub fn record(&self, name: &str, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), text);
    }

    /// Name to transcript.
    pub fn into_transcripts(self) -> BTreeMap<String, String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
