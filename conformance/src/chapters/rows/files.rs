//! Reads cases that are data from the `*.toml` files of the chapters: the head of each entry. Its reader parses the rest.

use std::panic::resume_unwind;
use std::thread;

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::case::{Case, CaseContext, CaseError, CaseResult, Need};
use crate::implementation::profile::Interface;

/// The files of each chapter.
macro_rules! files {
    ($($chapter:ident: $($file:ident)+;)+) => {
        &[$($((
            stringify!($chapter),
            include_str!(concat!("../", stringify!($chapter), "/", stringify!($file), ".toml")),
        ),)+)+]
    };
}

/// A chapter and the text of a file.
type File = (&'static str, &'static str);

pub(super) const LISTS: &[File] = files! {
    list: decoding conversion dates search equality bounds truthiness sort fields;
    paging: rows;
};

pub(super) const EXCHANGES: &[File] = files! {
    routing: paths open; versioning: labels; errors: envelopes bodies; headers: policy requests; conditional: matching;
    registration: answers emails; users: reading refusals; posts: users; graphql: queries mutation http;
    graphql_reduced: refusals transport; blog: outline; books: create path_id operations authors times initial; permissions: routes operations; storage: reads;
    list: answers laws; paging: object; credentials: keys walks moments; login: refusals factors; sessions: tokens life;
    tokens: issued presented; api_keys: creation fields; two_factor: management status; verification: refusals tokens;
    codes: forms steps; backup_codes: uses; lockout: blocks counting; devices: trust times known; pending: sessions;
    signup: registrations;
};

/// A case of a file, with the file's text and the entry as its reader parsed it.
#[derive(Debug)]
pub(super) struct Row<T> {
    pub(super) case: Case,
    pub(super) file: &'static str,
    pub(super) content: T,
}

/// The keys that every entry has.
#[derive(Deserialize)]
struct Head {
    about: String,
    judges: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
}

const HEAD: [&str; 3] = ["about", "judges", "needs"];

/// The lists of a file, which its entries name.
const LISTS_OF_FILE: &str = "lists";

/// The cases of these files, which every start reads on two threads. A function judges them all: it finds the entry [`of`] its case.
pub(super) fn rows<T: DeserializeOwned + Send>(files: &[File], judge: Judge) -> Vec<Row<T>> {
    let (first, second) = files.split_at(files.len() / 2);
    let read = |files: &[File]| files.iter().flat_map(|file| rows_of(*file, judge)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let second = scope.spawn(|| read(second));
        let mut rows = read(first);
        rows.extend(second.join().unwrap_or_else(|panic| resume_unwind(panic)));
        rows
    })
}

type Judge = fn(&CaseContext<'_>) -> CaseResult;

fn rows_of<T: DeserializeOwned>((folder, text): File, judge: Judge) -> impl Iterator<Item = Row<T>> {
    let chapter: &'static str = folder.replace('_', "-").leak();
    let mut entries: IndexMap<String, toml::Table> =
        toml::from_str(text).unwrap_or_else(|why| panic!("a file of {chapter}: {why}"));
    let lists = entries.shift_remove(LISTS_OF_FILE);
    entries.into_iter().map(move |(name, entry)| {
        let read = row(chapter, &name, text, entry, lists.clone(), judge);
        read.unwrap_or_else(|why| panic!("{chapter}::{name}: {why}"))
    })
}

/// The row of the case that is judged.
pub(super) fn of<'r, T>(rows: &'r [Row<T>], cx: &CaseContext<'_>) -> CaseResult<&'r Row<T>> {
    with_id(rows, cx.id())
}

/// The row of the case that another case names, its chapter before it if it is of another.
pub(super) fn find<'r, T>(rows: &'r [Row<T>], name: &str, by: &Case) -> CaseResult<&'r Row<T>> {
    if name.contains("::") { with_id(rows, name) } else { with_id(rows, &format!("{}::{name}", by.chapter)) }
}

fn with_id<'r, T>(rows: &'r [Row<T>], id: &str) -> CaseResult<&'r Row<T>> {
    let found = rows.iter().find(|row| id.split_once("::") == Some((row.case.chapter, row.case.name)));
    found.ok_or_else(|| CaseError::Broken(format!("no file has a case {id}")))
}

fn row<T: DeserializeOwned>(
    chapter: &'static str,
    name: &str,
    file: &'static str,
    entry: toml::Table,
    lists: Option<toml::Table>,
    judge: Judge,
) -> Result<Row<T>, toml::de::Error> {
    let (head, mut content): (toml::Table, toml::Table) =
        entry.into_iter().partition(|(key, _)| HEAD.contains(&key.as_str()));
    content.extend(lists.map(|lists| (LISTS_OF_FILE.to_owned(), lists.into())));
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
    Ok(Row { case, file, content: content.try_into()? })
}

fn need(word: &str) -> Need {
    match word {
        "clock" => Need::Clock,
        "time" => Need::Time,
        "exclusive" => Need::Exclusive,
        "reset" => Need::Reset,
        "nameless" => Need::Nameless,
        key => Need::Interface(Interface::of_key(key).unwrap_or_else(|| panic!("`{key}` is no need of a case"))),
    }
}

/// The text of an entry of a file, from its header to the next one, or to the comment above that.
pub(crate) fn entry_of(file: &'static str, name: &str) -> &'static str {
    let start = file.find(&format!("[{name}]\n")).unwrap_or_default();
    let entry = &file[start..];
    let end = ["\n\n[", "\n\n#"].into_iter().filter_map(|next| entry.find(next)).min();
    entry[..end.unwrap_or(entry.len())].trim_end()
}
