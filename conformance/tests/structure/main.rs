//! Checks the structure: in each crate no files import each other in a circle, none imports from a higher floor, and each room keeps
//! its boundaries.
//!
//! Floors are listed from the ground up. Reads sources as text.

mod imports;
mod tidy;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::Imports;

/// The floors of the server, the ground first; rooms of one line may import each other.
const SERVER: &[&[&str]] = &[
    &["message"],
    &["worker_pool"],
    &["crypto"],
    &["context"],
    &["accounts"],
    &["response"],
    &["books", "auth", "demo"],
    &["catalogue"],
    &["control", "transport"],
    &["app", "transfer", "logging", "progress"],
    &["config"],
    &["run"],
    &["main", "lib"],
];

/// The floors of the suite's kit, the ground first; rooms of one line may import each other.
const KIT: &[&[&str]] = &[
    &["clock", "random", "printable", "oracle", "excerpt", "violation", "verdict", "declared_rules"],
    &["implementation"],
    &["http"],
    &["context"],
    &["fixture", "inputs"],
    &["lib"],
];

/// The floors of the suite above its kit, the ground first; rooms of one line may import each other.
const SUITE: &[&[&str]] = &[
    &["contract", "implementation"],
    &["effect"],
    &["variations"],
    &["impostor"],
    &["invariants"],
    &["case"],
    &["snapshot", "generate"],
    &["chapters"],
    &["cases"],
    &["runner"],
    &["report", "selftest"],
    &["bench", "book", "compare", "nemesis", "watch"],
    &["commands"],
    &["main", "lib"],
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every Rust source below a folder, with its path from the root, with forward slashes.
fn sources(below: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(below)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "{below} has no sources: has it moved?");
    found
}

/// Variations are in the folders of their chapters.
fn is_of_variations(file: &str) -> bool {
    file.starts_with("chapters/") && file.contains("/variations")
}

fn is_of_cases(file: &str) -> bool {
    file.starts_with("chapters/") && !is_of_variations(file)
}

/// The first folder, but for what the chapters and the impostor have of each other.
fn room_of(file: &str) -> &str {
    match file {
        "chapters/cases.rs" => "cases",
        "chapters/variations.rs" => "impostor",
        "impostor/world.rs" => "effect",
        file if is_of_variations(file) => "variations",
        file if file.starts_with("impostor/effect/") => "effect",
        file => file.split('/').next().unwrap_or_default().trim_end_matches(".rs"),
    }
}

fn floor_of(floors: &[&[&str]], file: &str) -> usize {
    let room = room_of(file);
    let floor = floors.iter().position(|rooms| rooms.contains(&room));
    floor.unwrap_or_else(|| panic!("{file} stands on no floor: give `{room}` one in this test"))
}

fn assert_no_arrow_runs_up(member: &str, floors: &[&[&str]]) {
    let imports = Imports::read(member);
    let edges = imports.edges();
    let arrows = edges.iter().flat_map(|(from, to)| to.iter().map(move |to| (*from, *to)));
    let up: Vec<_> = arrows.filter(|(from, to)| floor_of(floors, from) < floor_of(floors, to)).collect();
    assert!(up.is_empty(), "{member}: imports from a higher floor: {up:#?}");
}

/// The files that a file imports, directly or indirectly.
fn reached<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&str> = edges.get(from).into_iter().flatten().copied().collect();
    while let Some(file) = next.pop() {
        if seen.insert(file) {
            next.extend(edges.get(file).into_iter().flatten());
        }
    }
    seen
}

fn assert_no_circle(member: &str) {
    let imports = Imports::read(member);
    let edges = imports.edges();
    let in_circle: Vec<&str> = imports.files().filter(|file| reached(&edges, file).contains(file)).collect();
    let mut told = Vec::new();
    for file in &in_circle {
        let ties: Vec<_> = edges[file].iter().filter(|other| reached(&edges, other).contains(file)).collect();
        told.push(format!("{file} -> {ties:?}"));
    }
    assert!(told.is_empty(), "{member}: files that import each other in a circle:\n{}", told.join("\n"));
}

#[test]
fn no_file_of_the_server_imports_from_a_higher_floor() {
    assert_no_arrow_runs_up("server", SERVER);
}

#[test]
fn no_files_of_the_server_import_each_other_in_a_circle() {
    for member in ["server", "server/system", "server/query", "server/store"] {
        assert_no_circle(member);
    }
}

#[test]
fn no_file_of_the_suite_imports_from_a_higher_floor() {
    assert_no_arrow_runs_up("conformance/kit", KIT);
    assert_no_arrow_runs_up("conformance", SUITE);
}

#[test]
fn no_files_of_the_suite_import_each_other_in_a_circle() {
    for member in ["conformance/model", "conformance/kit", "conformance"] {
        assert_no_circle(member);
    }
}

/// Directly or indirectly. Readings bring their effects and the words for them.
#[test]
fn cases_reach_nothing_of_the_impostor_but_its_readings() {
    let imports = Imports::read("conformance");
    let mut edges = imports.edges();
    // It only hints which fault an answer resembles, after the case has judged it.
    edges.remove("generate/queries/resemblance.rs");
    // The whole model is the oracle of generated histories, and of no other case.
    edges.remove("generate/histories/model.rs");
    for file in imports.files().filter(|file| is_of_cases(file) && !file.ends_with("/histories.rs")) {
        let strange: Vec<_> =
            reached(&edges, file).into_iter().filter(|file| file.starts_with("generate/histories/")).collect();
        assert!(strange.is_empty(), "{file} reaches {strange:?}");
    }
    let known = ["impostor/readings.rs", "impostor/effect/", "impostor/world.rs"];
    for file in imports.files().filter(|file| is_of_cases(file)) {
        let reached = reached(&edges, file);
        let strange = reached.iter().filter(|file| file.starts_with("impostor/"));
        let strange: Vec<_> = strange.filter(|file| !known.iter().any(|known| file.starts_with(known))).collect();
        assert!(strange.is_empty(), "{file} reaches {strange:?}");
    }
}

/// Directly or indirectly.
#[test]
fn the_impostor_and_its_variations_reach_no_case() {
    let imports = Imports::read("conformance");
    let edges = imports.edges();
    for file in imports.files().filter(|file| file.starts_with("impostor/") || is_of_variations(file)) {
        let strange: Vec<_> = reached(&edges, file).into_iter().filter(|file| is_of_cases(file)).collect();
        assert!(strange.is_empty(), "{file} reaches {strange:?}");
    }
}

/// What several of them do is an effect.
#[test]
fn the_variations_of_one_chapter_use_none_of_another() {
    let imports = Imports::read("conformance");
    let chapter = |file: &str| file.split('/').nth(1).map(str::to_owned);
    for (file, taken) in
        imports.edges().into_iter().filter(|(file, _)| is_of_variations(file) && file.matches('/').count() > 1)
    {
        let strange: Vec<_> = taken
            .into_iter()
            .filter(|other| other.starts_with("chapters/") && chapter(other) != chapter(file))
            .collect();
        assert!(strange.is_empty(), "{file} uses {strange:?}");
    }
}
