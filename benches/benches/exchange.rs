//! Measures whole exchanges, compared with bare hyper, which sends the same headers and body without reading the
//! request: one request at a time, and pipelined. Measured alternately in one run, reported as ratios.

use std::io::Write as _;
use std::time::Instant;

use libros_benches::asker::{Asker, reading};
use libros_benches::{median, served};
use libros_server::crypto::password::Cost;

const BATCHES: usize = 300;
const IN_A_ROW: usize = 64;

const ASKED: [(&str, &str); 4] = [
    ("one book", "/libros/3"),
    ("five books", "/libros"),
    ("filtered, sorted, selected", "/libros?sort=-titulo,id&q=a&fields=id,titulo&limit=3"),
    ("unknown book (404)", "/libros/999"),
];

/// Microseconds per request, one at a time and pipelined.
fn batch(asker: &mut Asker, one: &str, row: &str) -> std::io::Result<(f64, f64)> {
    let start = Instant::now();
    for _ in 0..IN_A_ROW {
        asker.ask(one)?;
    }
    let alone = start.elapsed();
    let start = Instant::now();
    asker.send(row)?;
    for _ in 0..IN_A_ROW {
        asker.receive()?;
    }
    let each = |taken: std::time::Duration| taken.as_secs_f64() * 1e6 / IN_A_ROW as f64;
    Ok((each(alone), each(start.elapsed())))
}

fn main() -> anyhow::Result<()> {
    let ours = served::catalogue(Cost::default())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<27} {:>6} {:>24} {:>26}", "", "bytes", "one at a time", "64 in a row")?;
    writeln!(
        out,
        "{:<27} {:>6} {:>8} {:>8} {:>6} {:>10} {:>8} {:>6}",
        "", "", "hyper us", "ours us", "ratio", "hyper us", "ours us", "ratio"
    )?;
    for (name, path) in ASKED {
        let one = reading(path);
        let row = one.repeat(IN_A_ROW);
        let mut asker = Asker::connect(ours)?;
        asker.ask(&one)?;
        let bytes = asker.body().len();
        let bare = served::bare(ours, path, served::processors())?;
        let mut askers = [Asker::connect(bare)?, asker];
        let mut taken = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for _ in 0..BATCHES {
            for (asker, taken) in askers.iter_mut().zip(&mut taken) {
                let (alone, in_a_row) = batch(asker, &one, &row)?;
                taken.0.push(alone);
                taken.1.push(in_a_row);
            }
        }
        let [bare, ours] = taken.map(|(alone, in_a_row)| (median(alone), median(in_a_row)));
        writeln!(
            out,
            "{name:<27} {bytes:>6} {:>8.1} {:>8.1} {:>6.2} {:>10.1} {:>8.1} {:>6.2}",
            bare.0,
            ours.0,
            ours.0 / bare.0,
            bare.1,
            ours.1,
            ours.1 / bare.1
        )?;
    }
    Ok(())
}
