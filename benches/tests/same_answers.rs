//! Compares the engine with the model's list: both give the same page for the same query, whatever writes come in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use libros_conformance_model::list::{self as model, steps::ListSteps};
use libros_server_query::{Book, Collection, ListQuery, Page, json as json_text, list};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

/// The collection, and its books as plain values by id.
struct Both {
    engine: Collection,
    plain: BTreeMap<u64, Value>,
}

impl Both {
    fn of(books: &[Value]) -> Both {
        let books: Vec<Arc<Book>> = (1..).zip(books).map(|(id, fields)| book(id, fields)).collect();
        let plain = books.iter().map(|book| (book.id(), parsed(book))).collect();
        Both { engine: books.into_iter().collect(), plain }
    }

    fn put(&mut self, id: u64, fields: &Value) {
        let book = book(id, fields);
        self.plain.insert(id, parsed(&book));
        self.engine.insert(book);
    }

    fn remove(&mut self, id: u64) {
        self.plain.remove(&id);
        self.engine.remove(id);
    }

    fn ask(&self, raw: &str) {
        let answered = list(&self.engine, &ListQuery::parse(raw));
        let books: Vec<Value> = self.plain.values().cloned().collect();
        let listed = model::list(&books, raw, &ListSteps::default());
        let datos = json_text::write(&listed.items());
        let model::Page { total, page, limit, pages, has_next, has_prev, .. } = listed;
        let [total, limit, pages] = [total, limit, pages].map(|number| number as usize);
        let expected = Page { datos, total, page, limit, pages, has_next, has_prev };
        assert_eq!(answered, expected, "{raw} over {} books", self.plain.len());
    }
}

fn parsed(book: &Book) -> Value {
    serde_json::from_str(book.text()).expect("a book is JSON")
}

fn book(id: u64, fields: &Value) -> Arc<Book> {
    let mut with_id = serde_json::Map::from_iter([(String::from("id"), json!(id))]);
    with_id.extend(fields.as_object().cloned().unwrap_or_default());
    Arc::new(Book::new(id, &with_id))
}

/// Choices that look random and are the same each time.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices.choose(&mut self.0).copied().unwrap_or_default()
    }

    /// One of the choices in a text, separated by `|`.
    fn of_text<'a>(&mut self, choices: &'a str) -> &'a str {
        self.of(&choices.split('|').collect::<Vec<_>>())
    }
}

/// Values of every class. Many are loosely equal to others, or tied with them in the locale's order.
const VALUES: &str = r#"null|true|false|0|-0|1|1.5|1963|1e21|-3|""|"0"|"1"|" 1 "|"1963"|"0x10"|16|"true"|"a"|"A"|"á"|"a\u0301"|"ñ"|"z"|
    "a\u0000"|"\u00ad"|"2020-03-01"|"2020-02-30"|"2020-03-01T00:00:00Z"|"2020-03"|"\u0130STANBUL"|"Straße \"x\""|"\ufffd"|"\ud83d\ude00"|
    []|["a"]|[1]|[null,"b"]|{"x":1}|["1963"]"#;
const NAMES: &[&str] = &["t", "u", "v", "min_t", "max_u", "is_v", "7", "\u{f1} \"x"];
const SENT: &str = "0|1|1963|16||true|FALSE|a|A|%C3%A1|z|1963.0|+1|2020-03-01|2020-02-30|[object+Object]|,b|a,1|x|1e21|-3|i%CC%87stan|\
    stra%C3%9F|%F0%9F%98%80|1500|b";

fn fields(random: &mut Random, mixed: bool) -> Value {
    let mut fields = serde_json::Map::new();
    // Every book has these: a total order, few values, many values, ties.
    fields.insert(String::from("n"), json!(random.below(5)));
    fields.insert(String::from("w"), json!(random.of(&["alfa", "beta", "Beta", "gam\u{e1}", "gama\u{301}", "delta"])));
    fields.insert(String::from("s"), json!(format!("{} {}", random.of(&["la", "El", "un"]), random.below(3000))));
    fields.insert(String::from("k"), json!(random.below(2) == 0));
    for name in NAMES.iter().filter(|_| mixed) {
        if random.below(3) > 0 {
            let value = serde_json::from_str(random.of_text(VALUES)).expect("JSON");
            fields.insert(String::from(*name), value);
        }
    }
    // More fields than the engine makes columns for.
    let many = if mixed && random.below(3) == 0 { 12 } else { 0 };
    for _ in 0..many {
        let value = serde_json::from_str(random.of_text(VALUES)).expect("JSON");
        fields.insert(format!("x{}", random.below(200)), value);
    }
    if random.below(40) == 0 {
        fields.insert(String::from("rare"), json!(format!("seldom {}", random.below(4))));
    }
    Value::Object(fields)
}

fn query(random: &mut Random) -> String {
    let mut parameters = Vec::new();
    for _ in 0..random.below(3) {
        let name =
            random.of(&["t", "u", "v", "n", "w", "s", "k", "rare", "min_t", "max_u", "is_v", "7", "min_n", "none"]);
        let many = format!("{}x{}", random.of(&["", "min_", "is_"]), random.below(200));
        let name = if random.below(5) == 0 { &many } else { name };
        let value = match random.below(6) {
            0 | 1 => random.of(&["2", "beta", "gam%C3%A1", "la+170", "seldom+1"]).to_owned(),
            2 => format!("{},{}", random.of_text(SENT), random.of(&["2", "beta", "la+17", "true", "seldom+2"])),
            _ => random.of_text(SENT).to_owned(),
        };
        parameters.push(format!("{name}={value}"));
    }
    if random.below(3) == 0 {
        parameters.push(format!(
            "q={}",
            random.of(&["la", "LA+1", "17", "beta", "seldom", "\u{e1}", "i\u{307}", "nothing", ""])
        ));
    }
    if random.below(2) == 0 {
        let mut keys: Vec<String> = Vec::new();
        for _ in 0..=random.below(3) {
            let name = random.of(&["n", "w", "s", "k", "id", "t", "u", "rare", "none", "s"]);
            let many = format!("x{}", random.below(200));
            let name = if random.below(5) == 0 { &many } else { name };
            keys.push(format!("{}{name}", random.of(&["", "-"])));
        }
        parameters.push(format!("sort={}", keys.join(",")));
    }
    parameters.push(format!(
        "limit={}&page={}",
        random.of(&["1", "3", "10", "100"]),
        [1, 2, 3, 7, 90][random.below(5)]
    ));
    if random.below(4) == 0 {
        parameters.push(String::from("fields=t,id,none"));
    }
    parameters.join("&")
}

/// Asks, writes, asks again. Sizes and rounds are chosen so that every way of answering is taken.
fn history(seed: u64, books: usize, mixed: bool, rounds: usize, writes: usize) {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
    let initial: Vec<Value> = (0..books).map(|_| fields(&mut random, mixed)).collect();
    let mut both = Both::of(&initial);
    for _ in 0..rounds {
        for _ in 0..random.below(writes + 1) {
            let highest = both.plain.keys().next_back().copied().unwrap_or(0);
            match random.below(4) {
                0 => both.remove(random.below(highest as usize + 2) as u64),
                1 => both.put(random.below(highest as usize + 1) as u64 + 1, &fields(&mut random, mixed)),
                _ => both.put(highest + 1, &fields(&mut random, mixed)),
            }
        }
        for _ in 0..8 {
            both.ask(&query(&mut random));
        }
    }
}

#[test]
fn small_collections_answer_as_the_model_does_while_books_change() {
    for seed in 0..40 {
        history(seed, [0, 1, 3, 20, 70][seed as usize % 5], seed % 2 == 0, 20, 12);
    }
}

/// `LIBROS_SAME_ANSWERS_SEEDS` asks for more histories, which take minutes; two by default.
#[test]
fn larger_collections_answer_as_the_model_does_while_books_change() {
    let seeds = std::env::var("LIBROS_SAME_ANSWERS_SEEDS").map_or(2, |seeds| seeds.parse().expect("a number"));
    for seed in 0..seeds {
        history(seed, 2000, seed % 2 == 0, 6, 150);
    }
}

#[test]
fn a_merge_under_way_loses_no_write() {
    history(7, 0, false, 2, 3000);
}

#[test]
fn a_snapshot_never_changes_under_its_readers() {
    let before = Both::of(&[json!({ "t": "a" }), json!({}), json!({})]).engine;
    let mut after = before.clone();
    after.remove(2);
    after.insert(book(9, &json!({})));
    after.insert(book(1, &json!({})));
    assert_eq!((before.len(), before.highest_id()), (3, Some(3)));
    assert_eq!(before.get(1).and_then(|book| book.field_json("t")), Some("\"a\""));
    assert_eq!((after.highest_id(), after.iter().map(|book| book.id()).collect::<Vec<_>>()), (Some(9), vec![1, 3, 9]));
    assert!(after.get(1).is_some_and(|book| book.text() == r#"{"id":1}"#));
}
