//! Runs the shell script of `action.yml` as a runner does, with a release of this program in place of the download.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_libros-conformance");

/// A `curl` that copies the file with the URL's name.
const CURL: &str = "#!/bin/bash
while [ $# -gt 0 ]; do case \"$1\" in --output) out=$2; shift ;; https://*) url=$1 ;; esac; shift; done
cp \"$(dirname \"$0\")/${url##*/}\" \"$out\"
";

/// The script of the only step.
fn shell() -> String {
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../action.yml")).unwrap();
    let (_, shell) = action.split_once("run: |\n").expect("a step of several lines");
    shell.lines().map(|line| line.strip_prefix("        ").unwrap_or_default().to_owned() + "\n").collect()
}

fn bash(folder: &Path, script: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(folder);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).env("PROGRAM", PROGRAM).envs(variables.iter().copied()).output().unwrap()
}

/// Writes a release of this program, and the replacement of `curl`.
fn release(folder: &Path) {
    let pack =
        "name=libros-1.2.3-$(uname -m)-unknown-linux-musl; mkdir $name; ln -s \"$PROGRAM\" $name/libros-conformance
        tar -czf $name.tar.gz $name; sha256sum $name.tar.gz > $name.tar.gz.sha256; rm -r $name";
    let packed = bash(folder, pack, &[]);
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    fs::write(folder.join("curl"), CURL).unwrap();
    fs::set_permissions(folder.join("curl"), fs::Permissions::from_mode(0o755)).unwrap();
}

fn judge(folder: &Path, spawn: &str, arguments: &str) -> Output {
    let variables = [
        ("REPOSITORY", "owner/name"),
        ("TAG", "v1.2.3"),
        ("PROFILE", ""),
        ("URL", ""),
        ("SPAWN", spawn),
        ("EXPECTED", ""),
        ("REPORTS", "reports"),
        ("ARGUMENTS", arguments),
        ("GITHUB_OUTPUT", "output"),
        ("GITHUB_STEP_SUMMARY", "summary"),
    ];
    bash(folder, &shell(), &variables)
}

#[test]
fn the_action_judges_annotates_and_hands_on_the_last_word() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    release(folder);
    let listeners = ["catalogue", "users", "graphql", "graphql-reduced", "control"];
    let places: String = listeners.map(|name| format!(" --{name}-addr 127.0.0.1:0")).concat();
    let spawn = format!("{PROGRAM} impostor --fault limit-max-is-101{places}");
    let output = judge(folder, &spawn, "paging::limit_above_100_is_clamped\n--jobs\n2\n");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("FAIL paging::limit_above_100_is_clamped"), "{shown}");
    assert!(shown.contains("\n::error file=seeds/rules/paging.toml,"), "{shown}");
    assert_eq!(fs::read_to_string(folder.join("output")).unwrap(), "result=not-conformant\n");
    assert!(fs::read_to_string(folder.join("summary")).unwrap().contains("paging/limit-maximum"));
    for report in ["report.json", "report.xml", "report.html"] {
        assert!(folder.join("reports").join(report).is_file(), "{report}");
    }
}

#[test]
fn what_does_not_match_its_checksum_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    release(folder);
    bash(folder, "echo more >> libros-1.2.3-*.tar.gz", &[]);
    let output = judge(folder, "", "paging/limit-maximum");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && shown.contains("FAILED"), "{shown}");
    assert!(!folder.join("reports").exists());
}
