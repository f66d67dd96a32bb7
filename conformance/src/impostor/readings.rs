//! The permitted readings other than the reference's, each tied to the open rules that permit it.

use super::effect::{Kind, Variation};
use crate::chapters::variations;

/// One permitted reading.
pub type Reading = Variation;

/// All permitted readings.
pub fn all() -> impl Iterator<Item = &'static Reading> {
    variations::all().filter(|variation| variation.kind == Kind::Reading)
}

/// The reading of an id.
pub fn find(id: &str) -> Option<&'static Reading> {
    all().find(|reading| reading.id == id)
}
