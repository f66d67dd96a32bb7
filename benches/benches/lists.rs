//! Measures lists: parsing a query string, and filtering, sorting, paging and selecting for each query of
//! [`libros_benches::questions`] over ten thousand books. The bench `growth` compares the same queries with peers as books become many.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use libros_benches::catalogue;
use libros_benches::questions::QUESTIONS;
use libros_server_query::{Collection, ListQuery, list};

const SEED: u64 = 1605;
const BOOKS: usize = 10_000;

fn lists(criterion: &mut Criterion) {
    let books: Collection = catalogue::stored(catalogue::generate(BOOKS, SEED)).into_iter().collect();
    let mut group = criterion.benchmark_group("lists");
    for question in QUESTIONS {
        let query = ListQuery::parse(question.query);
        group.bench_function(question.name, |bencher| bencher.iter(|| list(&books, black_box(&query))));
    }
    group.finish();
}

fn parsing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for question in QUESTIONS {
        group.bench_function(question.name, |bencher| bencher.iter(|| ListQuery::parse(black_box(question.query))));
    }
    group.finish();
}

criterion_group!(benches, parsing, lists);
criterion_main!(benches);
