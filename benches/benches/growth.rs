//! Measures lists from a thousand books to a million: the engine, the naive scan, SQLite plain and indexed, and the
//! lower bounds, alternately in one run; medians in milliseconds.
//!
//! `--svg FILE` draws the engine's curves, `--books FILE` writes the largest catalogue for `benches/peers`, `--largest
//! N` limits the size. Totals are compared with SQLite's and pages with the naive scan's: a fast wrong answer stops the
//! run.

use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use anyhow::ensure;
use libros_benches::curve::{self, Line};
use libros_benches::questions::{QUESTIONS, Question};
use libros_benches::{catalogue, floors::Floors, naive::Naive, sqlite::Sqlite};
use libros_server_query::{Collection, ListQuery, json, list};

const SEED: u64 = 1605;
const SIZES: [usize; 4] = [1000, 10_000, 100_000, 1_000_000];
/// The naive scan keeps parsed values and takes seconds for more.
const NAIVE_MAX: usize = 100_000;
const ROUNDS: usize = 15;

/// Medians of one query at one size; `None` where it is not measured.
type Medians = [Option<f64>; 4];

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let option =
        |name: &str| arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1));
    let largest = option("--largest").map_or(Ok(usize::MAX), |text| text.parse())?;
    let sizes: Vec<usize> = SIZES.into_iter().filter(|size| *size <= largest).collect();
    let mut lines: Vec<Line> =
        QUESTIONS.iter().map(|question| Line { name: question.name.to_owned(), points: Vec::new() }).collect();
    for size in &sizes {
        let measured = at_size(*size, option("--books").filter(|_| Some(size) == sizes.last()))?;
        for (line, medians) in lines.iter_mut().zip(measured) {
            line.points.extend(medians[0].map(|ms| (*size as f64, ms)));
        }
    }
    if let Some(file) = option("--svg") {
        let sizes: Vec<f64> = sizes.iter().map(|size| *size as f64).collect();
        fs::write(file, curve::draw("A list, by how many books there are (one core)", &sizes, &lines))?;
    }
    Ok(())
}

fn at_size(size: usize, file: Option<&String>) -> anyhow::Result<Vec<Medians>> {
    let books = catalogue::generate(size, SEED);
    if let Some(file) = file {
        let lines: Vec<String> = books.iter().map(json::write).collect();
        fs::write(file, lines.join("\n") + "\n")?;
    }
    let start = Instant::now();
    let collection = catalogue::collection(&books);
    let prepared = start.elapsed();
    let floors = Floors::new(&books);
    let plain = Sqlite::new(&books, false)?;
    let indexed = Sqlite::new(&books, true)?;
    let naive = (size <= NAIVE_MAX).then(|| Naive::new(books));
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{size} books, put into columns in {prepared:.2?}\n")?;
    writeln!(out, "| question | kept | ours | naive | SQLite | SQLite, indexed |\n|---|---|---|---|---|---|")?;
    let mut all = Vec::new();
    for question in QUESTIONS {
        let (total, medians) = ask(question, &collection, naive.as_ref(), [&plain, &indexed])?;
        let shown = medians.map(|median| median.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.4}")));
        writeln!(out, "| {} | {total} | {} |", question.name, shown.join(" | "))?;
        all.push(medians);
    }
    let text = median(|| Ok(floors.memmem("ferrer ybarra y nadie")))?;
    let codes = median(|| Ok(floors.codes(500)))?;
    writeln!(out, "\nfloors: memmem over all texts {text:.4}, a scan of one field's codes {codes:.4}")?;
    Ok(all)
}

fn ask(
    question: &Question,
    collection: &Collection,
    naive: Option<&Naive>,
    databases: [&Sqlite; 2],
) -> anyhow::Result<(usize, Medians)> {
    let page = list(collection, &ListQuery::parse(question.query));
    if let Some(naive) = naive {
        let (datos, total) = naive.list(question.query);
        let datos = json::write(&serde_json::from_str(&datos)?);
        ensure!(
            (&page.datos, page.total) == (&datos, total),
            "{}: another answer than the naive scan's",
            question.name
        );
    }
    if let Some(sql) = question.sql {
        for database in databases {
            ensure!(database.list(sql)?.0 == page.total, "{}: another total than SQLite's", question.name);
        }
    }
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut timed = |at: usize, work: &dyn Fn() -> anyhow::Result<usize>| -> anyhow::Result<()> {
        let start = Instant::now();
        black_box(work()?);
        times[at].push(start.elapsed().as_secs_f64() * 1e3);
        Ok(())
    };
    for _ in 0..ROUNDS {
        timed(0, &|| Ok(list(collection, &ListQuery::parse(black_box(question.query))).datos.len()))?;
        if let Some(naive) = naive {
            timed(1, &|| Ok(naive.list(black_box(question.query)).0.len()))?;
        }
        if let Some(sql) = question.sql {
            timed(2, &|| Ok(databases[0].list(black_box(sql))?.1.len()))?;
            timed(3, &|| Ok(databases[1].list(black_box(sql))?.1.len()))?;
        }
    }
    Ok((page.total, times.map(middle)))
}

fn median(work: impl Fn() -> anyhow::Result<usize>) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        black_box(work()?);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(middle(times).unwrap_or(f64::NAN))
}

fn middle(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}
