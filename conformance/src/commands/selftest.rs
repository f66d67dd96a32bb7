//! `selftest`: proves what the suite catches, and that it catches nothing that is right.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::clock;
use crate::commands::{CommandError, write_text};
use crate::compare::badge::Badge;
use crate::impostor::faults::Fault;
use crate::report::color::Palette;
use crate::report::plural::plural;
use crate::report::wrapping::Wrapping;
use crate::selftest::chosen::Chosen;
use crate::selftest::matrix;
use crate::selftest::proof::{Failing, FaultResult, Proof};
use crate::selftest::queries::{PARAMETERS_MAX, Rate};
use crate::selftest::spoilings::{Noticed, Spoiling, judge_spoilings};
use crate::selftest::{self, Findings, ReadingResult, judge_readings};

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
    /// With how many seeds the generated queries must find each fault in lists by themselves
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// How many faults or readings at a time
    #[arg(short, long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Only write the matrix by which failures of a run get the name of a fault: with the rows of these faults made anew, by default of
    /// those that have none
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Write the findings as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the badge of what was caught; a file whose name ends in .json is for the `endpoint` of shields.io
    #[arg(long, value_name = "FILE.svg")]
    badge: Option<PathBuf>,
}

/// Tests the suite; exit code 0 when nothing is left to be desired, 1 otherwise.
/// Errors: a pattern that fits nothing, a file that cannot be written, an impostor that does not start.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let broken = |why: String| CommandError::broken(why);
    let chosen = Chosen::by(&args.patterns).map_err(CommandError::usage)?;
    if let Some(path) = &args.matrix {
        let faults = if args.patterns.is_empty() { matrix::missing() } else { chosen.faults };
        let text = matrix::renewed(&faults, usize::from(args.jobs), args.cases).map_err(broken)?;
        return write_text(path, text).map(|()| 0);
    }
    let started = clock::stopwatch();
    let out = &mut Wrapping::for_terminal(io::stdout().lock(), &io::stdout());
    let mut findings = Findings::default();
    if args.patterns.is_empty() {
        findings.clean = selftest::judge_clean(args.cases).map_err(broken)?;
        findings.variations = selftest::judge_variations(args.variations, args.cases.min(64)).map_err(broken)?;
        findings.platforms = selftest::judge_platforms(args.cases.min(64)).map_err(broken)?;
    } else {
        findings.clean = selftest::judge_clean_by_cases_of(&chosen.faults, args.cases).map_err(broken)?;
        findings.readings =
            judge_readings(&chosen.readings, usize::from(args.jobs), args.cases.min(64)).map_err(broken)?;
    }
    let shows_progress = io::stderr().is_terminal();
    let told = |result: &FaultResult| {
        if shows_progress {
            _ = write!(io::stderr(), "{}", if result.is_killed() { "." } else { "!" });
        }
    };
    findings.faults =
        selftest::judge_faults(&chosen.faults, usize::from(args.jobs), args.cases, &told).map_err(broken)?;
    findings.stale = matrix::stale(&findings.faults);
    findings.cases = selftest::failing(&findings.faults, args.cases).map_err(broken)?;
    if args.patterns.is_empty() {
        findings.queries = selftest::queries::rates(args.seeds, args.cases, usize::from(args.jobs));
        findings.spoilings = judge_spoilings(usize::from(args.jobs), args.cases.min(SPOILED_INPUTS)).map_err(broken)?;
    }
    if shows_progress {
        _ = writeln!(io::stderr());
    }
    let palette = Palette::for_terminal(&io::stdout());
    _ = tell(out, &findings, started.elapsed().as_secs_f64(), palette);
    if let Some(path) = &args.json {
        write_text(path, format!("{:#}\n", as_json(&findings)))?;
    }
    if let Some(path) = &args.badge {
        let killed = findings.faults.iter().filter(|result| result.is_killed()).count();
        write_text(path, Badge::for_faults(killed, findings.faults.len()).written_as(path))?;
    }
    Ok(u8::from(!findings.is_clean()))
}

fn chapter(fault: &Fault) -> &'static str {
    fault.rule().split('/').next().unwrap_or_default()
}

fn tell(out: &mut dyn Write, findings: &Findings, seconds: f64, palette: Palette) -> io::Result<()> {
    for complaint in &findings.clean {
        writeln!(out, "{} {complaint}", palette.bad("the clean impostor:"))?;
    }
    for (seed, complaints) in &findings.variations {
        for complaint in complaints {
            writeln!(out, "{} {complaint}", palette.bad(format!("legal variation {seed}:")))?;
        }
    }
    for (platform, complaints) in &findings.platforms {
        for complaint in complaints {
            writeln!(out, "{} {complaint}", palette.bad(format!("with the habits of {platform}:")))?;
        }
    }
    tell_readings(out, &findings.readings, palette)?;
    tell_chapters(out, findings, palette)?;
    for result in findings.faults.iter().filter(|result| !result.is_killed()) {
        tell_unproven(out, result, palette)?;
    }
    tell_queries(out, &findings.queries, palette)?;
    tell_spoilings(out, &findings.spoilings, palette)?;
    for result in findings.faults.iter().filter(|result| result.at_second_try) {
        let word = palette.bad("FLAKY");
        writeln!(out, "{word} {} ({}): survived among others, killed alone", result.fault.id, result.fault.rule())?;
    }
    for case in &findings.cases.without_a_fault {
        writeln!(out, "{} {case}: no fault of its own rules makes it fail", palette.bad("UNPROVEN"))?;
    }
    if !findings.stale.is_empty() {
        let (word, faults) = (palette.wary("STALE"), findings.stale.join(" "));
        let to_do = "--matrix conformance/src/runner/fault_matrix.txt";
        writeln!(out, "{word} rows in the matrix of faults: `selftest {faults} {to_do}` makes them anew")?;
    }
    if !findings.faults.is_empty() {
        tell_figures(out, findings)?;
    }
    let variations: Vec<_> = findings.variations.values().collect();
    let platforms: Vec<_> = findings.platforms.values().collect();
    let readings: Vec<_> = findings.readings.iter().map(|result| &result.complaints).collect();
    for (judged, noun) in [(readings, "permitted readings"), (variations, "legal variations"), (platforms, "platforms")]
    {
        // Only a whole selftest judges the latter two, and only one of some readings the first.
        if !judged.is_empty() {
            let fine = judged.iter().filter(|complaints| complaints.is_empty()).count();
            writeln!(out, "{fine} of {} {noun} conformant", judged.len())?;
        }
    }
    writeln!(out, "{seconds:.1} s")
}

/// Each reading that was tried alone: what its rules' cases saw, and what did not pass.
fn tell_readings(out: &mut dyn Write, readings: &[ReadingResult], palette: Palette) -> io::Result<()> {
    for ReadingResult { reading, complaints, seen } in readings {
        let word = if complaints.is_empty() { palette.good("conformant") } else { palette.bad("NOT CONFORMANT") };
        writeln!(out, "{word} {} ({}): {}", reading.id, reading.rules.join(", "), reading.text)?;
        for (rule, seen) in seen {
            writeln!(out, "      seen of {rule}: {seen}")?;
        }
        for complaint in complaints {
            writeln!(out, "      {complaint}")?;
        }
    }
    Ok(())
}

fn tell_chapters(out: &mut dyn Write, findings: &Findings, palette: Palette) -> io::Result<()> {
    let mut chapters: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for result in &findings.faults {
        let (killed, all) = chapters.entry(chapter(result.fault)).or_default();
        *killed += usize::from(result.is_killed());
        *all += 1;
    }
    for (chapter, (killed, all)) in chapters {
        let text = format!("{killed:3} of {all:3}");
        let text = if killed == all { palette.good(&text) } else { palette.bad(&text) };
        writeln!(out, "  {chapter:16} {text}")?;
    }
    Ok(())
}

/// The rules of a fault that no case proves.
fn tell_unproven(out: &mut dyn Write, result: &FaultResult, palette: Palette) -> io::Result<()> {
    let Fault { id, text, .. } = result.fault;
    for Proof { rule, generated, .. } in result.proofs.iter().filter(|proof| !proof.is_enough()) {
        let named = result.named_instead.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let (mark, why) = match generated {
            Some(case) => (palette.wary("BY GENERATION ALONE"), format!("only {case} names the rule")),
            None if named.is_empty() => (palette.bad("SURVIVED"), format!("{} tried", plural(result.tried, "case"))),
            None => (palette.wary("WRONG RULE"), format!("named instead: {named}")),
        };
        writeln!(out, "{mark} {id} ({rule}): {text}\n      {why}")?;
    }
    Ok(())
}

/// What hand-written cases notice, and what generated ones add.
fn tell_figures(out: &mut dyn Write, findings: &Findings) -> io::Result<()> {
    let all = findings.proofs().count();
    let by_hand = findings.proofs().filter(|proof| proof.by_hand.is_some()).count();
    let added = findings.proofs().filter(|proof| proof.by_hand.is_none() && proof.generated.is_some()).count();
    let both = findings.proofs().filter(|proof| proof.by_hand.is_some() && proof.generated.is_some()).count();
    let killed = findings.faults.iter().filter(|result| result.is_killed()).count();
    writeln!(
        out,
        "\n{killed} of {} faults killed by a case naming each broken rule\n{by_hand} of {all} broken rules named by hand-written \
         cases ({:.1} %); generated cases add {added}, and name {both} of these again",
        findings.faults.len(),
        100.0 * by_hand as f64 / all.max(1) as f64,
    )?;
    // With some of the faults only those cases can be told whose faults are all among them.
    let Failing { judged, without_a_fault } = &findings.cases;
    if *judged > 0 {
        let failing = judged - without_a_fault.len();
        writeln!(out, "{failing} of {judged} cases fail on a fault of their own rules")?;
    }
    Ok(())
}

fn tell_queries(out: &mut dyn Write, rates: &[Rate], palette: Palette) -> io::Result<()> {
    let Some(seeds) = rates.first().map(|rate| rate.seeds) else { return Ok(()) };
    let (enough, missed): (Vec<&Rate>, Vec<&Rate>) = rates.iter().partition(|rate| rate.is_enough());
    let slowest = rates.iter().map(|rate| rate.inputs_median).max().unwrap_or_default();
    writeln!(
        out,
        "\ngenerated queries alone, {seeds} seeds each: {} of {} faults in lists found,\nshrunk to {PARAMETERS_MAX} parameters \
         or fewer; the slowest after {slowest} inputs at the median",
        enough.len(),
        rates.len()
    )?;
    for Rate { fault, found, small, .. } in missed {
        let told = format!("{} ({}): found with {found} of {seeds} seeds, shrunk with {small}", fault.id, fault.rule());
        writeln!(out, "{} {told}", palette.bad("MISSED"))?;
    }
    Ok(())
}

/// How many inputs generated cases try on spoiled answers: most are noticed at once.
const SPOILED_INPUTS: u32 = 16;

/// How many spoiled answers failed, by rule or by case, and those that did not.
fn tell_spoilings(out: &mut dyn Write, judged: &[(Spoiling, Noticed)], palette: Palette) -> io::Result<()> {
    if judged.is_empty() {
        return Ok(());
    }
    let count = |is: fn(&Noticed) -> bool| judged.iter().filter(|(_, noticed)| is(noticed)).count();
    let (by_rule, by_case) = (
        count(|noticed| matches!(noticed, Noticed::ByRule(_))),
        count(|noticed| matches!(noticed, Noticed::ByCase(_))),
    );
    let permitted = count(|noticed| matches!(noticed, Noticed::Permitted(_)));
    let all = judged.len() - permitted;
    for (spoiling, _) in judged.iter().filter(|(_, noticed)| *noticed == Noticed::Not) {
        writeln!(out, "{} {spoiling}", palette.bad("UNNOTICED"))?;
    }
    writeln!(
        out,
        "\n{} of {all} spoiled answers noticed ({:.1} %): {by_rule} by what holds for all answers, {by_case} by a case;\n\
         {permitted} more are permitted by open rules",
        by_rule + by_case,
        100.0 * (by_rule + by_case) as f64 / all.max(1) as f64,
    )
}

fn as_json(findings: &Findings) -> Value {
    let proof = |proof: &Proof| {
        let Proof { rule, by_hand, generated } = proof;
        json!({ "rule": rule, "by_hand": by_hand, "generated": generated })
    };
    let fault = |result: &FaultResult| {
        json!({
            "id": result.fault.id,
            "killed": result.is_killed(),
            "rules": result.proofs.iter().map(proof).collect::<Vec<_>>(),
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
        "killed": findings.faults.iter().filter(|result| result.is_killed()).count(),
    })
}
