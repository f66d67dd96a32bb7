//! Memory of a collection, as the allocator counts it: at most six bytes a stored byte, whatever the books. Early shapes took hundreds.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use serde_json::{Map, Value, json};

use libros_server_query::{Book, Collection};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const AT_MOST: usize = 6;
/// How long to wait for merges, which end on other threads.
const PATIENCE: Duration = Duration::from_secs(60);

fn book(id: u64, members: impl IntoIterator<Item = (String, Value)>) -> Arc<Book> {
    let own = [("id".to_owned(), json!(id)), ("fechaCreacion".to_owned(), json!("2026-01-31T12:00:00.000Z"))];
    let fields: Map<String, Value> = own.into_iter().chain(members).collect();
    Arc::new(Book::new(id, &fields))
}

/// Compares the memory of the collection that `make` returns with the bytes of its books.
fn holds(before: usize, shape: &str, make: impl FnOnce() -> Collection) {
    let books = make();
    let stored: usize = books.iter().map(|book| book.text().len()).sum();
    let until = Instant::now() + PATIENCE;
    loop {
        let taken = ALLOCATED.current_usage().saturating_sub(before);
        if taken <= AT_MOST * stored {
            return;
        }
        let ratio = taken as f64 / stored as f64;
        assert!(Instant::now() < until, "{shape}: {taken} bytes for {stored} stored, {ratio:.1} for each");
        thread::sleep(Duration::from_millis(20));
    }
}

fn written(books: u64, members: impl Fn(u64) -> Vec<(String, Value)>) -> Collection {
    let mut collection = Collection::default();
    for id in 1..=books {
        collection.insert(book(id, members(id)));
    }
    collection
}

#[test]
fn a_collection_takes_at_most_six_bytes_for_each_byte_stored() {
    let before = ALLOCATED.current_usage();
    let own =
        |id: u64, value: Value| (0..1000).map(|field| (format!("n{id}x{field}"), value.clone())).collect::<Vec<_>>();
    let own_names = |id: u64| own(id, json!(id % 10));
    let own_texts = |id: u64| own(id, json!("a"));
    let holds = |shape: &str, make: &dyn Fn() -> Collection| holds(before, shape, make);
    holds("names of one book each", &|| written(200, own_names));
    holds("names of one book each, with texts", &|| written(100, own_texts));
    holds("names of thirty books each", &|| {
        written(300, |id| (0..200).map(|field| (format!("n{}", id / 30 * 200 + field), json!(id % 7))).collect())
    });
    holds("names of one book each, all read at once", &|| (1..=100).map(|id| book(id, own_names(id))).collect());
    holds("names of books that were replaced", &|| {
        let mut books = written(100, own_names);
        (1..=100).for_each(|id| books.insert(book(id, [("titulo".to_owned(), json!(format!("Another title {id}")))])));
        books
    });
    let texts = |id: u64, count: u64| (0..count).map(|n| format!("{:x}", id * 9000 + n)).collect::<Vec<_>>();
    let one = |name: &str, value: Value| vec![(name.to_owned(), value)];
    holds("a thousand names in every book", &|| {
        written(100, |id| (0..1000).map(|field| (format!("n{field}"), json!(format!("{}", id * 31 + field)))).collect())
    });
    holds("long texts", &|| written(50, |id| one("texto", json!(texts(id, 9000).join(" ")))));
    holds("lists of numbers", &|| {
        written(300, |id| one("lista", json!((id * 300..id * 300 + 300).collect::<Vec<_>>())))
    });
    holds("deep objects", &|| written(300, |id| one("d", (0..40).fold(json!(id), |inner, _| json!({ "a": [inner] })))));
    holds("a large book deleted among small ones", &|| {
        let mut books = written(200, |id| if id == 50 { own_texts(id) } else { Vec::new() });
        books.remove(50);
        books
    });
}
