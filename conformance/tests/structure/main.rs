//! Checks the structure of each crate: no import circle, no import from a higher floor, and the boundaries of each room.
//!
//! Floors are listed from the ground up. Reads sources as text.

mod imports;
mod tidy;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use imports::{Edges, edges};

/// The floors of the server, the ground first; rooms of one line may import each other.
const SERVER: &[&[&str]] = &[
    &["message"],
    &["json_body", "worker_pool", "progress"],
    &["crypto"],
    &["context"],
    &["accounts"],
    &["response"],
    &["books", "auth", "demo"],
    &["catalogue"],
    &["control", "transport"],
    &["app", "transfer", "logging"],
    &["config"],
    &["opening"],
    &["run"],
    &["main", "lib"],
];

/// The floors of the suite's kit, the ground first; rooms of one line may import each other.
const KIT: &[&[&str]] = &[
    &["clock", "random", "printable", "mutex", "json", "oracle", "excerpt", "violation", "verdict", "worded"],
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
    floor.unwrap_or_else(|| panic!("{file} is on no floor: give `{room}` one in this test"))
}

/// The files that a file imports, directly or indirectly.
fn reached<'a>(edges: &'a Edges, from: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&String> = edges.get(from).into_iter().flatten().collect();
    while let Some(file) = next.pop() {
        if seen.insert(file.as_str()) {
            next.extend(edges.get(file).into_iter().flatten());
        }
    }
    seen
}

fn assert_reaches_none(edges: &Edges, is_meant: impl Fn(&str) -> bool, is_strange: impl Fn(&str) -> bool) {
    for file in edges.keys().filter(|file| is_meant(file)) {
        let strange: Vec<_> = reached(edges, file).into_iter().filter(|file| is_strange(file)).collect();
        assert!(strange.is_empty(), "{file} reaches {strange:?}");
    }
}

#[test]
fn no_file_imports_from_a_higher_floor() {
    for (member, floors) in [("server", SERVER), ("conformance/kit", KIT), ("conformance", SUITE)] {
        let edges = edges(member);
        let arrows = edges.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
        let up: Vec<_> = arrows.filter(|(from, to)| floor_of(floors, from) < floor_of(floors, to)).collect();
        assert!(up.is_empty(), "{member}: imports from a higher floor: {up:#?}");
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let of_server = ["server", "server/system", "server/query", "server/store"];
    for member in of_server.into_iter().chain(["conformance/model", "conformance/kit", "conformance"]) {
        let edges = edges(member);
        let in_circle = edges.iter().filter(|(file, _)| reached(&edges, file).contains(file.as_str()));
        let ties = in_circle.map(|(file, taken)| {
            let ties: Vec<_> = taken.iter().filter(|other| reached(&edges, other).contains(file.as_str())).collect();
            format!("{file} -> {ties:?}")
        });
        let ties: Vec<_> = ties.collect();
        assert!(ties.is_empty(), "{member}: files that import each other in a circle:\n{}", ties.join("\n"));
    }
}

/// Directly or indirectly. Readings bring their effects and the words for them.
#[test]
fn cases_reach_nothing_of_the_impostor_but_its_readings() {
    let mut edges = edges("conformance");
    // It only hints which fault an answer resembles, after the case has judged it.
    edges.remove("generate/queries/resemblance.rs");
    // The whole model is the oracle of generated histories, and of no other case.
    edges.remove("generate/histories/model.rs");
    let plays_no_histories = |file: &str| is_of_cases(file) && !file.ends_with("/histories.rs");
    assert_reaches_none(&edges, plays_no_histories, |file| file.starts_with("generate/histories/"));
    let known = ["impostor/readings.rs", "impostor/effect/", "impostor/world.rs"];
    let is_strange = |file: &str| file.starts_with("impostor/") && !known.iter().any(|known| file.starts_with(known));
    assert_reaches_none(&edges, is_of_cases, is_strange);
}

/// Directly or indirectly.
#[test]
fn the_impostor_and_its_variations_reach_no_case() {
    let is_of_impostor = |file: &str| file.starts_with("impostor/") || is_of_variations(file);
    assert_reaches_none(&edges("conformance"), is_of_impostor, is_of_cases);
}

/// What several of them do is an effect.
#[test]
fn the_variations_of_one_chapter_use_none_of_another() {
    let chapter = |file: &str| file.split('/').nth(1).map(str::to_owned);
    let edges = edges("conformance");
    for (file, taken) in edges.iter().filter(|(file, _)| is_of_variations(file) && file.matches('/').count() > 1) {
        let is_strange = |other: &&String| other.starts_with("chapters/") && chapter(other) != chapter(file);
        let strange: Vec<_> = taken.iter().filter(is_strange).collect();
        assert!(strange.is_empty(), "{file} uses {strange:?}");
    }
}
