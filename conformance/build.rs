//! Says which data files are built into the program, and notes where everything stands: the line of each rule, case, fault and
//! reading, and the lines of the server that decide a rule. `explain` shows them.
//!
//! Reads sources as text; a test holds that nothing is missed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for path in ["../seeds", "../fixtures/vectors", "../fixtures/targets", "snapshots", "src", "../server/src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let mut text = String::new();
    write_table(&mut text, "RULES", declared(&root, "seeds/rules", "toml", rule));
    write_table(&mut text, "CASES", cases(&root));
    write_table(&mut text, "FAULTS", declared(&root, "conformance/src/impostor/faults", "rs", fault));
    write_table(&mut text, "READINGS", declared(&root, "conformance/src/impostor/readings", "rs", reading));
    write_table(&mut text, "DECISIONS", decisions(&root));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("locations.rs");
    fs::write(&out, text).expect("OUT_DIR can be written to");
    fold_identical_functions();
}

/// Lets the linker keep one of functions that compiled to the same code: a fifth of the program. Only the linker that comes with
/// the toolchain is known to have the option; with any other the program is larger, and as right.
fn fold_identical_functions() {
    const LLD: &str = "lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld/ld.lld";
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    let is_default_linker = is("CARGO_ENCODED_RUSTFLAGS", "") && env::var_os("RUSTC_LINKER").is_none();
    if !is_default_linker || !is("TARGET", "x86_64-unknown-linux-gnu") || !is("PROFILE", "release") {
        return;
    }
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let sysroot = Command::new(rustc).args(["--print", "sysroot"]).output().map(|output| output.stdout);
    let sysroot = sysroot.ok().and_then(|sysroot| String::from_utf8(sysroot).ok());
    if sysroot.is_some_and(|sysroot| Path::new(sysroot.trim()).join(LLD).exists()) {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// An id and where it stands, `file:line`.
type Location = (String, String);

fn write_table(text: &mut String, name: &str, mut rows: Vec<Location>) {
    rows.sort();
    _ = writeln!(text, "const {name}: &[(&str, &str)] = &[");
    for (id, place) in rows {
        _ = writeln!(text, "    ({id:?}, {place:?}),");
    }
    text.push_str("];\n");
}

/// `id = "paging/limit-maximum"`
fn rule(line: &str) -> Option<&str> {
    quoted(line.strip_prefix("id")?.trim_start().strip_prefix('=')?)
}

/// `"min-exclusive" breaks "list/min-inclusive": ...`
fn fault(line: &str) -> Option<&str> {
    quoted(line).filter(|_| line.contains("\" breaks \""))
}

/// `"q-joined" by "list/q-repeated": ...`
fn reading(line: &str) -> Option<&str> {
    quoted(line).filter(|_| line.contains("\" by \""))
}

/// The text between the quotes that a line begins with.
fn quoted(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('"')?.split('"').next()
}

fn declared(root: &Path, folder: &str, extension: &str, id_of: fn(&str) -> Option<&str>) -> Vec<Location> {
    let mut rows = Vec::new();
    for (name, text) in files(root, folder, extension) {
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(id) = id_of(line) {
                rows.push((id.to_owned(), format!("{name}:{number}")));
            }
        }
    }
    rows
}

/// Cases: `cases! { "paging";` and below it `limit_above_100_is_clamped judges [...]`.
fn cases(root: &Path) -> Vec<Location> {
    let mut rows = Vec::new();
    for (name, text) in files(root, "conformance/src/cases", "rs") {
        let mut chapter = None;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in (1..).zip(&lines) {
            if let Some((_, rest)) = line.split_once("cases! {").or_else(|| line.split_once("rows! {")) {
                chapter = quoted(rest);
            }
            // rustfmt breaks long rows after the name.
            let word = line.split_once(" judges [").map(|(word, _)| word);
            let word =
                word.or_else(|| Some(*line).filter(|_| lines.get(number).is_some_and(|l| l.starts_with("judges ["))));
            let word = word.filter(|word| word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
            if let (Some(chapter), Some(word)) = (chapter, word) {
                rows.push((format!("{chapter}::{word}"), format!("{name}:{number}")));
            }
        }
    }
    rows
}

/// The lines of the server below each comment `// rule: a/b, c/d`.
fn decisions(root: &Path) -> Vec<Location> {
    let mut rows = Vec::new();
    for (name, text) in files(root, "server/src", "rs") {
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (index, line) in lines.iter().enumerate() {
            let Some((_, cited)) = line.split_once("// rule:") else {
                continue;
            };
            let below = lines[index..].iter().position(|line| !line.starts_with("//") && !line.starts_with("#["));
            let place = format!("{name}:{}", index + 1 + below.unwrap_or_default());
            rows.extend(cited.split(',').map(|id| (id.trim().to_owned(), place.clone())));
        }
    }
    rows
}

/// Every file of a folder with that extension: path from the root, and text.
fn files(root: &Path, folder: &str, extension: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(next) = folders.pop() {
        // Without the sources beside it the program says no places; everything else works.
        for path in fs::read_dir(next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension)
                && let Ok(text) = fs::read_to_string(&path)
            {
                let name = path.strip_prefix(root).expect("it was found below the root");
                found.push((name.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found
}
