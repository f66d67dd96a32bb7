//! The permitted readings other than the reference's, each tied to the open rules that permit it.

use super::effect::{Kind, Variation};
use crate::chapters::variations;

pub type Reading = Variation;

pub fn all() -> impl Iterator<Item = &'static Reading> {
    variations::all().filter(|variation| variation.kind == Kind::Reading)
}

pub fn find(id: &str) -> Option<&'static Reading> {
    all().find(|reading| reading.id == id)
}
