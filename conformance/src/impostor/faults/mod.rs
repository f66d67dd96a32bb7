//! Which faults are switched on, and the table of all there are. A fault is one realistic slip of an implementer.

/// The set of active fault ids and of permitted other readings; normally empty.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    faults: Vec<&'static str>,
    readings: Vec<&'static str>,
}

impl Faults {
    /// Nothing wrong.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether the fault is active.
    pub(super) fn on(&self, id: &str) -> bool {
        self.faults.contains(&id)
    }

    /// Whether a permitted reading, other than the reference's, is in force.
    pub(super) fn reads(&self, id: &str) -> bool {
        self.readings.contains(&id)
    }
}
