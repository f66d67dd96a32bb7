//! `libros-server`: the reference server as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    libros_server::run(std::env::args_os().skip(1))
}
