//! `selftest`: proves what the suite catches, and that it catches nothing that is right.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use askama::Template;
use serde_json::{Value, json};

use crate::clock;
use crate::commands::{CommandError, opened, write_opened, write_text};
use crate::compare::badge::Badge;
use crate::report::color::Palette;
use crate::report::plural::plural;
use crate::report::wrapping::Wrapping;
use crate::selftest::chosen::Chosen;
use crate::selftest::proof::{FaultResult, Proof};
use crate::selftest::queries::{PARAMETERS_MAX, Rate};
use crate::selftest::spoilings::{Noticed, Spoiling, judge_spoilings};
use crate::selftest::{self, Findings, ReadingResult, judge_readings, matrix};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Faults, permitted readings, or rules of either; `*` stands for any text. A reading is tried alone, by all cases
    /// [default: all faults]
    #[arg(value_name = "FAULT-READING-OR-RULE")]
    patterns: Vec<String>,
    /// How many legal variations to judge
    #[arg(long, value_name = "N", default_value_t = 5)]
    variations: u64,
    /// How many inputs a generated case tries
    #[arg(long, value_name = "N", default_value_t = 256)]
    cases: u32,
    /// With how many seeds the generated queries alone must find each fault in lists
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// How many faults or readings at a time
    #[arg(short, long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Only write the matrix by which a run names likely faults, with new rows for these faults [default: faults without a row]
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Write the findings as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a badge of the result; a file whose name ends in .json is for the `endpoint` of shields.io
    #[arg(long, value_name = "FILE.svg")]
    badge: Option<PathBuf>,
}

/// How many inputs generated cases try at most where every case judges a right implementation.
const RIGHT_INPUTS: u32 = 64;

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let (jobs, inputs) = (usize::from(args.jobs), args.cases);
    let chosen = Chosen::matching(&args.patterns).map_err(CommandError::usage)?;
    if let Some(path) = &args.matrix {
        let faults = if args.patterns.is_empty() { matrix::missing() } else { chosen.faults };
        let text = matrix::renewed(&faults, jobs, inputs).map_err(CommandError::broken)?;
        return write_text(path, text).map(|()| 0);
    }
    let (started, json, badge) = (clock::stopwatch(), opened(&args.json)?, opened(&args.badge)?);
    let out = &mut Wrapping::for_terminal(io::stdout().lock(), &io::stdout());
    let mut findings = Findings::default();
    let of_chosen = (!args.patterns.is_empty()).then_some(&chosen.faults[..]);
    findings.clean = selftest::judge_clean(of_chosen, inputs).map_err(CommandError::broken)?;
    if args.patterns.is_empty() {
        findings.variations =
            selftest::judge_variations(args.variations, inputs.min(RIGHT_INPUTS)).map_err(CommandError::broken)?;
        findings.platforms = selftest::judge_platforms(inputs.min(RIGHT_INPUTS)).map_err(CommandError::broken)?;
    } else {
        findings.readings =
            judge_readings(&chosen.readings, jobs, inputs.min(RIGHT_INPUTS)).map_err(CommandError::broken)?;
    }
    let shows_progress = io::stderr().is_terminal();
    let report = |result: &FaultResult| {
        if shows_progress {
            _ = write!(io::stderr(), "{}", if result.is_killed() { "." } else { "!" });
        }
    };
    findings.faults = selftest::judge_faults(&chosen.faults, jobs, inputs, &report).map_err(CommandError::broken)?;
    findings.stale = matrix::stale(&findings.faults);
    findings.cases = selftest::failing(&findings.faults, inputs).map_err(CommandError::broken)?;
    if args.patterns.is_empty() {
        findings.queries = selftest::queries::rates(args.seeds, inputs, jobs);
        findings.spoilings = judge_spoilings(jobs, inputs.min(SPOILED_INPUTS)).map_err(CommandError::broken)?;
    }
    if shows_progress {
        _ = writeln!(io::stderr());
    }
    let (seconds, palette) = (started.elapsed().as_secs_f64(), Palette::for_terminal(&io::stdout()));
    let text = Text { findings: &findings, seconds, palette };
    _ = text.write_into(out);
    write_opened(json, || format!("{:#}\n", as_json(&findings)))?;
    if let Some(path) = &args.badge {
        write_opened(badge, || Badge::for_faults(findings.killed(), findings.faults.len()).written_as(path))?;
    }
    Ok(u8::from(!findings.is_clean()))
}

#[derive(Template)]
#[template(path = "commands/selftest.txt")]
struct Text<'f> {
    findings: &'f Findings,
    seconds: f64,
    palette: Palette,
}

impl Text<'_> {
    /// How many faults of each chapter are killed, and how many there are.
    fn chapters(&self) -> BTreeMap<&str, (usize, usize)> {
        let mut chapters: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for result in &self.findings.faults {
            let (killed, all) = chapters.entry(result.fault.chapter()).or_default();
            *killed += usize::from(result.is_killed());
            *all += 1;
        }
        chapters
    }

    /// How many broken rules hand-written cases name or not, and generated ones.
    fn proofs(&self, by_hand: bool, generated: bool) -> usize {
        let has = |proof: &&Proof| (proof.by_hand.is_some(), proof.generated.is_some()) == (by_hand, generated);
        self.findings.proofs().filter(has).count()
    }

    fn enough_rates(&self) -> usize {
        self.findings.queries.iter().filter(|rate| rate.is_enough()).count()
    }

    fn slowest_rate(&self) -> u32 {
        self.findings.queries.iter().map(|rate| rate.inputs_median).max().unwrap_or_default()
    }

    /// How many spoiled answers failed by a rule for all answers, or by a case, and how many open rules permit.
    fn noticed(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for (_, noticed) in &self.findings.spoilings {
            match noticed {
                Noticed::ByRule(_) => counts[0] += 1,
                Noticed::ByCase(_) => counts[1] += 1,
                Noticed::Permitted(_) => counts[2] += 1,
                Noticed::Not => {}
            }
        }
        counts
    }

    /// How many targets of each kind are conformant, and how many were judged.
    fn conformant(&self) -> [(usize, usize, &'static str); 3] {
        let Findings { readings, variations, platforms, .. } = self.findings;
        let counts = |judged: Vec<&Vec<String>>, noun| {
            (judged.iter().filter(|complaints| complaints.is_empty()).count(), judged.len(), noun)
        };
        [
            counts(readings.iter().map(|result| &result.complaints).collect(), "permitted readings"),
            counts(variations.values().collect(), "legal variations"),
            counts(platforms.values().collect(), "platforms"),
        ]
    }
}

fn percent(part: usize, all: usize) -> String {
    format!("{:.1}", 100.0 * part as f64 / all.max(1) as f64)
}

/// How many inputs generated cases try on spoiled answers; most fail at once.
const SPOILED_INPUTS: u32 = 16;

fn as_json(findings: &Findings) -> Value {
    let fault = |result: &FaultResult| {
        json!({
            "id": result.fault.id,
            "killed": result.is_killed(),
            "rules": result.proofs,
            "failed": result.failed,
            "named_instead": result.named_instead,
            "tried": result.tried,
        })
    };
    let query = |rate: &Rate| {
        let Rate { fault, seeds, found, small, inputs_median } = rate;
        json!({ "id": fault.id, "seeds": seeds, "found": found, "small": small, "inputs_median": inputs_median })
    };
    let reading = |result: &ReadingResult| {
        let ReadingResult { reading, complaints, seen } = result;
        json!({ "id": reading.id, "rules": reading.rules, "complaints": complaints, "seen": seen })
    };
    let spoiling = |(spoiling, noticed): &(Spoiling, Noticed)| {
        let noticed = match noticed {
            Noticed::ByRule(rule) => json!({ "rule": rule }),
            Noticed::ByCase(case) => json!({ "case": case }),
            Noticed::Permitted(rule) => json!({ "permitted": rule }),
            Noticed::Not => Value::Null,
        };
        json!({ "spoiled": spoiling.to_string(), "noticed": noticed })
    };
    json!({
        "format": "libros-selftest/2",
        "clean": findings.clean,
        "variations": findings.variations,
        "platforms": findings.platforms,
        "readings": findings.readings.iter().map(reading).collect::<Vec<_>>(),
        "queries": findings.queries.iter().map(query).collect::<Vec<_>>(),
        "spoilings": findings.spoilings.iter().map(spoiling).collect::<Vec<_>>(),
        "faults": findings.faults.iter().map(fault).collect::<Vec<_>>(),
        "cases_judged": findings.cases.judged,
        "cases_without_a_fault": findings.cases.without_a_fault,
        "killed": findings.killed(),
    })
}
