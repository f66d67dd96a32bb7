//! Measures lists: parsing a query string, and filtering, sorting, paging and selecting for each query of
//! [`libros_benches::queries`] over ten thousand books. The bench `growth` compares the same queries with peers as books become many.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use libros_benches::catalogue;
use libros_benches::queries::QUERIES;
use libros_server_query::{Collection, ListQuery, list};

const SEED: u64 = 1605;
const BOOKS: usize = 10_000;

fn lists(criterion: &mut Criterion) {
    let books: Collection = catalogue::stored(catalogue::generate(BOOKS, SEED)).into_iter().collect();
    let mut group = criterion.benchmark_group("lists");
    for bench in QUERIES {
        let query = ListQuery::parse(bench.text);
        group.bench_function(bench.name, |bencher| bencher.iter(|| list(&books, black_box(&query))));
    }
    group.finish();
}

fn parsing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for bench in QUERIES {
        group.bench_function(bench.name, |bencher| bencher.iter(|| ListQuery::parse(black_box(bench.text))));
    }
    group.finish();
}

criterion_group!(benches, parsing, lists);
criterion_main!(benches);
