//! A whole store as JSON lines, and back, for other versions, other machines and people to read.
//!
//! ```text
//! {"format":"libros-store/1"}
//! {"kind":"books","key":"1","doc":{"id":1,"titulo":"...","autor":"..."}}
//! {"kind":"sessions"}                      a kind without records
//! {"records":1,"crc":"0badcafe"}           the end, without which nothing is read
//! ```
//! The operator's secret is not part of it: without that, no server starts on the users and keys of an export.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{FILE_NAME, SqliteStore};
use crate::interface::Store as _;
use crate::record::{Change, Kind};

const FORMAT: &str = "libros-store/1";

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
}

#[derive(Serialize, Deserialize)]
struct End {
    records: usize,
    crc: String,
}

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    kind: &'a str,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    key: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    doc: Option<&'a RawValue>,
}

/// Whether there is a store in `folder`.
pub fn holds_a_store(folder: &Path) -> bool {
    folder.join(FILE_NAME).exists()
}

/// Writes everything that the store in `folder` holds; returns the number of records.
pub fn export(folder: &Path, out: &mut impl Write) -> anyhow::Result<usize> {
    ensure!(holds_a_store(folder), "{} holds no store: name its folder with --data", folder.display());
    let (_store, loaded) = SqliteStore::open(folder)?;
    let (mut crc, mut records) = (Hasher::new(), 0);
    writeln!(out, "{}", serde_json::to_string(&Head { format: FORMAT.to_owned() })?)?;
    let mut write = |record: &Record<'_>| -> anyhow::Result<()> {
        let line = serde_json::to_string(record)?;
        crc.update(line.as_bytes());
        records += usize::from(record.key.is_some());
        Ok(writeln!(out, "{line}")?)
    };
    for (kind, rows) in &loaded.collections {
        if rows.is_empty() {
            write(&Record { kind, key: None, doc: None })?;
        }
        for row in rows {
            let doc = serde_json::from_str(&row.doc);
            let doc = doc.with_context(|| format!("{kind}, {}: the record is not JSON", row.key))?;
            write(&Record { kind, key: Some(row.key.as_str().into()), doc: Some(doc) })?;
        }
    }
    writeln!(out, "{}", serde_json::to_string(&End { records, crc: format!("{:08x}", crc.finalize()) })?)?;
    out.flush()?;
    Ok(records)
}

/// Fills a folder that holds no store, or one in which nothing was ever stored, after `before` has run.
///
/// All changes are stored, or none: after a failure the same import can be run again.
pub fn import(folder: &Path, changes: &[Change], before: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let (mut store, loaded) = SqliteStore::open(folder)?;
    ensure!(
        loaded.collections.is_empty(),
        "{} holds a store already: name another folder with --data",
        folder.display()
    );
    before()?;
    store.commit(changes)
}

/// How many records changes lead to.
pub fn records(changes: &[Change]) -> usize {
    changes.iter().filter(|change| matches!(change, Change::Put { .. })).count()
}

/// Reads the lines of an export as changes to an empty store.
pub fn read(input: impl BufRead) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut crc = Hasher::new();
    let mut records = 0;
    let mut lines = input.lines().enumerate();
    let head: Head = match lines.next() {
        Some((_, line)) => serde_json::from_str(&line?).context("line 1: not the head of an export")?,
        None => bail!("there is nothing to import"),
    };
    ensure!(head.format == FORMAT, "line 1: the format is {}; this version reads {FORMAT}", head.format);
    while let Some((index, line)) = lines.next() {
        let (line, number) = (line?, index + 1);
        if let Ok(End { records: announced, crc: expected }) = serde_json::from_str(&line) {
            let found = format!("{:08x}", crc.finalize());
            ensure!(
                (announced, &expected) == (records, &found),
                "line {number}: {announced} records of checksum {expected} are announced, but {records} of {found} stand before it"
            );
            ensure!(lines.next().is_none(), "line {}: the export has ended before it", number + 1);
            return Ok(changes);
        }
        crc.update(line.as_bytes());
        let record: Record<'_> = serde_json::from_str(&line).with_context(|| format!("line {number}: not a record"))?;
        let kind = Kind::named(record.kind).with_context(|| format!("line {number}"))?;
        changes.push(match (record.key, record.doc) {
            (Some(key), Some(doc)) => {
                records += 1;
                Change::Put { kind, key: key.into_owned(), doc: doc.get().into() }
            }
            (None, None) => Change::Clear { kind },
            _ => bail!("line {number}: a record has both a key and a doc"),
        });
    }
    bail!("the export is cut short: its last line is missing")
}
