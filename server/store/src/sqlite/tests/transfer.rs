//! A store written as JSON lines and read back into another folder.

use super::super::transfer::{export, import, read};
use super::*;

/// A store with an empty kind, keys and documents that need escaping, and its export.
fn exported() -> (Folder, String) {
    let folder = Folder::new();
    let (mut store, _) = folder.open();
    let changes = [
        put(Kind::BOOKS, "2", r#"{"id":2,"n":1.50,"titulo":"ñ \"\u0001\" é"}"#),
        put(Kind::BOOKS, "1", r#"{"id":1}"#),
        put(Kind::USERS, "a \"b\"\n@x", "[]"),
        put(Kind::SESSIONS, "gone", "{}"),
        remove(Kind::SESSIONS, "gone"),
    ];
    store.commit(&changes).expect("stored");
    drop(store);
    let mut lines = Vec::new();
    assert_eq!(export(folder.path(), &mut lines).expect("exported"), 3);
    (folder, String::from_utf8(lines).expect("text"))
}

fn imported(folder: &Folder, text: &str) -> anyhow::Result<()> {
    import(folder.path(), &read(text.as_bytes())?, || Ok(()))
}

fn everything(folder: &Folder) -> Vec<Option<Vec<String>>> {
    let (_store, mut loaded) = folder.open();
    [Kind::BOOKS, Kind::USERS, Kind::SESSIONS, Kind::CLIENTS].map(|kind| docs(&mut loaded, kind)).to_vec()
}

#[test]
fn an_export_read_back_is_the_same_store() {
    let (folder, lines) = exported();
    assert!(
        lines.contains(r#"{"kind":"books","key":"2","doc":{"id":2,"n":1.50,"titulo":"ñ \"\u0001\" é"}}"#),
        "{lines}"
    );
    let other = Folder::new();
    // As an import leaves the folder whose commit failed.
    drop(other.open());
    imported(&other, &lines).expect("imported");
    assert_eq!(everything(&other), everything(&folder));
    let mut again = Vec::new();
    export(other.path(), &mut again).expect("exported");
    assert_eq!(String::from_utf8(again).expect("text"), lines);
}

#[test]
fn an_export_that_is_cut_or_changed_is_refused_and_nothing_is_stored() {
    let (_folder, lines) = exported();
    let shorter: Vec<&str> = lines.lines().collect();
    for (text, why) in [
        (String::new(), "nothing to import"),
        (shorter[..shorter.len() - 1].join("\n"), "cut short"),
        (lines.replace("\"id\":1}", "\"id\":7}"), "checksum"),
        (lines.replacen(shorter[2], "", 1), "line 3: not a record"),
        (lines.replace("libros-store/1", "libros-store/2"), "the format is libros-store/2"),
        (lines.replace("\"kind\":\"users\"", "\"kind\":\"people\""), "no kind people"),
    ] {
        let other = Folder::new();
        let error = imported(&other, &text).expect_err(why);
        assert!(format!("{error:#}").contains(why), "{error:#}");
        assert!(!other.database().exists());
    }
}

#[test]
fn nothing_is_imported_over_a_store_and_nothing_exported_from_none() {
    let (folder, lines) = exported();
    let error = imported(&folder, &lines).expect_err("held");
    assert!(error.to_string().contains("holds a store already"), "{error:#}");
    let error = export(Folder::new().path(), &mut Vec::new()).expect_err("empty");
    assert!(error.to_string().contains("holds no store"), "{error:#}");
}
