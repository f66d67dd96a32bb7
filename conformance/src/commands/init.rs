//! `init`: writes a profile to fill in, with a comment at every key.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use crate::commands::CommandError;

const TEMPLATE: &str = include_str!("../../../fixtures/targets/template.toml");

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to write it, `-` for standard output; never overwrites
    #[arg(default_value = "libros-target.toml")]
    path: PathBuf,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    if args.path.as_os_str() == "-" {
        let written = io::stdout().lock().write_all(TEMPLATE.as_bytes());
        return written
            .map(|()| 0)
            .map_err(|error| CommandError::usage(format!("cannot write to standard output: {error}")));
    }
    let path = args.path.display();
    // It will contain credentials.
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&args.path);
    let mut file = file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CommandError::usage(format!("{path} is there already; name another file")),
        _ => CommandError::unwritable(&args.path, &error),
    })?;
    file.write_all(TEMPLATE.as_bytes()).map_err(|error| CommandError::unwritable(&args.path, &error))?;
    let next = format!("wrote {path}: fill in URLs and credentials, then\n  libros-conformance run --profile {path}\n");
    _ = io::stdout().lock().write_all(next.as_bytes());
    Ok(0)
}
