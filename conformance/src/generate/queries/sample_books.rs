//! Draws books that contain every value of [`super::vocabulary`], spread differently for each seed. Sends nothing.

use proptest::prelude::Rng as _;
use proptest::test_runner::TestRng;
use serde_json::{Map, Value, json};

use super::vocabulary::{Dealt, VOCABULARY};

/// The field that marks drawn books; queries filter by it.
pub const MARKER: &str = "lote";

/// Enough books for several pages and for every value.
pub(super) const BOOKS: usize = 26;

pub fn sample_books(dice: &mut TestRng) -> Vec<Value> {
    let mut books = vec![Map::new(); BOOKS];
    for (field, dealt) in &VOCABULARY.books {
        deal(&mut books, dice, field, dealt);
    }
    // One book always lies exactly on its bounds.
    for field in ["n", "min_n", "max_n"] {
        books[0].insert(field.to_owned(), json!(5));
    }
    let mut places: Vec<usize> = (0..BOOKS).collect();
    shuffle(&mut places, dice);
    for (book, place) in books.iter_mut().zip(places) {
        book.insert("orden".into(), json!(place));
        book.insert("par".into(), json!(place / 2));
        // Of two books with the same `par`, one has `raro` and the other lacks it: every order of two is decided.
        if place % 2 == 0 {
            book.insert("raro".into(), json!([1, 2, 5, 9][place / 2 % 4]));
        }
    }
    books.into_iter().map(Value::Object).collect()
}

/// Deals the values of a field at random; some books get none.
fn deal(books: &mut [Map<String, Value>], dice: &mut TestRng, field: &str, Dealt { values, lacking }: &Dealt) {
    let mut cards: Vec<Option<&Value>> = vec![None; *lacking];
    cards.extend(values.iter().cycle().take(books.len() - lacking).map(Some));
    shuffle(&mut cards, dice);
    for (book, card) in books.iter_mut().zip(cards) {
        if let Some(value) = card {
            let value = if value == "${null}" { Value::Null } else { value.clone() };
            book.insert(field.to_owned(), value);
        }
    }
}

pub(super) fn shuffle<T>(cards: &mut [T], dice: &mut TestRng) {
    for at in (1..cards.len()).rev() {
        cards.swap(at, dice.next_u32() as usize % (at + 1));
    }
}
