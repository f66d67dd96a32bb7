//! Faults that break rules of the chapter consistency.

use super::Fault;
use crate::impostor::policy::{Apart, Faces, FirstCheck};

pub(crate) const FAULTS: &[Fault] = faults! {
    "reads-lag" breaks "consistency/one-order": "A book is read from a copy that may be thirty milliseconds old."
        => policy |p| p.books.read_staleness_ms = 30;
    "replica-lags" breaks "consistency/one-order": "The second of two replicas reads books as they were when it was last asked for one."
        => policy |p| p.faces = Faces::Two(Apart::Reads);
    "refused-replace-shown" breaks "consistency/refused-unseen": "A replace is stored before its credential is checked, and taken back when that fails."
        => policy |p| p.books.first_check = FirstCheck::AfterReplace;
};
