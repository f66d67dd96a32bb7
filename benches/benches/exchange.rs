//! Measures whole exchanges, compared with bare hyper, which sends the same headers and body without reading the
//! request: one request at a time, and pipelined. Measured alternately in one run, reported as ratios.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};
use libros_benches::asker::Asker;
use libros_benches::served;
use libros_server::crypto::password::Cost;

const BATCHES: usize = 300;
const IN_A_ROW: usize = 64;
const KEY: &str = "x-api-key: ak_7e57c11e27000000000000000000c0de";

const ASKED: [(&str, &str); 4] = [
    ("one book", "/libros/3"),
    ("five books", "/libros"),
    ("filtered, sorted, selected", "/libros?sort=-titulo,id&q=a&fields=id,titulo&limit=3"),
    ("unknown book (404)", "/libros/999"),
];

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\n{KEY}\r\n\r\n")
}

/// The headers of our server, without those that hyper adds itself.
fn headers_of(address: SocketAddr, request: &str) -> anyhow::Result<HeaderMap> {
    use std::io::Read as _;
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n").as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let text = String::from_utf8_lossy(&answer);
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    let mut headers = HeaderMap::new();
    for (name, value) in head.lines().skip(1).filter_map(|line| line.split_once(": ")) {
        if !["date", "connection", "content-length"].contains(&name.to_ascii_lowercase().as_str()) {
            headers.append(HeaderName::try_from(name)?, HeaderValue::from_str(value)?);
        }
    }
    Ok(headers)
}

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

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
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
        let one = request(path);
        let row = one.repeat(IN_A_ROW);
        let mut asker = Asker::connect(ours)?;
        asker.ask(&one)?;
        let body = asker.body().to_vec();
        let bare = served::bare(headers_of(ours, &one)?, body.clone().into())?;
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
            "{name:<27} {:>6} {:>8.1} {:>8.1} {:>6.2} {:>10.1} {:>8.1} {:>6.2}",
            body.len(),
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
