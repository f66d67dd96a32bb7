//! What logins do to reads: the latency of `GET /libros` with nobody logging in, and with many at the default cost.
//!
//! Quiet and busy rounds take turns in one run, against a server in this process. Readers keep a steady pace, so that
//! a slow answer is not hidden by a slower next question: each latency counts from the moment the question was due.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use libros_server::auth::hashing::threads_beside;
use libros_server::auth::{Cost, Identity, Secret, Settings};
use libros_server::books::{Books, Initial, Shelf};
use libros_server::catalogue::Catalogue;
use libros_server::clock::Clock;
use libros_server::context::Context;
use libros_server::entropy::Entropy;
use libros_server::store::{Journal, Loaded, MemoryStore};
use libros_server::transport::{self, Limits, Transport};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(3);
const READERS: usize = 4;
const EVERY: Duration = Duration::from_millis(2);
const LOGINS_AT_ONCE: usize = 8;

const READ: &str = "GET /libros HTTP/1.1\r\nhost: bench\r\nx-api-key: ak_7e57c11e27000000000000000000c0de\r\n\r\n";
const CREDENTIALS: &str = r#"{"email":"lectora@biblioteca.example","password":"Lectora-de-prueba-2"}"#;

fn catalogue() -> anyhow::Result<Catalogue> {
    let (journal, _thread) = Journal::start(MemoryStore)?;
    let context = Context { clock: Clock::new(), entropy: Entropy::system(), journal };
    let settings = Settings {
        secret: Secret::random(&context.entropy),
        password_cost: Cost::default(),
        hashing_threads: threads_beside(processors()),
    };
    let initial = Initial::five()?;
    let books = Books::new(Shelf::new(initial.books().clone()), initial, context.clone());
    let identity = Identity::new(&settings, context.clone(), &mut Loaded::default())?;
    std::mem::forget(_thread);
    Ok(Catalogue::new(books, identity, &"bench".parse()?, context))
}

fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Starts the server for as long as the process lives.
fn serve() -> anyhow::Result<SocketAddr> {
    let catalogue = Arc::new(catalogue()?);
    let (tell, told) = channel();
    thread::spawn(move || {
        transport::block_on(processors(), async {
            let transport = Transport::new(Limits {
                body_max: 1 << 20,
                head_within: Duration::from_secs(60),
                body_within: Duration::from_secs(60),
            });
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            tell.send(transport.open(any, catalogue).await).map_err(drop)?;
            transport.serve_until_signalled().await.map_err(drop)
        })
    });
    Ok(told.recv()??)
}

/// A connection that asks and waits for the answer.
struct Asker(BufReader<TcpStream>);

impl Asker {
    fn connect(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// The status of the answer, its body read and forgotten.
    fn ask(&mut self, request: &str) -> std::io::Result<u16> {
        self.0.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line)?;
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok()).unwrap_or(0);
            } else if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok(status)
    }
}

/// Latencies in microseconds of reads at a steady pace for one round.
fn read_for_a_round(address: SocketAddr, latencies: &mut Vec<f64>) -> std::io::Result<()> {
    let mut asker = Asker::connect(address)?;
    let start = Instant::now();
    let mut due = start;
    while due.duration_since(start) < ROUND {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let status = asker.ask(READ)?;
        assert_eq!(status, 200);
        latencies.push(due.elapsed().as_secs_f64() * 1e6);
        due += EVERY;
    }
    Ok(())
}

fn round(address: SocketAddr) -> Vec<f64> {
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                scope.spawn(move || {
                    let mut latencies = Vec::new();
                    read_for_a_round(address, &mut latencies).map(|()| latencies)
                })
            })
            .collect();
        readers.into_iter().flat_map(|reader| reader.join().expect("no panic").expect("a connection")).collect()
    })
}

/// A round with logins going on; how many succeeded.
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
    let address = serve()?;
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
