//! Counts the machine instructions of one request to the service, without sockets: repeatable where times are noisy.
//!
//! Runs itself under valgrind's cachegrind with few and with many requests; the difference belongs to the requests. Compares
//! the counts with `instructions.txt`, unless another compiler made those; `--update` writes them there.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use hyper::{Method, StatusCode};
use libros_benches::{catalogue, served};
use libros_server::crypto::password::Cost;
use libros_server::message::{Client, Interface as _, Request};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");
/// A count that grows by more than this is a failure.
const GROWTH_MAX: f64 = 1.03;
const FEW: u32 = 100;
const BOOKS: usize = 1_000;
const KEY: &str = "ak_ad3100c11e270000000000000000c0de";

/// Name, method, path (`#` is the number of the request), status, and a count of requests beside which the noise of the start is small.
const ASKED: [(&str, &str, &str, u16, u32); 7] = [
    ("one-book", "GET", "/libros/3", 200, 10_000),
    ("unknown-book", "GET", "/libros/999999", 404, 10_000),
    ("no-credential", "GET", "/libros?key=none", 401, 10_000),
    ("page-again", "GET", "/libros?limit=10", 200, 10_000),
    ("page-new", "GET", "/libros?limit=10&x-#=", 200, 5_000),
    ("search-sort-select", "GET", "/libros?q=a&sort=-titulo,id&fields=id,titulo&limit=10&page=#", 200, 2_000),
    ("create", "POST", "/libros", 201, 1_000),
];

fn request(method: &str, path: &str, body: String) -> anyhow::Result<Request> {
    let mut headers = hyper::HeaderMap::new();
    if !path.contains("key=none") {
        headers.insert("x-api-key", KEY.parse()?);
    }
    let (method, peer) = (Method::from_bytes(method.as_bytes())?, IpAddr::V4(Ipv4Addr::LOCALHOST));
    let body = Bytes::from(body);
    Ok(Request { method, uri: path.parse()?, headers, body, peer, client: Client::default() })
}

/// Answers `count` requests of a kind over a collection of [`BOOKS`].
async fn ask(name: &str, count: u32) -> anyhow::Result<()> {
    // No request hashes a password, the start hashes those of the first users.
    let service = served::interface(Cost { memory_kib: 8, passes: 1, lanes: 1 })?;
    let books: Vec<_> = catalogue::generate(BOOKS, 1).collect();
    for book in &books {
        let reply = service.answer(&request("POST", "/libros", book.to_string())?).await;
        ensure!(reply.status == StatusCode::CREATED, "a book is refused: {}", reply.status);
    }
    let (_, method, path, status, _) = ASKED.iter().find(|asked| asked.0 == name).context("no such kind of request")?;
    for number in 1..=count {
        let body = if *method == "POST" { books[0].to_string() } else { String::new() };
        let reply = service.answer(&request(method, &path.replace('#', &number.to_string()), body)?).await;
        ensure!(reply.status == *status, "{path} is answered {}", reply.status);
    }
    Ok(())
}

/// Instructions of a process that answers `count` requests.
fn counted(name: &str, count: u32) -> anyhow::Result<f64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]).arg(env::current_exe()?);
    let output = valgrind.args([name, &count.to_string()]).output().context("valgrind cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} failed under valgrind: {said}");
    let total = said.lines().find_map(|line| line.split_once("refs:")).context("cachegrind printed no total")?;
    Ok(total.1.trim().replace(',', "").parse()?)
}

/// The compiler and its version: another one's counts are not comparable.
fn compiler() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("rustc cannot be started")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The stored counts, by name; `None` if another compiler made them.
fn kept(compiler: &str) -> anyhow::Result<Option<BTreeMap<String, f64>>> {
    let text = fs::read_to_string(KEPT).with_context(|| format!("{KEPT} cannot be read"))?;
    let (maker, counts) = text.split_once('\n').context("no counts are kept")?;
    let counts = counts.lines().filter_map(|line| line.split_once(' '));
    let counts =
        counts.map(|(name, count)| Ok((name.to_owned(), count.trim().parse()?))).collect::<anyhow::Result<_>>()?;
    Ok((maker == compiler).then_some(counts))
}

fn compare(updates: bool) -> anyhow::Result<ExitCode> {
    let compiler = compiler()?;
    let kept = if updates { None } else { kept(&compiler)? };
    let (mut text, mut grown) = (format!("{compiler}\n"), Vec::new());
    let mut out = io::stdout().lock();
    for (name, .., many) in ASKED {
        let count = (counted(name, FEW + many)? - counted(name, FEW)?) / f64::from(many);
        text.push_str(&format!("{name} {count:.0}\n"));
        let ratio = kept.as_ref().and_then(|kept| Some(count / kept.get(name)?));
        let compared = ratio.map_or_else(|| "not compared".to_owned(), |ratio| format!("{ratio:.3}"));
        writeln!(out, "{name:<20} {count:>10.0} {compared:>14}")?;
        grown.extend(ratio.filter(|ratio| *ratio > GROWTH_MAX).map(|_| name));
    }
    if updates {
        fs::write(KEPT, text).with_context(|| format!("{KEPT} cannot be written"))?;
    }
    if grown.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let grown = grown.join(", ");
    writeln!(out, "grown by more than 3 %: {grown}. If this is intended: just instructions --update")?;
    Ok(ExitCode::FAILURE)
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [name, count] => {
            let asked = ask(name, count.parse()?);
            tokio::runtime::Builder::new_current_thread().build()?.block_on(asked)?;
            Ok(ExitCode::SUCCESS)
        }
        [update] if update == "--update" => compare(true),
        _ => compare(false),
    }
}
