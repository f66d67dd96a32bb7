//! Draws books that contain every value of [`super::vocabulary`], spread differently for each seed. Sends nothing.

use proptest::prelude::Rng as _;
use proptest::test_runner::TestRng;
use serde_json::{Map, Value, json};

use super::vocabulary::{BOOLEANS, BOUNDS, CODES, CONTAINERS, DAYS, NOTES, NUMBERS, TITLES, TOPICS, TRUTHS};

/// The field that marks drawn books; queries filter by it.
pub const MARKER: &str = "lote";

/// Enough books for several pages and for every value.
pub(super) const BOOKS: usize = 26;

/// The bodies of the books.
pub fn sample_books(dice: &mut TestRng) -> Vec<Value> {
    let mut books = vec![Map::new(); BOOKS];
    let text = |word: &str| Value::from(word);
    let json = |word: &str| serde_json::from_str(word).unwrap_or_default();
    deal(&mut books, dice, "titulo", &TITLES, 0, text);
    deal(&mut books, dice, "autor", &["Rulfo", "Bombal", "Carpentier"], 0, text);
    deal(&mut books, dice, "tema", &TOPICS, 3, text);
    deal(&mut books, dice, "nota", &NOTES, 6, text);
    deal(&mut books, dice, "codigo", &CODES.split(' ').collect::<Vec<_>>(), 3, json);
    deal(&mut books, dice, "verdad", &TRUTHS, 4, json);
    deal(&mut books, dice, "caja", &CONTAINERS, 8, json);
    deal(&mut books, dice, "activo", &BOOLEANS, 4, json);
    deal(&mut books, dice, "n", &NUMBERS, 0, json);
    deal(&mut books, dice, "-n", &NUMBERS, 0, json);
    deal(&mut books, dice, "anio", &["1984", "1949", "2001"], 8, json);
    deal(&mut books, dice, "nulo", &["null", "\"x\""], 9, json);
    deal(&mut books, dice, "fecha", &DAYS, 5, text);
    for bound in ["min_n", "max_n", "min_raro", "max_raro"] {
        deal(&mut books, dice, bound, &BOUNDS, 3, json);
    }
    // Fields named like a parameter hold its values: the books pass the equality step under any equality.
    for truth in ["is_activo", "is_codigo", "is_verdad", "is_caja", "is_raro"] {
        deal(&mut books, dice, truth, &BOOLEANS, 2, json);
    }
    deal(&mut books, dice, "is_n", &["7", "0"], 2, json);
    // One book always lies exactly on its bounds.
    for field in ["n", "min_n", "max_n"] {
        books[0].insert(field.to_owned(), json!(5));
    }
    deal(&mut books, dice, "is_tema", &["no"], 12, text);
    deal(&mut books, dice, "", &["7", "9"], 10, json);
    deal(&mut books, dice, "min_", &["5", "7"], 14, json);
    deal(&mut books, dice, "cosas", &["oculto", "dado"], 12, |word| json!([word, "barco"]));
    deal(&mut books, dice, "ficha", &["brasa", "ceniza"], 12, |word| json!({ "nota": word }));
    let mut places: Vec<usize> = (0..BOOKS).collect();
    shuffle(&mut places, dice);
    for (book, place) in books.iter_mut().zip(places) {
        book.insert("orden".into(), json!(place));
        // Of each pair of books, one has the field and the other lacks it: every order of two is decided.
        book.insert("par".into(), json!(place / 2));
        if place % 2 == 0 {
            book.insert("raro".into(), json!([1, 2, 5, 9][place / 2 % 4]));
        }
    }
    books.into_iter().map(Value::Object).collect()
}

/// Gives the field to all books but `lacking`, with the values dealt at random.
fn deal(
    books: &mut [Map<String, Value>],
    dice: &mut TestRng,
    field: &str,
    values: &[&str],
    lacking: usize,
    value: impl Fn(&str) -> Value,
) {
    let mut cards: Vec<Option<&str>> = vec![None; lacking.min(books.len())];
    cards.extend(values.iter().cycle().take(books.len() - cards.len()).map(|word| Some(*word)));
    shuffle(&mut cards, dice);
    for (book, card) in books.iter_mut().zip(cards) {
        if let Some(word) = card {
            book.insert(field.to_owned(), value(word));
        }
    }
}

pub(super) fn shuffle<T>(cards: &mut [T], dice: &mut TestRng) {
    for at in (1..cards.len()).rev() {
        cards.swap(at, dice.next_u32() as usize % (at + 1));
    }
}
