//! Records source locations for `explain`: the line of each rule, case, fault and reading, the functions that judge a
//! case or are the effect of a fault, and the lines of the server that decide a rule. Also names the data files built
//! into the program.
//!
//! Reads sources as text; a test finds what it misses.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const CHAPTERS: &str = "conformance/src/chapters";
/// Functions that effects share.
const EFFECT: &str = "conformance/src/impostor/effect";

fn main() {
    // Asked for when it runs: a build folder that was copied would know the place it came from.
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join("..");
    for path in ["../seeds", "../fixtures/vectors", "../fixtures/targets", "snapshots", "src", "../server"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let mut text = String::new();
    write_table(&mut text, "RULES", declared(&root, "seeds/rules", "toml", rule));
    let (cases, judges) = cases(&root);
    write_table(&mut text, "CASES", cases);
    write_table(&mut text, "JUDGES", judges);
    write_table(&mut text, "FAULTS", declared(&root, CHAPTERS, "rs", fault));
    write_table(&mut text, "READINGS", declared(&root, CHAPTERS, "rs", reading));
    write_table(&mut text, "FAULT_EFFECTS", effects(&root, CHAPTERS, fault));
    write_table(&mut text, "READING_EFFECTS", effects(&root, CHAPTERS, reading));
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

/// An id and its location, `file:line`.
type Location = (String, String);

fn write_table(text: &mut String, name: &str, mut rows: Vec<Location>) {
    rows.sort_by(|one, other| one.0.cmp(&other.0));
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

/// `"q-joined" by "list/q-repeated": ...`, `"401-bare" by silence: ...`
fn reading(line: &str) -> Option<&str> {
    quoted(line).filter(|_| line.contains("\" by "))
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

/// Cases, and the functions that judge them: `cases! { "paging";` and below it `limit_above_100_is_clamped judges [...]`, which a
/// function of that name judges, or the one behind `by`; or `rows! { "headers" by everywhere;`, whose rows one function judges.
fn cases(root: &Path) -> (Vec<Location>, Vec<Location>) {
    let files = files(root, CHAPTERS, "rs");
    let functions = functions(&files);
    let (mut entries, mut judges) = (Vec::new(), Vec::new());
    for (name, text) in &files {
        let (mut chapter, mut runner) = (None, None);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in (1..).zip(&lines) {
            if let Some((_, rest)) = line.split_once("cases! {").or_else(|| line.split_once("rows! {")) {
                chapter = quoted(rest);
                runner = rest.split_once("\" by ").map(|(_, path)| path.trim_end_matches(';'));
            }
            // rustfmt breaks long rows after the name.
            let word = line.split_once(" judges [").map(|(word, _)| word);
            let word =
                word.or_else(|| Some(*line).filter(|_| lines.get(number).is_some_and(|l| l.starts_with("judges ["))));
            let word = word.filter(|word| word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
            if let (Some(chapter), Some(word)) = (chapter, word) {
                let id = format!("{chapter}::{word}");
                let judge =
                    place_of(runner.or_else(|| named_judge(&lines[number - 1..])).unwrap_or(word), name, &functions);
                judges.extend(judge.map(|place| (id.clone(), place)));
                entries.push((id, format!("{name}:{number}")));
            }
        }
    }
    (entries, judges)
}

/// The function that an entry of `cases!`, the first of these lines, names by `by`.
fn named_judge<'t>(lines: &[&'t str]) -> Option<&'t str> {
    let end = lines.iter().position(|line| line.ends_with(';'))?;
    let call = lines[..=end].iter().find_map(|line| {
        let (before, call) = line.split_once("by ")?;
        (before.is_empty() || before.ends_with("] ")).then_some(call)
    })?;
    call.split('(').next()
}

/// The functions that the effect of a fault or a reading names: those of its own file, and those that effects share.
fn effects(root: &Path, folder: &str, id_of: fn(&str) -> Option<&str>) -> Vec<Location> {
    let shared = files(root, EFFECT, "rs");
    let mut rows: Vec<Location> = Vec::new();
    for file in files(root, folder, "rs") {
        let mut functions = functions(&shared);
        functions.extend(self::functions(std::slice::from_ref(&file)));
        let (name, text) = &file;
        let mut id = None;
        for line in text.lines() {
            if let Some(declared) = id_of(line) {
                id = Some(declared);
                continue;
            }
            id = id.filter(|_| line != "};");
            let Some(id) = id else { continue };
            for place in words(line).filter_map(|word| place_of(word, name, &functions)) {
                let row = (id.to_owned(), place);
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
    }
    rows
}

/// The words of a line that may be names of functions: no fields, methods or paths in a module, and nothing quoted.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split('"').step_by(2);
    let parts = code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && !"_.:".contains(c)));
    parts.filter(|word| !word.is_empty() && !word.contains(['.', ':']))
}

/// Every function of some files: in which of them, and at which line.
type Functions<'f> = BTreeMap<&'f str, Vec<(&'f str, usize)>>;

fn functions(files: &[(String, String)]) -> Functions<'_> {
    let mut functions = Functions::new();
    for (file, text) in files {
        for (number, line) in (1..).zip(text.lines()) {
            let head = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
            let name = head.strip_prefix("fn ").and_then(|head| head.split(['(', '<']).next());
            if let Some(name) = name {
                functions.entry(name).or_default().push((file, number));
            }
        }
    }
    functions
}

/// `name file:line` of a function that is named in this file: one of the file itself, or else the nearest.
fn place_of(name: &str, file: &str, functions: &Functions<'_>) -> Option<String> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let nearest = |(place, _): &&(&str, usize)| (*place != file, !place.starts_with(folder));
    let (place, line) = functions.get(name)?.iter().min_by_key(nearest)?;
    Some(format!("{name} {place}:{line}"))
}

/// The lines of the server below each comment `// rule: a/b, c/d`.
fn decisions(root: &Path) -> Vec<Location> {
    let mut rows = Vec::new();
    for (name, text) in files(root, "server", "rs") {
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
        // Without the sources, `explain` shows no locations; everything else works.
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
    found.sort();
    found
}
