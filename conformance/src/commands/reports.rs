//! The options for reports. Every output is opened before anything is judged.

use std::path::Path;

use crate::commands::CommandError;
use crate::report::color::Palette;
use crate::report::{Format, OpenReport, ReportSpec};
use crate::runner::outcome::RunOutcome;

/// Which reports are written, and where.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReportArgs {
    /// Write a report: human, json, junit, html, sarif, github, md, tap, har or hurl (repeatable). PATH `-` is standard output. It
    /// gets the human report, unless another report goes there or the only one is `human=FILE`
    #[arg(long, value_name = "FORMAT=PATH")]
    report: Vec<ReportSpec>,
    /// Let the rules of the html report link to the book of the contract in this folder (`book --html` writes it)
    #[arg(long, value_name = "DIR-OR-URL")]
    pub(crate) book: Option<String>,
    /// Show every failure, not only the causes
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Keep the traffic of every case and show it; if a json, html or har report has it all, show only the traffic of failures
    #[arg(long)]
    pub(crate) trace: bool,
}

#[derive(Debug)]
pub(crate) struct Reports {
    reports: Vec<OpenReport>,
    pub(crate) shows_human: bool,
}

impl Reports {
    pub(crate) fn open(args: &ReportArgs) -> Result<Self, CommandError> {
        let standard = Path::new("-");
        let paths: Vec<&Path> = args.report.iter().map(|report| report.path.as_path()).collect();
        let is_free = |path: &Path| !paths.contains(&path);
        let named_twice = paths.iter().enumerate().find(|(index, path)| paths[..*index].contains(path));
        if let Some((_, path)) = named_twice {
            return Err(CommandError::usage(format!("two reports would go to {}", path.display())));
        }
        let is_for_person = |report: &ReportSpec| report.format == Format::Human && report.path == standard;
        let mut specs = args.report.clone();
        // A human report asked for in a file only is not printed too.
        let is_elsewhere = matches!(&args.report[..], [only] if only.format == Format::Human);
        if is_free(standard) && !is_elsewhere {
            specs.push(ReportSpec { format: Format::Human, path: standard.to_owned() });
        }
        let reports: Result<Vec<_>, _> = specs.iter().map(ReportSpec::open).collect();
        Ok(Self { shows_human: specs.iter().any(is_for_person), reports: reports.map_err(CommandError::usage)? })
    }

    pub(crate) fn keep_traffic(&self) -> bool {
        self.reports.iter().any(|report| matches!(report.format, Format::Json | Format::Html | Format::Har))
    }

    /// Writes all; a report that cannot be written keeps no other from it.
    pub(crate) fn write(self, outcome: &RunOutcome) -> Result<(), CommandError> {
        let palette = Palette::for_terminal(&std::io::stdout());
        let written = self.reports.into_iter().map(|report| report.write(outcome, palette));
        let failed: Vec<_> = written.filter_map(Result::err).collect();
        if failed.is_empty() { Ok(()) } else { Err(CommandError::usage(failed.join("; "))) }
    }
}
