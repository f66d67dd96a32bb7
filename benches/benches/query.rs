//! Measures lists: parsing the query string, and answering it over collections of several sizes.
//!
//! Ids are `query/<what>-<books>`; `naive/<what>-<books>` is a plain scan of JSON values, so the ratio of the two says
//! more than either time; `floor/...` is a lower bound for any engine. Up to a hundred thousand books every answer is
//! first compared with the scan's, byte for byte, and every round checks the total: a fast wrong answer stops the
//! bench.

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use libros_benches::floors::Floors;
use libros_benches::questions::{self, QUESTIONS};
use libros_benches::{catalogue, goodbooks, naive::Naive};
use libros_server_query::json;
use libros_server_query::{Book, Collection, ListQuery, list};
use serde_json::Value;

const SEED: u64 = 1605;

/// The naive scan needs seconds for more; beyond this nothing is compared.
const NAIVE_MAX: usize = 100_000;

fn settings() -> Criterion {
    Criterion::default()
        // Enough for a ratio within two minutes; `--measurement-time 5` takes longer.
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .sample_size(10)
        // Runs on shared machines differ by more.
        .noise_threshold(0.05)
        .without_plots()
}

fn parsing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    let long = format!("id={}", (0..500).map(|id| id.to_string()).collect::<Vec<_>>().join(","));
    for (name, raw) in [("parse-none", ""), ("parse-all", questions::ALL), ("parse-list-of-500", long.as_str())] {
        group.throughput(Throughput::Bytes(raw.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| ListQuery::parse(black_box(raw)));
        });
    }
    group.finish();
}

fn made_up(criterion: &mut Criterion) {
    let questions: Vec<(&str, &str)> = QUESTIONS.iter().map(|question| (question.name, question.query)).collect();
    for count in [1000, 10_000, 100_000, 1_000_000] {
        let books = catalogue::generate(count, SEED);
        floors(criterion, count, &books);
        measure(criterion, &count.to_string(), books, &questions);
    }
}

/// Lower bounds: one pass over all texts, one over the codes of a field.
fn floors(criterion: &mut Criterion, count: usize, books: &[Value]) {
    let floors = Floors::new(books);
    let mut group = criterion.benchmark_group("floor");
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function(format!("memmem-{count}"), |bencher| {
        bencher.iter(|| floors.memmem(black_box("nobody at all")));
    });
    group.bench_function(format!("codes-{count}"), |bencher| bencher.iter(|| floors.codes(black_box(500))));
    group.finish();
}

fn real_books(criterion: &mut Criterion) {
    let questions =
        [("filter", "autor=Terry+Pratchett"), ("q-rare", "q=quixote"), ("sort-two", "sort=autor,-valoracion")];
    match goodbooks::read() {
        Ok(books) => measure(criterion, "goodbooks", books, &questions),
        Err(reason) => {
            let line = format!("\n*** SKIPPED: the benches over real books, query/*-goodbooks ({reason}) ***\n");
            // Ignores a closed standard error.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// Measures every query, the engine and the naive scan alternately.
fn measure(criterion: &mut Criterion, size: &str, books: Vec<Value>, questions: &[(&str, &str)]) {
    let collection = prepare(&books);
    let naive = (books.len() <= NAIVE_MAX).then(|| Naive::new(books));
    for (name, raw) in questions {
        let page = list(&collection, &ListQuery::parse(raw));
        let total = page.total;
        if let Some(naive) = &naive {
            let (datos, found) = naive.list(raw);
            assert_eq!((page.datos, total), (as_javascript(&datos), found), "{name}-{size}");
        }
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
        let Some(naive) = &naive else {
            continue;
        };
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

/// Measures new books: preparing a thousand at once, and adding one to a hundred thousand.
fn new_books(criterion: &mut Criterion) {
    let books = catalogue::generate(1000, SEED);
    let mut group = criterion.benchmark_group("query");
    group.throughput(Throughput::Elements(books.len() as u64));
    group.bench_function("prepare-1000", |bencher| {
        bencher.iter(|| prepare(black_box(&books)));
    });
    group.throughput(Throughput::Elements(1));
    let large = prepare(&catalogue::generate(100_000, SEED));
    let added = prepare(&catalogue::generate(100_001, SEED)).get(100_001).cloned().expect("the last book");
    group.bench_function("add-100000", |bencher| {
        bencher.iter_batched_ref(|| large.clone(), |books| books.insert(Arc::clone(&added)), BatchSize::SmallInput);
    });
    group.finish();
}

/// The scan's JSON with numbers as the engine prints them, 5.0 as 5.
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
    targets = parsing, new_books, made_up, real_books
}
criterion_main!(benches);
