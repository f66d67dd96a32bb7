//! The imports of a crate, parsed from its sources as text: which file uses names of which other file.
//!
//! Ignores tests. A name re-exported with `pub use` by a `mod.rs` counts as imported from the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::sources;

type Segments = Vec<String>;

/// Files by their paths relative to the `src` of a crate, each with the files it imports from.
pub(crate) type Edges = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn edges(member: &str) -> Edges {
    let src = format!("{member}/src");
    let name = |path: &str| path.strip_prefix(&format!("{src}/")).unwrap().to_owned();
    let mut texts: BTreeMap<_, _> = sources(&src).iter().map(|(path, text)| (name(path), code_of(text))).collect();
    let for_tests: BTreeSet<String> = texts.iter().flat_map(|(name, text)| test_files(name, text)).collect();
    texts.retain(|name, _| !for_tests.contains(name));
    let files = texts.keys().map(|name| (module_of(name), name.clone())).collect();
    let mut imports = Imports { files, texts, handed_on: BTreeMap::new() };
    imports.handed_on = imports.re_exports();
    let of = |name: &String| {
        let taken = imports.used(name, false).into_iter().filter_map(|path| imports.file_of(&path).map(str::to_owned));
        (name.clone(), taken.filter(|other| other != name).collect())
    };
    imports.texts.keys().map(of).collect()
}

/// The files of a crate by module, their code by file, and what they hand on.
struct Imports {
    files: BTreeMap<Segments, String>,
    texts: BTreeMap<String, String>,
    handed_on: BTreeMap<(String, String), String>,
}

impl Imports {
    /// (folder's `mod.rs`, name) to the file that defines the name.
    fn re_exports(&self) -> BTreeMap<(String, String), String> {
        let mut handed_on = BTreeMap::new();
        for name in self.texts.keys() {
            for path in self.used(name, true) {
                if let (Some(file), Some(item)) = (self.file_of(&path), path.last()) {
                    handed_on.insert((name.clone(), item.clone()), file.to_owned());
                }
            }
        }
        handed_on
    }

    fn file_of(&self, path: &[String]) -> Option<&str> {
        let depth = (0..=path.len()).rev().find(|depth| self.files.contains_key(&path[..*depth]))?;
        let file = &self.files[&path[..depth]];
        let handed_on = path.get(depth).and_then(|item| self.handed_on.get(&(file.clone(), item.clone())));
        // `lib.rs` has no code of its own: it declares rooms and hands on those of other crates.
        // Without an item the module itself is imported, as in `use super::ranked;`.
        handed_on.or((depth > 0).then_some(file)).map(String::as_str)
    }

    /// The paths in a file's `use` lines, or `pub use` lines, and inline paths from `crate`.
    fn used(&self, name: &str, handed_on: bool) -> Vec<Segments> {
        let (text, module) = (&self.texts[name], module_of(name));
        let uses = text.split(';').filter_map(|statement| {
            let (head, tree) = statement.rsplit_once("use ")?;
            let before = head.rsplit('\n').next()?.trim();
            let is_public = before.starts_with("pub");
            ((before.is_empty() || is_public) && is_public == handed_on).then(|| expanded(tree))
        });
        let inline = text.split("crate::").skip(1).filter(|_| !handed_on).map(|path| {
            let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
            format!("crate::{}", path[..end].trim_end_matches(':'))
        });
        uses.flatten().chain(inline).filter_map(|path| self.absolute(&module, &path)).collect()
    }

    /// A path as written in a module, from the crate's root; `None` for other crates.
    fn absolute(&self, module: &[String], path: &str) -> Option<Segments> {
        let mut segments = path.split("::").map(str::trim).map(str::to_owned).collect::<Vec<_>>();
        match segments.first()?.as_str() {
            "crate" => Some(segments.split_off(1)),
            "self" => Some([module, &segments[1..]].concat()),
            "super" => {
                let up = segments.iter().take_while(|segment| *segment == "super").count();
                Some([&module[..module.len().checked_sub(up)?], &segments[up..]].concat())
            }
            first => {
                let child = [module, &[first.to_owned()]].concat();
                self.files.contains_key(&child).then(|| [module, &segments[..]].concat())
            }
        }
    }
}

/// `a::{b, c::{d}}` as `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let Some((head, inner)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(c),
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty() && *part != "self");
    parts.flat_map(expanded).map(|part| format!("{}{part}", head.trim())).collect()
}

fn module_of(name: &str) -> Segments {
    let stem = name.trim_end_matches(".rs");
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    // `lib` is the root of the crate; `main` is another crate above it.
    if stem == "lib" { Vec::new() } else { stem.split('/').map(str::to_owned).collect() }
}

/// Code without comments and without the tests at its end.
fn code_of(text: &str) -> String {
    let is_module = |rest: &str| rest.lines().next().is_some_and(|line| line.contains("mod ") && line.ends_with('{'));
    let mut for_tests = text.match_indices("#[cfg(test)]\n").filter(|(at, mark)| is_module(&text[at + mark.len()..]));
    let code = &text[..for_tests.next().map_or(text.len(), |(at, _)| at)];
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// The files of modules that are compiled only for tests.
fn test_files(name: &str, text: &str) -> Vec<String> {
    let folder = if name.ends_with("/mod.rs") || !name.contains('/') && matches!(name, "lib.rs" | "main.rs") {
        PathBuf::from(name).parent().unwrap().to_path_buf()
    } else {
        PathBuf::from(name.trim_end_matches(".rs"))
    };
    let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| rest.trim_start().strip_prefix("mod "));
    let declared = declared.filter_map(|rest| rest.split_once(';').filter(|(name, _)| !name.contains('{')));
    declared.map(|(module, _)| folder.join(format!("{module}.rs")).to_str().unwrap().to_owned()).collect()
}
