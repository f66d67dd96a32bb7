//! Cases that are data: reads the entries of the `*.toml` files of the chapters. What an entry holds besides its head, its reader knows.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::case::{Case, CaseContext, CaseError, CaseResult, Need};
use crate::implementation::profile::Interface;

/// A case of a file, with what its reader needs to judge it.
#[derive(Debug)]
pub(crate) struct Row<T> {
    pub(crate) case: Case,
    /// The entry as it stands in the file.
    pub(crate) text: &'static str,
    pub(crate) content: T,
}

/// What every case says of itself.
#[derive(Deserialize)]
struct Head {
    about: String,
    judges: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
}

const HEAD: [&str; 3] = ["about", "judges", "needs"];

/// The lists of a file, which its entries name.
const LISTS: &str = "lists";

/// The cases of these files, each a chapter and its text. A function judges them all: it finds the entry by the id of its case.
pub(crate) fn rows<T: DeserializeOwned>(
    files: &[(&'static str, &'static str)],
    judge: fn(&CaseContext<'_>) -> CaseResult,
) -> Vec<Row<T>> {
    let rows = files.iter().flat_map(|&(chapter, text)| {
        let mut entries: toml::Table = text.parse().unwrap_or_else(|why| panic!("a file of {chapter}: {why}"));
        let lists = entries.remove(LISTS);
        entries.into_iter().map(move |(name, entry)| {
            let read = row(chapter, &name, text, entry, lists.clone(), judge);
            read.unwrap_or_else(|why| panic!("{chapter}::{name}: {why}"))
        })
    });
    rows.collect()
}

/// The row of the case that is meant; an error calls it `name`.
pub(crate) fn find<'r, T>(rows: &'r [Row<T>], name: &str, is_meant: impl Fn(&Case) -> bool) -> CaseResult<&'r Row<T>> {
    let found = rows.iter().find(|row| is_meant(&row.case));
    found.ok_or_else(|| CaseError::Broken(format!("no file has a case {name}")))
}

fn row<T: DeserializeOwned>(
    chapter: &'static str,
    name: &str,
    file: &'static str,
    entry: toml::Value,
    lists: Option<toml::Value>,
    judge: fn(&CaseContext<'_>) -> CaseResult,
) -> Result<Row<T>, toml::de::Error> {
    let (head, mut content): (toml::Table, toml::Table) =
        toml::Table::try_from(entry).unwrap_or_default().into_iter().partition(|(key, _)| HEAD.contains(&key.as_str()));
    content.extend(lists.map(|lists| (LISTS.to_owned(), lists)));
    let head: Head = head.try_into()?;
    let rules: Vec<&'static str> = head.judges.into_iter().map(|rule| &*rule.leak()).collect();
    let needs: Vec<Need> = head.needs.iter().map(|word| need(word)).collect();
    let case = Case {
        chapter,
        name: name.to_owned().leak(),
        about: head.about.leak(),
        rules: rules.leak(),
        needs: needs.leak(),
        judge,
    };
    Ok(Row { case, text: entry_of(file, name), content: content.try_into()? })
}

fn need(word: &str) -> Need {
    match word {
        "clock" => Need::Clock,
        "time" => Need::Time,
        "exclusive" => Need::Exclusive,
        "nameless" => Need::Nameless,
        key => Need::Interface(Interface::of_key(key).unwrap_or_else(|| panic!("`{key}` is no need of a case"))),
    }
}

/// From its header to the next one, or to the comment above that.
fn entry_of(file: &'static str, name: &str) -> &'static str {
    let start = file.find(&format!("[{name}]\n")).unwrap_or_default();
    let entry = &file[start..];
    let end = ["\n\n[", "\n\n#"].into_iter().filter_map(|next| entry.find(next)).min();
    entry[..end.unwrap_or(entry.len())].trim_end()
}
