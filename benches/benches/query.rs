//! What a list costs: reading its query string, and answering it over collections of several sizes.
//!
//! Ids are `query/<what>-<books>`; `naive/<what>-<books>` is the same question put to a plain scan of JSON values, so that
//! the ratio of the two is worth more than either time. Every answer is first held against that scan's, text for text,
//! and every round asserts the total again: a fast wrong answer stops the bench.

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use libros_benches::{catalogue, goodbooks, naive::Naive};
use libros_server::json;
use libros_server::query::{Book, Collection, ListQuery, list};
use serde_json::Value;

const SEED: u64 = 1605;

/// Every stage at once.
const ALL: &str = "q=luz&genero=novela,ensayo&sort=-fechaPublicacion,titulo&page=2&fields=titulo,autor";

/// The questions, from what costs nothing to what costs most. Each is one that users ask; none is made to please.
const QUESTIONS: &[(&str, &str)] = &[
    // The plain list: nothing but the page is touched.
    ("page", "page=3"),
    ("fields", "fields=id,titulo,autor&limit=100"),
    ("filter", "autor=Ana+Garc%C3%ADa+Vega"),
    ("filter-list", "genero=poes%C3%ADa,teatro,cr%C3%B3nica&disponible=true"),
    // As the documents have it, this keeps no book that lacks a field called min_paginas.
    ("bound", "min_paginas=300"),
    ("q-rare", "q=g%C3%BCell+ybarra"),
    ("q-common", "q=LA"),
    ("sort-text", "sort=titulo"),
    ("sort-number", "sort=-paginas"),
    ("sort-two", "sort=genero,-paginas"),
    ("sort-deep", "sort=autor,titulo&page=40"),
    ("all", ALL),
];

fn settings() -> Criterion {
    Criterion::default()
        // Enough for a ratio; the whole run ends within two minutes. `--measurement-time 5` asks for more.
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .sample_size(10)
        // Shared machines differ by more than this from run to run.
        .noise_threshold(0.05)
        .without_plots()
}

fn parsing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    let long = format!("id={}", (0..500).map(|id| id.to_string()).collect::<Vec<_>>().join(","));
    for (name, raw) in [("parse-none", ""), ("parse-all", ALL), ("parse-list-of-500", long.as_str())] {
        group.throughput(Throughput::Bytes(raw.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| ListQuery::parse(black_box(raw)));
        });
    }
    group.finish();
}

fn made_up_1000(criterion: &mut Criterion) {
    questions(criterion, "1000", catalogue::generate(1000, SEED), QUESTIONS);
}

fn made_up_100000(criterion: &mut Criterion) {
    questions(criterion, "100000", catalogue::generate(100_000, SEED), QUESTIONS);
}

fn real_books(criterion: &mut Criterion) {
    let questions =
        [("filter", "autor=Terry+Pratchett"), ("q-rare", "q=quixote"), ("sort-two", "sort=autor,-valoracion")];
    match goodbooks::read() {
        Ok(books) => self::questions(criterion, "goodbooks", books, &questions),
        Err(reason) => {
            let line = format!("\n*** SKIPPED: the benches over real books, query/*-goodbooks ({reason}) ***\n");
            // A closed terminal is no reason to stop the others.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// Measures every question over `books`, the engine and the naive scan in turn.
fn questions(criterion: &mut Criterion, size: &str, books: Vec<Value>, questions: &[(&str, &str)]) {
    let collection = prepare(&books);
    let naive = Naive::new(books);
    for (name, raw) in questions {
        let (datos, total) = naive.list(raw);
        let page = list(&collection, &ListQuery::parse(raw));
        assert_eq!((page.datos, page.total), (as_javascript(&datos), total), "{name}-{size}");
        let mut group = criterion.benchmark_group("query");
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(format!("{name}-{size}"), |bencher| {
            bencher.iter(|| {
                let page = list(&collection, &ListQuery::parse(black_box(raw)));
                assert_eq!(page.total, total);
                page.datos
            });
        });
        group.finish();
        let mut group = criterion.benchmark_group("naive");
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(format!("{name}-{size}"), |bencher| {
            bencher.iter(|| {
                let (datos, found) = naive.list(black_box(raw));
                assert_eq!(found, total);
                datos
            });
        });
        group.finish();
    }
}

/// The cost of books that are new: preparing them, and the first sort by a text, which makes its collation keys.
fn new_books(criterion: &mut Criterion) {
    let books = catalogue::generate(1000, SEED);
    let mut group = criterion.benchmark_group("query");
    group.throughput(Throughput::Elements(books.len() as u64));
    group.bench_function("prepare-1000", |bencher| {
        bencher.iter(|| prepare(black_box(&books)));
    });
    group.bench_function("first-sort-1000", |bencher| {
        let query = ListQuery::parse("sort=titulo");
        bencher.iter_batched_ref(|| prepare(&books), |collection| list(collection, &query), BatchSize::LargeInput);
    });
    group.finish();
}

/// The scan's JSON text with its numbers as the engine prints them, 5.0 as 5.
fn as_javascript(datos: &str) -> String {
    json::write(&serde_json::from_str(datos).expect("the scan answers JSON"))
}

fn prepare(books: &[Value]) -> Collection {
    let fields = books.iter().filter_map(Value::as_object);
    fields
        .map(|fields| {
            let id = fields.get("id").and_then(Value::as_u64).expect("every book has an id");
            Arc::new(Book::new(id, fields.clone()))
        })
        .collect()
}

criterion_group! {
    name = benches;
    config = settings();
    targets = parsing, new_books, made_up_1000, made_up_100000, real_books
}
criterion_main!(benches);
