//! The list as one would write it first: parsed JSON values, scanned, cloned, sorted and serialised for each request.
//!
//! The benches compare the engine with it and check its answers. It implements only the parameters that the benches
//! send: text search, equality, sort over fields that every book has, page, limit, fields.

use std::cmp::Ordering;

use icu_collator::CollatorBorrowed;
use serde_json::{Map, Value};

/// The books and the collation that sorts them.
pub struct Naive {
    books: Vec<Value>,
    collator: CollatorBorrowed<'static>,
}

impl Naive {
    /// Stores the books as they are.
    pub fn new(books: Vec<Value>) -> Naive {
        let collator = icu_collator::Collator::try_new(Default::default(), Default::default());
        Naive { books, collator: collator.expect("the root collation is compiled in") }
    }

    /// The JSON text of the page that `query` asks for, and how many books match.
    pub fn list(&self, query: &str) -> (String, usize) {
        let parameters: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let value = |name: &str| parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let mut kept: Vec<&Value> = self.books.iter().filter(|book| keeps(book, &parameters)).collect();
        if let Some(keys) = value("sort") {
            kept.sort_by(|left, right| self.compare(left, right, keys));
        }
        let whole = |name, default| value(name).and_then(|text| text.parse().ok()).unwrap_or(default);
        let (page, limit): (usize, usize) = (whole("page", 1), whole("limit", 10));
        let shown = kept.iter().skip((page - 1) * limit).take(limit);
        let shown: Vec<Value> = shown.map(|book| select(book, value("fields"))).collect();
        (serde_json::to_string(&shown).expect("JSON values serialise"), kept.len())
    }

    fn compare(&self, left: &Value, right: &Value, keys: &str) -> Ordering {
        let decide = |key: &str| {
            let name = key.trim_start_matches('-');
            let order = match (&left[name], &right[name]) {
                (Value::String(left), Value::String(right)) => self.collator.compare(left, right),
                (left, right) => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal),
            };
            if key.starts_with('-') { order.reverse() } else { order }
        };
        keys.split(',').map(decide).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

fn keeps(book: &Value, parameters: &[(String, String)]) -> bool {
    parameters.iter().all(|(name, value)| match name.as_str() {
        "sort" | "page" | "limit" | "fields" => true,
        "q" => {
            let wanted = value.to_lowercase();
            let mut fields = book.as_object().into_iter().flat_map(Map::values);
            fields.any(|field| field.as_str().is_some_and(|text| text.to_lowercase().contains(&wanted)))
        }
        field => value.split(',').any(|item| equals(&book[field], item)),
    })
}

fn equals(field: &Value, sent: &str) -> bool {
    match field {
        Value::String(text) => text == sent,
        Value::Number(number) => sent.parse().ok() == number.as_f64(),
        Value::Bool(boolean) => sent.parse() == Ok(*boolean),
        _ => false,
    }
}

fn select(book: &Value, fields: Option<&str>) -> Value {
    let Some(fields) = fields else { return book.clone() };
    let chosen = fields.split(',').filter_map(|name| Some((name.to_owned(), book.get(name)?.clone())));
    Value::Object(chosen.collect())
}
