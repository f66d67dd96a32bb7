//! Stores that killed processes left: `fixtures/stores/layout-1` by an earlier version, `layout-2` by one with today's layout. A
//! change of the layout that keeps the number 2 fails here.

use std::fs;

use super::*;

fn layout_1() -> Folder {
    copy_of("layout-1", &["libros.db", "libros.db-wal"])
}

fn copy_of(layout: &str, files: &[&str]) -> Folder {
    let folder = Folder::new();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/stores").join(layout);
    for name in files {
        fs::copy(fixture.join(name), folder.path().join(name)).expect("copied");
    }
    folder
}

/// How many users, clients, sessions, pending logins, attempts and devices there are.
fn accounts(loaded: &mut Loaded) -> [Option<usize>; 6] {
    [Kind::USERS, Kind::CLIENTS, Kind::SESSIONS, Kind::PENDING, Kind::ATTEMPTS, Kind::DEVICES]
        .map(|kind| docs(loaded, kind).map(|docs| docs.len()))
}

#[test]
fn a_store_of_layout_1_is_brought_to_this_one_with_all_it_holds() {
    let folder = layout_1();
    let mut titles = Vec::new();
    for _ in 0..2 {
        let (_store, mut loaded) = folder.open();
        let books = docs(&mut loaded, Kind::BOOKS).expect("there");
        assert_eq!(books.len(), 8);
        assert!(books[7].starts_with(r#"9={"titulo":"After","autor":"restart""#), "the log was read, too: {books:?}");
        assert_eq!(accounts(&mut loaded), [4, 3, 3, 1, 1, 1].map(Some));
        titles.push(books);
    }
    assert_eq!(titles[0], titles[1]);
    assert_eq!(folder.quarantined(), [""; 0]);
    let connection = rusqlite::Connection::open(folder.database()).expect("opens");
    let layout: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).expect("read");
    assert_eq!(layout, 2);
}

#[test]
fn a_migrated_store_goes_on_and_notices_damage() {
    let folder = layout_1();
    let (mut store, _) = folder.open();
    store.commit(&[put(Kind::BOOKS, "10", "new"), remove(Kind::BOOKS, "9")]).expect("stored");
    drop(store);
    let (store, mut loaded) = folder.open();
    let books = docs(&mut loaded, Kind::BOOKS).expect("there");
    assert_eq!((books.len(), books[7].as_str()), (8, "10=new"));
    drop(store);
    fs::remove_file(folder.database()).expect("removed");
    let (_store, mut loaded) = folder.open();
    assert_eq!(docs(&mut loaded, Kind::BOOKS), Some(vec![]));
}

#[test]
fn a_store_of_this_layout_is_read_whole_after_a_kill() {
    let folder = copy_of("layout-2", &["libros.db", "libros.db-wal", "libros.db-confirmed"]);
    let (_store, mut loaded) = folder.open();
    let books = docs(&mut loaded, Kind::BOOKS).expect("there");
    assert_eq!(books.len(), 9);
    assert!(books[5].contains(r#""Replaced""#) && books[8].contains(r#""After""#), "{books:?}");
    assert_eq!(accounts(&mut loaded), [3, 3, 2, 1, 1, 1].map(Some));
    assert_eq!(folder.quarantined(), [""; 0]);
}
