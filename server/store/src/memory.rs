//! The store that keeps nothing: `--ephemeral`.

use super::interface::Store;
use super::record::Change;

/// Confirms every change and forgets it; memory elsewhere is all there is.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryStore;

impl Store for MemoryStore {
    fn commit(&mut self, _changes: &[Change]) -> anyhow::Result<()> {
        Ok(())
    }

    fn keeps(&self) -> bool {
        false
    }
}
