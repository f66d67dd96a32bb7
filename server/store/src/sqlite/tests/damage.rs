//! Files damaged, exchanged or lost after a process died: what was confirmed is there, or its loss is noticed and the files are kept.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use super::super::confirmed::{Confirmed, ConfirmedFile};
use super::*;

/// Commits of [`killed`], one book each.
const COMMITS: usize = 45;

/// A store after as many commits, none of them in the database yet.
fn alive() -> (Folder, SqliteStore) {
    let alive = Folder::new();
    let (mut store, _) = alive.open();
    for number in 0..COMMITS {
        store.commit(&[put(Kind::BOOKS, &number.to_string(), "a book")]).expect("stored");
    }
    (alive, store)
}

/// Its files once the process has died.
fn killed() -> Folder {
    let (alive, _store) = alive();
    copied(&alive)
}

fn copied(folder: &Folder) -> Folder {
    let copy = Folder::new();
    for name in ["libros.db", "libros.db-wal", "libros.db-confirmed"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).expect("copied");
    }
    copy
}

fn flip(path: &Path, place: usize) {
    let mut bytes = fs::read(path).expect("there");
    bytes[place] ^= 0x10;
    fs::write(path, bytes).expect("written");
}

/// The books found, and whether a damaged store was kept aside; the books must be the first of those stored.
fn reopened(folder: &Folder) -> (usize, bool) {
    let (_store, mut loaded) = folder.open();
    let books = docs(&mut loaded, Kind::BOOKS).unwrap_or_default();
    for (number, book) in books.iter().enumerate() {
        assert_eq!(*book, format!("{number}=a book"));
    }
    (books.len(), !folder.quarantined().is_empty())
}

/// Whether a store of which a byte is damaged, in the file with this ending, was kept aside: as it was found, and whenever a book is lost.
fn flipped(killed: &Folder, end: &str, place: usize) -> bool {
    let folder = copied(killed);
    let file = folder.path().join(format!("libros.db{end}"));
    flip(&file, place);
    let found = fs::read(&file).expect("there");
    let (books, is_kept) = reopened(&folder);
    assert!(books == COMMITS || is_kept, "byte {place}: {books} books and not a word");
    if is_kept {
        let kept = fs::read(folder.path().join(format!("libros.db.unreadable-1{end}"))).expect("kept");
        assert!(kept == found, "byte {place}: the file is not kept as it was found");
    }
    is_kept
}

#[test]
fn what_was_refused_is_not_in_force_after_a_kill_even_where_the_disk_has_kept_it() {
    let alive = Folder::new();
    let (mut store, _) = alive.open();
    store.commit(&[put(Kind::BOOKS, "0", "a book")]).expect("stored");
    let before = copied(&alive);
    store.commit(&[put(Kind::BOOKS, "1", "a book"), put(Kind::USERS, "ana", "Ana")]).expect("stored");
    let folder = copied(&alive);
    // As if the disk had written the second commit, and had failed to sync it.
    let confirmed = folder.path().join("libros.db-confirmed");
    fs::copy(before.path().join("libros.db-confirmed"), &confirmed).expect("copied");
    let unmarked = copied(&folder);
    let (mut file, noted) = ConfirmedFile::open(&confirmed).expect("opens");
    let Confirmed::UpTo(position) = noted else { panic!("{noted:?}") };
    file.write_refused(position, &["books"]).expect("written");
    drop(file);
    assert_eq!(reopened(&unmarked), (2, false), "the disk has it");
    assert_eq!(reopened(&folder), (1, false));
    let (mut store, mut loaded) = folder.open();
    assert_eq!(loaded.take(Kind::USERS), None, "the collection was never stored");
    store.commit(&[put(Kind::BOOKS, "1", "a book")]).expect("stored");
    drop(store);
    assert_eq!(reopened(&folder), (2, false));
}

#[test]
fn any_flipped_bit_of_the_log_is_noticed_where_it_loses_anything() {
    let killed = killed();
    let length = fs::metadata(killed.path().join("libros.db-wal")).expect("there").len() as usize;
    let lost = (0..length).step_by(length / 60).filter(|place| flipped(&killed, "-wal", *place)).count();
    assert!(lost > 30, "{lost}");
}

#[test]
fn a_flipped_bit_in_any_byte_of_the_header_costs_nothing_or_the_file_is_kept_as_it_was_found() {
    let killed = killed();
    for place in 0..100 {
        flipped(&killed, "", place);
    }
}

#[test]
fn a_log_that_is_gone_or_cut_short_is_noticed() {
    let killed = killed();
    let log = fs::read(killed.path().join("libros.db-wal")).expect("there");
    for damaged in [None, Some(&log[..0]), Some(&log[..20]), Some(&log[..log.len() / 2])] {
        let folder = copied(&killed);
        match damaged {
            None => fs::remove_file(folder.path().join("libros.db-wal")).expect("removed"),
            Some(bytes) => fs::write(folder.path().join("libros.db-wal"), bytes).expect("written"),
        }
        let (books, is_kept) = reopened(&folder);
        assert!(books < COMMITS && is_kept, "{books}");
        // Reported once: the books found are the confirmed ones from here on, and never the initial ones where there are none.
        assert_eq!(docs(&mut folder.open().1, Kind::BOOKS).map(|books| books.len()), Some(books));
        assert_eq!(folder.quarantined().len(), 1);
    }
}

#[test]
fn a_torn_tail_that_nobody_was_told_of_is_dropped_in_silence() {
    let (alive, mut store) = alive();
    let before = copied(&alive);
    store.commit(&[put(Kind::BOOKS, "torn", "a book")]).expect("stored");
    let log = fs::read(alive.path().join("libros.db-wal")).expect("there");
    // The power fails while the log is written, so before anything is noted as confirmed.
    fs::write(before.path().join("libros.db-wal"), &log[..log.len() - 100]).expect("written");
    assert_eq!(reopened(&before), (COMMITS, false));
}

#[test]
fn a_database_that_is_gone_is_noticed() {
    let folder = killed();
    fs::remove_file(folder.database()).expect("removed");
    assert_eq!(reopened(&folder), (0, false));
    assert!(folder.path().join("libros.db.unreadable-1-wal").exists());
}

#[test]
fn what_was_confirmed_is_never_guessed() {
    for spoil in [fs::remove_file::<PathBuf>, |path| fs::write(path, "nonsense")] {
        let folder = killed();
        spoil(folder.path().join("libros.db-confirmed")).expect("spoilt");
        assert_eq!(reopened(&folder), (COMMITS, true));
    }
}

#[test]
fn the_files_of_another_longer_store_are_noticed() {
    for is_moved in [true, false] {
        let (other, mut store) = alive();
        store.commit(&[put(Kind::USERS, "ana", "Ana")]).expect("stored");
        let folder = copied(&other);
        if is_moved {
            drop((store, other));
            drop(folder.open());
        }
        fs::copy(filled(false).path().join("libros.db-confirmed"), folder.path().join("libros.db-confirmed"))
            .expect("copied");
        assert_eq!(reopened(&folder), (COMMITS, true));
    }
}

#[test]
fn a_row_that_has_vanished_from_the_state_is_noticed() {
    let folder = filled(true);
    let connection = rusqlite::Connection::open(folder.database()).expect("opens");
    connection.execute("DELETE FROM state WHERE key = 'two'", []).expect("deleted");
    drop(connection);
    let (store, mut loaded) = folder.open();
    assert_eq!(docs(&mut loaded, Kind::BOOKS), Some(vec!["one=one".to_owned(), "three=three".to_owned()]));
    assert_eq!(folder.quarantined(), ["libros.db.unreadable-1"]);
    drop(store);
    drop(folder.open());
    assert_eq!(folder.quarantined().len(), 1, "said once");
}

#[test]
fn a_damaged_store_is_kept_in_a_folder_whose_name_is_not_utf_8() {
    let damaged = filled(true);
    spoil(&damaged.database(), "two", b"t##");
    let odd = damaged.path().join(OsStr::from_bytes(b"\xff"));
    fs::create_dir(&odd).expect("made");
    for name in ["libros.db", "libros.db-confirmed"] {
        fs::copy(damaged.path().join(name), odd.join(name)).expect("copied");
    }
    SqliteStore::open(&odd).expect("it opens without the damaged book");
    let kept = fs::metadata(odd.join("libros.db.unreadable-1")).expect("kept");
    assert!(kept.len() > 0 && kept.permissions().mode() & 0o777 == 0o600, "{kept:?}");
}

#[test]
fn whatever_is_kept_is_for_its_owner_alone() {
    let damaged = filled(true);
    spoil(&damaged.database(), "three", b"thr33");
    let lost = killed();
    flip(&lost.path().join("libros.db-wal"), 40);
    for folder in [damaged, lost] {
        drop(folder.open());
        for entry in fs::read_dir(folder.path()).expect("there").map(|entry| entry.expect("an entry")) {
            let mode = entry.metadata().expect("there").permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{:?}", entry.file_name());
        }
    }
}
