//! Measures what surrounds a list: parsing its query string, and putting books into columns.
//!
//! Ids are `query/<what>-<number>`. The bench `growth` measures the lists themselves, beside a naive scan, SQLite and lower bounds.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use libros_benches::catalogue;
use libros_benches::questions;
use libros_server_query::{Collection, ListQuery};
use serde_json::Value;

const SEED: u64 = 1605;

fn settings() -> Criterion {
    Criterion::default()
        // Enough for a ratio; `--measurement-time 5` takes longer.
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

/// Measures new books: preparing a thousand at once, and adding one to a hundred thousand.
fn new_books(criterion: &mut Criterion) {
    let books: Vec<Value> = catalogue::generate(1000, SEED).collect();
    let mut group = criterion.benchmark_group("query");
    group.throughput(Throughput::Elements(books.len() as u64));
    group.bench_function("prepare-1000", |bencher| {
        bencher.iter(|| catalogue::stored(black_box(&books).iter().cloned()).into_iter().collect::<Collection>());
    });
    group.throughput(Throughput::Elements(1));
    let mut books = catalogue::stored(catalogue::generate(100_001, SEED));
    let added = books.pop().expect("the last book");
    let large: Collection = books.into_iter().collect();
    group.bench_function("add-100000", |bencher| {
        bencher.iter_batched_ref(|| large.clone(), |books| books.insert(Arc::clone(&added)), BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = settings();
    targets = parsing, new_books
}
criterion_main!(benches);
