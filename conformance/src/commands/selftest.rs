//! `selftest`: proves what the suite catches, and that it catches nothing that is right.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::clock;
use crate::commands::CommandError;
use crate::impostor::faults::Fault;
use crate::report::color::Palette;
use crate::selftest::queries::{PARAMETERS_MAX, Rate};
use crate::selftest::{self, FaultOutcome, FaultResult, Findings};

/// Options of `selftest`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Faults, or rules of faults; `*` stands for any text [default: all]
    #[arg(value_name = "FAULT-OR-RULE")]
    patterns: Vec<String>,
    /// How many legal variations to judge
    #[arg(long, value_name = "N", default_value_t = 5)]
    variations: u64,
    /// How many inputs a generated case tries
    #[arg(long, value_name = "N", default_value_t = 256)]
    cases: u32,
    /// With how many seeds the generated queries must find each slip in lists by themselves
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// How many faults at a time
    #[arg(short, long, value_name = "N", default_value_t = 4)]
    jobs: usize,
    /// Write the findings as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Tests the suite; exit code 0 when nothing is left to be desired, 1 otherwise.
///
/// # Errors
/// A pattern that fits nothing, a file that cannot be written, an impostor that does not start.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let broken = |why| CommandError { code: 70, why };
    let chosen = selftest::chosen_faults(&args.patterns).map_err(CommandError::usage)?;
    let started = clock::stopwatch();
    let out = &mut io::stdout().lock();
    let mut findings = Findings::default();
    if args.patterns.is_empty() {
        findings.clean = selftest::judge_clean(args.cases).map_err(broken)?;
        findings.variations = selftest::judge_variations(args.variations, args.cases.min(64)).map_err(broken)?;
    }
    let shows_progress = io::stderr().is_terminal();
    let told = |trialled: &FaultResult| {
        if shows_progress {
            let mark = if matches!(trialled.fate, FaultOutcome::Killed { .. }) { "." } else { "!" };
            _ = write!(io::stderr(), "{mark}");
        }
    };
    findings.faults = selftest::judge_faults(&chosen, args.jobs, args.cases, &told).map_err(broken)?;
    if args.patterns.is_empty() {
        findings.queries = selftest::queries::rates(args.seeds, args.cases, args.jobs);
    }
    if shows_progress {
        _ = writeln!(io::stderr());
    }
    let paint = Palette::for_terminal(&io::stdout());
    _ = tell(out, &findings, started.elapsed().as_secs_f64(), paint);
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", as_json(&findings));
        let written = std::fs::write(path, text);
        written.map_err(|error| CommandError::usage(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(u8::from(!findings.is_clean()))
}

fn chapter(fault: &Fault) -> &'static str {
    fault.rule.split('/').next().unwrap_or_default()
}

fn tell(out: &mut dyn Write, findings: &Findings, seconds: f64, paint: Palette) -> io::Result<()> {
    for complaint in &findings.clean {
        writeln!(out, "{} {complaint}", paint.bad("the clean impostor:"))?;
    }
    for (seed, complaints) in &findings.variations {
        for complaint in complaints {
            writeln!(out, "{} {complaint}", paint.bad(&format!("legal variation {seed}:")))?;
        }
    }
    let mut chapters: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for trialled in &findings.faults {
        let (killed, all) = chapters.entry(chapter(trialled.fault)).or_default();
        *killed += usize::from(matches!(trialled.fate, FaultOutcome::Killed { .. }));
        *all += 1;
    }
    for (chapter, (killed, all)) in chapters {
        let text = format!("{killed:3} of {all:3}");
        let text = if killed == all { paint.good(&text) } else { paint.bad(&text) };
        writeln!(out, "  {chapter:16} {text}")?;
    }
    for trialled in &findings.faults {
        let Fault { id, rule, text, .. } = trialled.fault;
        match &trialled.fate {
            FaultOutcome::Killed { .. } => {}
            FaultOutcome::KilledByAnother { rules } => {
                writeln!(
                    out,
                    "{} {id} ({rule}): {text}\n      named instead: {}",
                    paint.wary("WRONG RULE"),
                    rules.join(", ")
                )?;
            }
            FaultOutcome::Survived { tried } => {
                writeln!(out, "{} {id} ({rule}): {text}\n      {tried} cases judge the rule", paint.bad("SURVIVED"))?;
            }
        }
    }
    tell_queries(out, &findings.queries, paint)?;
    let (killed, all) = (findings.killed(), findings.faults.len());
    let rate = 100.0 * killed as f64 / all.max(1) as f64;
    let fine = findings.variations.values().filter(|complaints| complaints.is_empty()).count();
    writeln!(
        out,
        "\n{killed} of {all} faults killed by a case naming the broken rule ({rate:.1} %)\n{fine} of {} legal variations \
         conformant\n{seconds:.1} s",
        findings.variations.len()
    )
}

fn tell_queries(out: &mut dyn Write, rates: &[Rate], paint: Palette) -> io::Result<()> {
    let Some(seeds) = rates.first().map(|rate| rate.seeds) else { return Ok(()) };
    let (enough, missed): (Vec<&Rate>, Vec<&Rate>) = rates.iter().partition(|rate| rate.is_enough());
    let slowest = rates.iter().map(|rate| rate.inputs_median).max().unwrap_or_default();
    writeln!(
        out,
        "\ngenerated queries alone, {seeds} seeds each: {} of {} slips in lists found,\nshrunk to {PARAMETERS_MAX} parameters \
         or fewer; the slowest after {slowest} inputs at the median",
        enough.len(),
        rates.len()
    )?;
    for Rate { fault, found, small, .. } in missed {
        let told =
            format!("{} ({}): found with {found} of {seeds} seeds, made small with {small}", fault.id, fault.rule);
        writeln!(out, "{} {told}", paint.bad("MISSED"))?;
    }
    Ok(())
}

fn as_json(findings: &Findings) -> Value {
    let fault = |trialled: &FaultResult| {
        let (fate, detail) = match &trialled.fate {
            FaultOutcome::Killed { case } => ("killed", json!(case)),
            FaultOutcome::KilledByAnother { rules } => ("wrong-rule", json!(rules)),
            FaultOutcome::Survived { tried } => ("survived", json!(tried)),
        };
        json!({ "id": trialled.fault.id, "rule": trialled.fault.rule, "fate": fate, "detail": detail })
    };
    let query = |rate: &Rate| {
        let Rate { fault, seeds, found, small, inputs_median } = rate;
        json!({ "id": fault.id, "seeds": seeds, "found": found, "small": small, "inputs_median": inputs_median })
    };
    json!({
        "format": "libros-selftest/1",
        "clean": findings.clean,
        "variations": findings.variations,
        "queries": findings.queries.iter().map(query).collect::<Vec<_>>(),
        "faults": findings.faults.iter().map(fault).collect::<Vec<_>>(),
        "killed": findings.killed(),
    })
}
