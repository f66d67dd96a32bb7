//! Bare hyper on one thread, which answers every request as another server answers a path: `bare 127.0.0.1:3000 /libros`.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::{env, io, thread};

use anyhow::Context as _;
use libros_benches::served;

fn main() -> anyhow::Result<()> {
    let mut arguments = env::args().skip(1);
    let (server, path) = arguments.next().zip(arguments.next()).context("bare ADDRESS PATH")?;
    let address = served::bare(server.parse()?, &path, NonZeroUsize::MIN)?;
    writeln!(io::stdout(), "ready catalogue=http://{address}")?;
    loop {
        thread::park();
    }
}
