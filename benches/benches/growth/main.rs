//! Measures lists over a thousand to a million books, in turn by engine, naive scan, SQLite plain and indexed, and lower bounds.
//!
//! `--svg FILE` draws the engine's curves; `--books FILE` writes the largest catalogue for `benches/peers`; `--sizes A,B` sets other sizes,
//! up to ten million books, without SQLite; `--distinct` ends each title with a number. A total that differs from SQLite's, or a page that
//! differs from the naive scan's, stops the run.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::ensure;
use libros_benches::curve::{self, Line};
use libros_benches::queries::{BenchQuery, QUERIES};
use libros_benches::{catalogue, floors::Floors, median};
use libros_conformance_model::list::{list as naive_list, steps::ListSteps};
use libros_server_query::{Collection, ListQuery, json, list};
use libros_server_system::processors;
use serde_json::Value;

use sqlite::Sqlite;

mod sqlite;

const SEED: u64 = 1605;
const SIZES: &str = "1000,10000,100000,1000000";
/// Most books for the naive scan, which keeps parsed values and takes seconds for more.
const NAIVE_MAX: usize = 100_000;
/// Most books for SQLite: two larger databases do not fit into memory beside the engine.
const SQLITE_MAX: usize = 1_000_000;
const ROUNDS: usize = 15;

struct Peers {
    /// The books of the model's list: parsed JSON values, scanned and sorted for each request.
    naive: Option<Vec<Value>>,
    /// Plain and indexed.
    databases: Option<[Sqlite; 2]>,
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let option =
        |name: &str| arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1));
    let sizes = option("--sizes").map_or(SIZES, String::as_str);
    let sizes: Vec<usize> = sizes.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let is_distinct = arguments.iter().any(|argument| argument == "--distinct");
    let mut lines: Vec<Line> = QUERIES.iter().map(|query| (query.name, Vec::new())).collect();
    for size in &sizes {
        let file = option("--books").filter(|_| Some(size) == sizes.last());
        let books =
            || catalogue::generate(*size, SEED).map(|book| if is_distinct { catalogue::distinct(book) } else { book });
        let measured = at_size(*size, &books, file)?;
        for (line, ms) in lines.iter_mut().zip(measured) {
            line.1.push((*size as f64, ms));
        }
    }
    if let Some(file) = option("--svg") {
        let sizes: Vec<f64> = sizes.iter().map(|size| *size as f64).collect();
        fs::write(file, curve::draw("A list, by how many books there are (one core)", &sizes, &lines))?;
    }
    Ok(())
}

/// The engine's medians, by query.
fn at_size<B: Iterator<Item = Value>>(
    size: usize,
    books: &impl Fn() -> B,
    file: Option<&String>,
) -> anyhow::Result<Vec<f64>> {
    if let Some(file) = file {
        let mut file = BufWriter::new(File::create(file)?);
        books().try_for_each(|book| writeln!(file, "{}", json::write(&book)))?;
        file.flush()?;
    }
    let stored = catalogue::stored(books());
    let start = Instant::now();
    let collection: Collection = stored.into_iter().collect();
    let prepared = start.elapsed();
    let floors = Floors::new(books());
    let database = |indexed| Sqlite::new(books(), indexed);
    let databases = if size <= SQLITE_MAX { Some([database(false)?, database(true)?]) } else { None };
    let peers = Peers { naive: (size <= NAIVE_MAX).then(|| books().collect()), databases };
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{size} books, put into columns in {prepared:.2?}\n")?;
    writeln!(out, "| query | kept | ours | naive | SQLite | SQLite, indexed |\n|---|---|---|---|---|---|")?;
    // The first large allocation joins freed memory. It happens here, so that no query takes that time.
    black_box(vec![0_u8; 1 << 16]);
    let mut all = Vec::new();
    for query in QUERIES {
        let (total, medians) = ask(query, &collection, &peers)?;
        let shown = medians.map(|ms| if ms.is_nan() { "-".to_owned() } else { format!("{ms:.4}") });
        writeln!(out, "| {} | {total} | {} |", query.name, shown.join(" | "))?;
        all.push(medians[0]);
    }
    let [mut one_core, mut all_cores, mut codes]: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        timed(&mut one_core, || Ok(floors.memmem("ferrer ybarra y nadie", NonZeroUsize::MIN)))?;
        timed(&mut all_cores, || Ok(floors.memmem("ferrer ybarra y nadie", processors())))?;
        timed(&mut codes, || Ok(floors.codes(500)))?;
    }
    let [one_core, all_cores, codes] = [one_core, all_cores, codes].map(median);
    writeln!(
        out,
        "\nfloors: memmem over all texts {one_core:.4}, on all cores {all_cores:.4}; a scan of one field's codes {codes:.4}"
    )?;
    Ok(all)
}

/// The number of books that a query keeps, and the medians of engine, naive scan and databases; NaN if not measured.
fn ask(query: &BenchQuery, collection: &Collection, peers: &Peers) -> anyhow::Result<(usize, [f64; 4])> {
    let page = list(collection, &ListQuery::parse(query.text));
    if let Some(naive) = &peers.naive {
        let found = naive_list(naive, query.text, &ListSteps::default());
        ensure!(
            (&page.datos, page.total as u64) == (&json::write(&found.items()), found.total),
            "{}: another answer than the naive scan's",
            query.name
        );
    }
    let databases = query.sql.and_then(|sql| Some((sql, peers.databases.as_ref()?)));
    if let Some((sql, databases)) = databases {
        for database in databases {
            ensure!(database.list(sql)?.0 == page.total, "{}: another total than SQLite's", query.name);
        }
    }
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..ROUNDS {
        timed(&mut times[0], || Ok(list(collection, &ListQuery::parse(black_box(query.text))).datos.len()))?;
        if let Some(naive) = &peers.naive {
            timed(&mut times[1], || {
                let found = naive_list(naive, black_box(query.text), &ListSteps::default());
                Ok(serde_json::to_string(&found.datos)?.len())
            })?;
        }
        if let Some((sql, [plain, indexed])) = databases {
            timed(&mut times[2], || Ok(plain.list(black_box(sql))?.1.len()))?;
            timed(&mut times[3], || Ok(indexed.list(black_box(sql))?.1.len()))?;
        }
    }
    Ok((page.total, times.map(median)))
}

fn timed(times: &mut Vec<f64>, work: impl FnOnce() -> anyhow::Result<usize>) -> anyhow::Result<()> {
    let start = Instant::now();
    black_box(work()?);
    times.push(start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}
