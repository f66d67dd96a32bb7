//! The server judged from outside, over HTTP alone, by the suite whose program the environment names.
//!
//! What `just mutants` runs on every mutant of the server. It never links the suite, and without `LIBROS_CONFORMANCE` it says so
//! and passes: the suite judges the reference in its own tests anyway.

use std::process::Command;

/// The server with every interface on a free port, nothing on disk, passwords cheap to hash.
const OPTIONS: &str = "all --ephemeral --password-cost 8,1,1 --catalogue-addr 127.0.0.1:0 --users-addr 127.0.0.1:0 \
     --graphql-addr 127.0.0.1:0 --graphql-reduced-addr 127.0.0.1:0 --control-addr 127.0.0.1:0";

#[test]
fn suite_finds_no_fault() {
    let Some(suite) = std::env::var_os("LIBROS_CONFORMANCE") else {
        eprintln!("SKIPPED: LIBROS_CONFORMANCE does not name the suite's program");
        return;
    };
    let server = format!("'{}' {OPTIONS}", env!("CARGO_BIN_EXE_libros-server"));
    let status = Command::new(&suite)
        .args(["run", "--fail-fast", "--wait", "20", "--timeout", "10", "--seed", "1", "--spawn", &server])
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}", suite.display()));
    assert!(status.success(), "the suite ended with {status}");
}
