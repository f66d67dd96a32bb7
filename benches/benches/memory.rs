//! Measures memory per stored byte for ten shapes of books: many names, long texts, deep objects, one name, none.
//!
//! Each shape has its own server process, which receives its books over HTTP; its memory is read from
//! `/proc/self/status`, at rest and at most. Exits with 1 if it is above `AT_REST_MAX` at rest. `--mib N` sets how much
//! is stored, `--shape NAME` selects one.

use std::io::{self, Write as _};
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context as _, ensure};
use libros_benches::asker::Asker;
use libros_benches::served;
use libros_server::crypto::password::Cost;

/// Most bytes in memory per stored byte, for any shape.
const AT_REST_MAX: f64 = 6.0;

/// The members of the `number`th book, after title and author.
type Members = fn(usize) -> String;

struct Shape {
    name: &'static str,
    members: Members,
    /// Whether each book is then replaced by one without these members.
    replaced: bool,
}

const fn shape(name: &'static str, members: Members) -> Shape {
    Shape { name, members, replaced: false }
}

const SHAPES: &[Shape] = &[
    shape("names of one book each", |book| fields(1000, |field| format!(r#""n{book}x{field}":{}"#, field % 10))),
    shape("names of one book each, texts", |book| fields(1000, |field| format!(r#""n{book}x{field}":"t{field}""#))),
    shape("names of a hundred books each", |book| {
        fields(500, |field| format!(r#""n{}":{}"#, book / 100 * 500 + field, field + book % 7))
    }),
    shape("a thousand names in every book", |book| {
        fields(1000, |field| format!(r#""n{field}":"{}""#, book * 31 + field))
    }),
    shape("long texts", |book| {
        format!(r#","texto":"{}""#, (book * 9000..(book + 1) * 9000).map(word).collect::<String>())
    }),
    shape("lists of numbers", |book| {
        let numbers = (book * 300..(book + 1) * 300).map(|number| number.to_string());
        format!(r#","lista":[{}]"#, numbers.collect::<Vec<_>>().join(","))
    }),
    shape("deep objects", |book| format!(r#","d":{}{book}{}"#, r#"{"a":["#.repeat(40), "]}".repeat(40))),
    shape("one name", |book| format!(r#","n":{book}"#)),
    shape("none", |_| String::new()),
    Shape {
        name: "names dropped by a replacement",
        members: |book| fields(1000, |field| format!(r#""n{book}x{field}":{}"#, field % 10)),
        replaced: true,
    },
];

fn fields(count: usize, field: impl Fn(usize) -> String) -> String {
    (0..count).flat_map(|number| [",".to_owned(), field(number)]).collect()
}

fn word(number: usize) -> String {
    format!("{:x} ", number.wrapping_mul(0x9e37_79b9) % 0x000f_ffff)
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = env::args().collect();
    let option = |name: &str| arguments.iter().position(|other| other == name).and_then(|at| arguments.get(at + 1));
    let mib = option("--mib").map_or(Ok(16), |text| text.parse())?;
    if let Some(name) = option("--served") {
        let shape = SHAPES.iter().find(|shape| shape.name == name).context("no such shape")?;
        measure(shape, mib << 20)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        io::stdout(),
        "| shape | books | bytes stored | bytes in memory for each, at rest | at most |\n|---|---|---|---|---|"
    )?;
    let mut fits = true;
    for shape in SHAPES.iter().filter(|shape| option("--shape").is_none_or(|name| shape.name.contains(name))) {
        let output =
            Command::new(env::current_exe()?).args(["--served", shape.name, "--mib", &mib.to_string()]).output()?;
        let line = String::from_utf8(output.stdout)?;
        ensure!(output.status.success(), "{}: {}", shape.name, String::from_utf8_lossy(&output.stderr));
        let [books, stored, at_rest, at_most] = *line.split_whitespace().collect::<Vec<_>>() else {
            anyhow::bail!("{}: {line}", shape.name);
        };
        let per_byte = |bytes: &str| Ok::<_, anyhow::Error>(bytes.parse::<f64>()? / stored.parse::<f64>()?);
        let (at_rest, at_most) = (per_byte(at_rest)?, per_byte(at_most)?);
        writeln!(io::stdout(), "| {} | {books} | {stored} | {at_rest:.2} | {at_most:.2} |", shape.name)?;
        fits &= at_rest <= AT_REST_MAX;
    }
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the books, the bytes stored, and the growth of the server in bytes, at rest and at most.
fn measure(shape: &Shape, enough: usize) -> anyhow::Result<()> {
    let mut asker = Asker::connect(served::catalogue(Cost { memory_kib: 8, passes: 1, lanes: 1 })?)?;
    let mut send = |line: &str, body: &str| -> anyhow::Result<usize> {
        let key = "x-api-key: ak_ad3100c11e270000000000000000c0de";
        let request =
            format!("{line} HTTP/1.1\r\nhost: bench\r\n{key}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let status = asker.ask(&request)?;
        ensure!((200..300).contains(&status), "{line}: {status}");
        Ok(asker.body().len())
    };
    // The first write allocates what every shape needs.
    send("PUT /libros/1", "{}")?;
    let before = memory("VmRSS:")?;
    let (mut total, mut books) = (0, 0);
    for book in 0.. {
        let body = format!(r#"{{"titulo":"{}","autor":"A"{}}}"#, word(book), (shape.members)(book));
        total += send("POST /libros", &body)?;
        books = book + 1;
        if total >= enough {
            break;
        }
    }
    if shape.replaced {
        for book in 0..books {
            send(&format!("PUT /libros/{}", book + 6), r#"{"titulo":"T","autor":"A"}"#)?;
        }
    }
    // Compared with the most that was stored: an allocator keeps pages with holes. The server's tests prove that the
    // bytes are freed.
    let at_rest = memory_at_rest()?;
    let (at_rest, at_most) = (at_rest.saturating_sub(before), memory("VmHWM:")?.saturating_sub(before));
    writeln!(io::stdout(), "{books} {total} {at_rest} {at_most}")?;
    Ok(())
}

fn memory_at_rest() -> anyhow::Result<usize> {
    let mut last = memory("VmRSS:")?;
    loop {
        thread::sleep(Duration::from_secs(1));
        let now = memory("VmRSS:")?;
        if now == last {
            return Ok(now);
        }
        last = now;
    }
}

fn memory(line: &str) -> anyhow::Result<usize> {
    let status = fs::read_to_string("/proc/self/status").context("this bench reads Linux's /proc")?;
    let found = status.lines().find_map(|known| known.strip_prefix(line)).context("no such line")?;
    Ok(found.trim_end_matches("kB").trim().parse::<usize>()? << 10)
}
