//! Runs the fuzz targets on their committed seeds, so that they compile and past findings stay fixed.
//!
//! The targets are outside the workspace, so that building it needs no libFuzzer.
#![cfg(feature = "reference")]

#[expect(unreachable_pub, reason = "a library of its own for the fuzzer, a module here")]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

fn take_seeds(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let seeds: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!seeds.is_empty(), "{} is empty", folder.display());
    for seed in seeds {
        eprintln!("{}", seed.display());
        check(&fs::read(seed).unwrap());
    }
}

#[test]
fn queries_are_answered_as_the_naive_list_answers_them() {
    take_seeds("list", targets::list::check);
}

#[test]
fn accepted_bodies_read_back_the_same() {
    take_seeds("record", targets::record::check);
}

#[test]
fn credentials_and_headers_get_an_answer_that_the_documents_know() {
    take_seeds("credential", targets::credential::check);
}

#[test]
fn graphql_requests_never_break_the_service() {
    take_seeds("graphql", targets::graphql::check);
}
