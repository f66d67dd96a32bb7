//! `compare`: compares json reports: the changes between two, a matrix of several; as a page and a badge, too.

use std::io;
use std::path::{Path, PathBuf};

use crate::commands::{CommandError, opened, read_report, write_opened};
use crate::compare::badge::Badge;
use crate::compare::changes::Changes;
use crate::compare::terminal::{ChangesAtTerminal, Matrix};
use crate::compare::{matrix, page};
use crate::report::color::Palette;
use crate::report::lines::write_lines;
use crate::report::wrapping::{Wrapping, columns_of_report};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// json reports, earlier ones first; two of one target are before and after
    #[arg(required = true, value_name = "REPORT.json")]
    reports: Vec<PathBuf>,
    /// Write the comparison as one page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the badge of the last report; a file whose name ends in .json is for the `endpoint` of shields.io
    #[arg(long, value_name = "FILE.svg")]
    badge: Option<PathBuf>,
    /// Name every change, and show every rule of the matrix
    #[arg(short, long)]
    verbose: bool,
    /// End with 1 when the second of two reports is worse: something broke, or is no longer judged
    #[arg(long)]
    fail_if_worse: bool,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let reports = args.reports.iter().map(|path| read_report(path)).collect::<Result<Vec<_>, _>>()?;
    if reports.len() == 1 && args.badge.is_none() && args.html.is_none() {
        return Err(CommandError::usage("one report has nothing to be compared with; name two, or ask for --badge"));
    }
    if args.fail_if_worse && reports.len() != 2 {
        return Err(CommandError::usage("--fail-if-worse wants two reports: before and after"));
    }
    let files: Vec<String> = args.reports.iter().map(|path| stem(path)).collect();
    let labels = matrix::labels(&reports, &files);
    let changes = match &reports[..] {
        [before, after] => Some(Changes::between(before, after)),
        _ => None,
    };
    let is_one_target = reports.iter().all(|report| report.target.name == reports[0].target.name);
    let (out, palette) =
        (&mut Wrapping::for_report(io::stdout().lock(), &io::stdout()), Palette::for_terminal(&io::stdout()));
    // A reader that closed the pipe has seen enough.
    if let ([before, after], Some(changes)) = (&reports[..], &changes) {
        let reports = [("before", before), ("after ", after)];
        _ = write_lines(out, &ChangesAtTerminal { reports, changes, is_verbose: args.verbose, palette });
    }
    if reports.len() > 2 || reports.len() == 2 && (!is_one_target || args.verbose) {
        let room = (columns_of_report(&io::stdout()), palette);
        _ = write_lines(out, &Matrix::of(&reports, &labels, args.verbose, room));
    }
    write_opened(opened(&args.html)?, || page::text(&reports, &labels, changes.as_ref()))?;
    if let (Some(path), Some(last)) = (&args.badge, reports.last()) {
        write_opened(opened(&args.badge)?, || Badge::for_report(last).written_as(path))?;
    }
    Ok(u8::from(args.fail_if_worse && changes.is_some_and(|changes| changes.is_worse())))
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
