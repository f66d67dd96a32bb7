//! The reviewed snapshots built into the program, and the texts that a recording writes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};

use crate::case::Case;
use crate::snapshot::step::Step;
use crate::snapshot::step_spec::StepSpec;

static SNAPSHOTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/snapshots");

/// The reviewed transcripts by name: each step, and how it is compared.
static PLAYED: LazyLock<BTreeMap<String, Vec<(Step, StepSpec)>>> = LazyLock::new(|| {
    let played = |step: Step| (step.clone(), StepSpec::of(&step));
    let steps = |name: &String| steps(name).into_iter().flatten().map(played).collect();
    names().into_iter().map(|name| (name.clone(), steps(&name))).collect()
});

pub(super) fn played(name: &str) -> Option<&'static [(Step, StepSpec)]> {
    PLAYED.get(name).map(Vec::as_slice)
}

/// The steps of a reviewed transcript, without the head that insta writes.
pub(crate) fn steps(name: &str) -> Option<Vec<Step>> {
    let file = SNAPSHOTS.get_file(format!("{name}.snap"))?.contents_utf8()?;
    Some(Step::parse_all(file.split_once("\n---\n")?.1))
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
