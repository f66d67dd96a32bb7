//! Cases of the chapter login: `POST /auth/login`.

use crate::case::Case;

pub mod first_shape;
pub mod known_devices;
pub mod refusals;
pub mod second_factor;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[first_shape::CASES, second_factor::CASES, known_devices::CASES, refusals::CASES];
