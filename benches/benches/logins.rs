//! Measures the latency of `GET /libros` without logins, and during many at the default cost.
//!
//! Quiet and busy rounds alternate against a server in this process. Readers keep a steady pace, and each latency
//! counts from the moment the request was due, so that a slow answer cannot delay the next request unseen.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use libros_benches::asker::{Asker, reading};
use libros_benches::served;
use libros_server::crypto::password::Cost;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(3);
const READERS: usize = 4;
const EVERY: Duration = Duration::from_millis(2);
const LOGINS_AT_ONCE: usize = 8;

const CREDENTIALS: &str = r#"{"email":"lectora@biblioteca.example","password":"Lectora-de-prueba-2"}"#;

/// The latencies of reads at a steady pace, in microseconds.
fn round(address: SocketAddr) -> Vec<f64> {
    let read = || {
        let (mut asker, list, mut latencies) = (Asker::connect(address)?, reading("/libros"), Vec::new());
        let start = Instant::now();
        let mut due = start;
        while due.duration_since(start) < ROUND {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            let status = asker.ask(&list)?;
            assert_eq!(status, 200);
            latencies.push(due.elapsed().as_secs_f64() * 1e6);
            due += EVERY;
        }
        std::io::Result::Ok(latencies)
    };
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(read)).collect();
        readers.into_iter().flat_map(|reader| reader.join().expect("no panic").expect("a connection")).collect()
    })
}

/// A round during logins; also returns how many succeeded.
fn busy_round(address: SocketAddr) -> (Vec<f64>, u32) {
    let (over, done) = (AtomicBool::new(false), AtomicU32::new(0));
    let length = CREDENTIALS.len();
    let login = format!("POST /auth/login HTTP/1.1\r\nhost: bench\r\ncontent-length: {length}\r\n\r\n{CREDENTIALS}");
    let latencies = thread::scope(|scope| {
        for _ in 0..LOGINS_AT_ONCE {
            scope.spawn(|| {
                let mut asker = Asker::connect(address).expect("a connection");
                while !over.load(Ordering::Relaxed) {
                    assert_eq!(asker.ask(&login).expect("an answer"), 200);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let latencies = round(address);
        over.store(true, Ordering::Relaxed);
        latencies
    });
    (latencies, done.into_inner())
}

fn percentile(sorted: &[f64], part: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * part).round() as usize).copied().unwrap_or(f64::NAN)
}

fn main() -> anyhow::Result<()> {
    let address = served::catalogue(Cost::default())?;
    round(address);
    let (mut quiet, mut busy, mut logins) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        quiet.extend(round(address));
        let (latencies, done) = busy_round(address);
        busy.extend(latencies);
        logins += done;
    }
    let mut out = std::io::stdout().lock();
    let seconds = ROUND.as_secs_f64() * ROUNDS as f64;
    writeln!(
        out,
        "reads: {:.0} a second; logins when busy: {:.1} a second",
        quiet.len() as f64 / seconds,
        f64::from(logins) / seconds
    )?;
    writeln!(out, "{:<6} {:>9} {:>9} {:>6}", "", "quiet us", "busy us", "ratio")?;
    quiet.sort_by(f64::total_cmp);
    busy.sort_by(f64::total_cmp);
    for (name, part) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)] {
        let (quiet, busy) = (percentile(&quiet, part), percentile(&busy, part));
        writeln!(out, "{name:<6} {quiet:>9.0} {busy:>9.0} {:>6.2}", busy / quiet)?;
    }
    Ok(())
}
