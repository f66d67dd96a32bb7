//! Common platforms: for each the readings and habits of its servers where the documents leave them free, listed in `platforms.toml`.
//!
//! None of it is a fault: the suite must find each bundle conformant.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::habits;
use crate::impostor::readings;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Platform {
    /// Node.js with Express.
    Express,
    /// Python with `FastAPI`, Starlette and Uvicorn.
    Fastapi,
    /// Go's net/http.
    Go,
    /// Spring Boot: Tomcat and Jackson.
    Spring,
    /// PHP, its own server or Apache before it.
    Php,
    /// Ruby on Rails: Rack and Puma.
    Rails,
}

impl Platform {
    pub const ALL: [Self; 6] = [Self::Express, Self::Fastapi, Self::Go, Self::Spring, Self::Php, Self::Rails];

    pub fn name(self) -> &'static str {
        ["express", "fastapi", "go", "spring", "php", "rails"][self as usize]
    }

    /// The deviations of the platform from the reference: ids and sentences.
    pub fn ways(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let readings = readings::all().map(|reading| (reading.id, reading.text));
        let habits = habits::all().map(|habit| (habit.id, habit.text));
        let own = move || self.readings().iter().chain(self.habits());
        readings.chain(habits).filter(move |(id, _)| own().any(|own| own == id))
    }

    pub(crate) fn readings(self) -> &'static [String] {
        &BUNDLES[self.name()].readings
    }

    pub(crate) fn habits(self) -> &'static [String] {
        &BUNDLES[self.name()].habits
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bundle {
    readings: Vec<String>,
    habits: Vec<String>,
}

static BUNDLES: LazyLock<BTreeMap<String, Bundle>> =
    LazyLock::new(|| toml::from_str(include_str!("platforms.toml")).expect("a table of readings and habits each"));
