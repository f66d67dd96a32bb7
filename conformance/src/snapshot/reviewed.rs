//! The reviewed snapshots built into the program, and the texts that a recording writes.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};

use crate::case::Case;
use crate::snapshot::step::Step;

static SNAPSHOTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/snapshots");

pub(crate) fn steps(name: &str) -> Option<Vec<Step>> {
    Some(Step::parse_all(text(name)?))
}

pub fn names() -> Vec<String> {
    let stems = SNAPSHOTS
        .files()
        .filter(|file| file.path().extension().is_some_and(|ext| ext == "snap"))
        .filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned()));
    stems.collect()
}

/// The files of recorded transcripts. Each opens with the sentence of its case.
pub fn files(recorded: &BTreeMap<String, String>, cases: &[&Case]) -> BTreeMap<String, String> {
    let file = |(name, text): (&String, &String)| {
        let about = cases.iter().find(|case| case.name == name.as_str()).map_or("", |case| case.about.trim());
        (name.clone(), format!("{about}\n\n{text}"))
    };
    recorded.iter().map(file).collect()
}

fn text(name: &str) -> Option<&'static str> {
    let file = SNAPSHOTS.get_file(format!("{name}.snap"))?.contents_utf8()?;
    Some(file.strip_prefix("---\n")?.split_once("\n---\n")?.1)
}
