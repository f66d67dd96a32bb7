//! The changes of one commit as a JSON text, and back.

use anyhow::Context as _;

use crate::record::{Change, Kind};

/// A change: its verb, collection, key and document; the last two are empty if it has none.
type Item<T> = (char, T, T, T);

pub(super) fn encoded(changes: &[Change]) -> String {
    let items: Vec<Item<&str>> = changes.iter().map(item).collect();
    serde_json::to_string(&items).expect("texts are always JSON")
}

fn item(change: &Change) -> Item<&str> {
    match change {
        Change::Put { kind, key, doc } => ('p', kind.0, key, doc),
        Change::Remove { kind, key } => ('r', kind.0, key, ""),
        Change::Clear { kind } => ('c', kind.0, "", ""),
    }
}

/// The changes that a text of the log encodes. Fails when another version or another program wrote it.
pub(super) fn decoded(text: &str) -> anyhow::Result<Vec<Change>> {
    let items: Vec<Item<String>> = serde_json::from_str(text).context("not a list of changes")?;
    items.into_iter().map(change).collect()
}

fn change((verb, kind, key, doc): Item<String>) -> anyhow::Result<Change> {
    let kind = Kind::named(&kind)?;
    Ok(match verb {
        'p' => Change::Put { kind, key, doc: doc.into() },
        'r' => Change::Remove { kind, key },
        'c' => Change::Clear { kind },
        _ => anyhow::bail!("this version knows no change {verb}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_back_as_they_were() {
        let changes = [
            Change::Clear { kind: Kind::BOOKS },
            Change::Put { kind: Kind::USERS, key: "a\u{0}\"ñ".to_owned(), doc: r#"{"a":"\u0000"}"#.into() },
            Change::Remove { kind: Kind::SESSIONS, key: "k".to_owned() },
        ];
        let text = encoded(&changes);
        assert!(!text.contains('\u{0}'), "a text of PostgreSQL holds no NUL: {text}");
        let read = decoded(&text).expect("as encoded");
        assert_eq!(format!("{read:?}"), format!("{changes:?}"));
    }

    #[test]
    fn what_another_version_wrote_is_refused() {
        for text in ["", "{}", r#"[["p","shelves","1","{}"]]"#, r#"[["x","books","1","{}"]]"#] {
            assert!(decoded(text).is_err(), "{text}");
        }
    }
}
