//! Cases of the chapter verification: the request, the shape of the answer, trustDevice, and what is refused.

use crate::case::Case;

mod answers;
mod lifetime;
mod refusals;
mod trust;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[answers::CASES, lifetime::CASES, trust::CASES, refusals::CASES];
