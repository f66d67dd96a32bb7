//! Records source locations for `explain`: the line of each rule, case and variation, the functions that judge a case or are the effect of
//! a variation, and the lines of the server that decide a rule. Also names the data files built into the program.
//!
//! Reads sources as text; a test finds what it misses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    // Read at run time: `env!` would keep the old path in a copied build folder.
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join("..");
    for path in ["../seeds", "../fixtures/vectors", "../fixtures/targets", "snapshots", "src", "../server"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let [cases, judges, variations, effects] = chapters(&root);
    let tables = [
        ("RULES", rules(&root)),
        ("CASES", cases),
        ("JUDGES", judges),
        ("VARIATIONS", variations),
        ("EFFECTS", effects),
        ("DECISIONS", decisions(&root)),
    ];
    let text: String = tables.into_iter().map(|(name, rows)| table(name, rows)).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("locations.rs");
    fs::write(&out, text).expect("OUT_DIR can be written to");
    shrink_the_program();
}

/// Lets the linker merge equal functions, which saves a fifth of the program, and pack relocations, which saves a twelfth. Only the
/// toolchain's own linker is known to do the first, and only glibc from 2.36 on to load the second.
fn shrink_the_program() {
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
        if glibc_minor().is_some_and(|minor| minor >= 36) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// The `41` of `glibc 2.41` on this machine.
fn glibc_minor() -> Option<u32> {
    let version = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?.stdout;
    String::from_utf8(version).ok()?.trim().strip_prefix("glibc 2.")?.parse().ok()
}

/// An id and its location, `file:line`.
type Location = (String, String);

fn table(name: &str, mut rows: Vec<Location>) -> String {
    rows.sort_by(|one, other| one.0.cmp(&other.0));
    let mut text = format!("/// An id and its location each.\npub const {name}: &[(&str, &str)] = &[\n");
    for (id, place) in rows {
        _ = writeln!(text, "    ({id:?}, {place:?}),");
    }
    text + "];\n"
}

/// The text between the quotes that a line begins with.
fn quoted(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('"')?.split('"').next()
}

/// `id = "paging/limit-maximum"`
fn rules(root: &Path) -> Vec<Location> {
    let files = files(root, "seeds/rules", "toml");
    let lines = files.iter().flat_map(|(file, text)| (1..).zip(text.lines()).map(move |line| (file, line)));
    let row = |(file, (number, line)): (&String, (usize, &str))| {
        let value = line.strip_prefix("id")?.trim_start().strip_prefix('=')?;
        Some((quoted(value)?.to_owned(), format!("{file}:{number}")))
    };
    lines.filter_map(row).collect()
}

/// Cases (those in TOML too), the functions that judge them, variations, the functions in their effects. `line!` cannot give these
/// lines: within a row of a macro it gives the line of the macro.
fn chapters(root: &Path) -> [Vec<Location>; 4] {
    let (files, shared) =
        (files(root, "conformance/src/chapters", "rs"), files(root, "conformance/src/impostor/effect", "rs"));
    let [mut cases, mut judges, mut variations, mut effects] = [const { Vec::new() }; 4];
    let of_cases = functions(&files);
    for (name, text) in self::files(root, "conformance/src/chapters", "toml") {
        let chapter = name.rsplit('/').nth(1).unwrap_or_default().replace('_', "-");
        let judge = if text.contains("\nsteps") { "exchanged" } else { "listed" };
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(case) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                let id = format!("{chapter}::{case}");
                judges.extend(place_of(judge, &name, &of_cases).map(|place| (id.clone(), place)));
                cases.push((id, format!("{name}:{number}")));
            }
        }
    }
    for file in &files {
        let (name, text) = file;
        let functions = functions(shared.iter().chain([file]));
        let lines: Vec<&str> = text.lines().collect();
        let (mut chapter, mut variation) = ("", None);
        for (number, line) in (1..).zip(&lines) {
            if let Some((_, head)) = line.split_once("cases! {") {
                chapter = quoted(head).unwrap_or_default();
            } else if let Some((word, _)) = line.split_once(" judges [").filter(|_| line.starts_with("    ")) {
                let id = format!("{chapter}::{}", word.trim());
                let judge = judge(&lines[number - 1..]).and_then(|judge| place_of(judge, name, &of_cases));
                judges.extend(judge.map(|place| (id.clone(), place)));
                cases.push((id, format!("{name}:{number}")));
            } else if let Some(id) = quoted(line).filter(|_| line.contains("\" breaks \"") || line.contains("\" by ")) {
                variation = Some(id);
                variations.push((id.to_owned(), format!("{name}:{number}")));
            } else if *line == "};" {
                variation = None;
            } else if let Some(id) = variation {
                let named = words(line).filter_map(|word| place_of(word, name, &functions));
                effects.extend(named.map(|place| (id.to_owned(), place)));
            }
        }
    }
    let mut seen = BTreeSet::new();
    effects.retain(|row| seen.insert(row.clone()));
    [cases, judges, variations, effects]
}

/// The function that judges the case of these lines, if one does: the one behind `by`.
fn judge<'t>(lines: &[&'t str]) -> Option<&'t str> {
    let end = lines.iter().position(|line| line.ends_with(';'))?;
    let behind_by = |line: &&'t str| {
        line.split_once("by ").filter(|(before, _)| before.trim().is_empty() || before.ends_with("] "))
    };
    lines[..=end].iter().find_map(behind_by).and_then(|(_, call)| call.split('(').next())
}

/// The words of a line that may be names of functions: no fields, methods or paths in a module, and nothing quoted.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split('"').step_by(2);
    let parts = code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && !"_.:".contains(c)));
    parts.filter(|word| !word.is_empty() && !word.contains(['.', ':']))
}

/// Function names to the files and lines that define them.
type Functions<'f> = BTreeMap<&'f str, Vec<(&'f str, usize)>>;

fn functions<'f>(files: impl IntoIterator<Item = &'f (String, String)>) -> Functions<'f> {
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
            let Some((_, cited)) = line.split_once("// rule:") else { continue };
            let below = lines[index..].iter().position(|line| !line.starts_with("//") && !line.starts_with("#["));
            let place = format!("{name}:{}", index + 1 + below.unwrap_or_default());
            rows.extend(cited.split(',').map(|id| (id.trim().to_owned(), place.clone())));
        }
    }
    rows
}

/// Every file of a folder with that extension: path from the root, and text.
fn files(root: &Path, folder: &str, extension: &str) -> Vec<(String, String)> {
    // Without the sources, `explain` shows no locations; everything else works.
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| {
        let (path, name) = (entry.path(), format!("{folder}/{}", entry.file_name().to_string_lossy()));
        if path.is_dir() {
            return files(root, &name, extension);
        }
        let is_meant = path.extension().is_some_and(|found| found == extension);
        is_meant.then(|| fs::read_to_string(path).ok()).flatten().map(|text| (name, text)).into_iter().collect()
    });
    let mut found: Vec<_> = below.collect();
    found.sort();
    found
}
