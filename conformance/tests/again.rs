//! What a run shows of a single fault: a report that fits on a screen and begins with what the fault breaks, and a line `again` that,
//! pasted, shows the fault on the server that has it, twice in a row, and none on a right one.

mod program;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use libros_conformance::implementation::reference::REFERENCE_PROFILE;
use libros_conformance::impostor::faults::{self, Fault, Faults};
use libros_conformance::impostor::{Impostor, Options};
use libros_conformance::runner::diagnosis;
use libros_conformance::selftest::in_parallel;
use sha2::{Digest as _, Sha256};

use crate::program::PROGRAM;

/// Lines pasted of one run.
const LINES_MAX: usize = 2;
const PROFILE: &str = "target.toml";
/// Faults tried at a time.
const AT_ONCE: usize = 3;

fn started(fault: Option<&str>) -> Impostor {
    let faults = fault.map_or_else(Faults::none, |fault| Faults::one(fault).unwrap());
    Impostor::start(Options { faults, ..Options::default() }).unwrap()
}

/// Writes a profile of the impostor; without its control listener where there is to be none.
fn profile(folder: &Path, impostor: &Impostor, has_hooks: bool) {
    let mut profile: toml::Table = REFERENCE_PROFILE.parse().unwrap();
    let urls = impostor.urls().into_iter().map(|(key, url)| (key, url.into()));
    let (hooks, urls): (toml::Table, toml::Table) = urls.partition(|(key, _)| key == "control");
    profile.insert("urls".to_owned(), urls.into());
    profile.insert("hooks".to_owned(), if has_hooks { hooks } else { toml::Table::new() }.into());
    std::fs::write(folder.join(PROFILE), profile.to_string()).unwrap();
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The lines `again` of a run of the cases that judge the rule; none where they hold or need a hook.
fn lines_of(folder: &Path, rule: &str) -> Vec<String> {
    let mut run = Command::new(PROGRAM);
    run.current_dir(folder).args(["run", rule, "--profile", PROFILE, "--cases", "64", "--skip-preflight"]);
    let run = run.output().unwrap();
    assert!(matches!(run.status.code(), Some(0 | 1 | 4)), "{}", said(&run));
    let said = said(&run);
    let lines: BTreeSet<_> = said.lines().filter_map(|line| line.strip_prefix("  again  ")).collect();
    lines.into_iter().take(LINES_MAX).map(str::to_owned).collect()
}

fn pasted(folder: &Path, line: &str) -> Output {
    Command::new("sh").current_dir(folder).args(["-c", line]).output().unwrap()
}

/// An answer without the headers that differ each time.
fn steady(answer: &Output) -> String {
    let is_own = |line: &&str| !["date:", "x-request-id:"].iter().any(|own| line.to_ascii_lowercase().starts_with(own));
    said(answer).lines().filter(is_own).collect::<Vec<_>>().join("\n")
}

/// Pastes every line twice on the faulty target and once on the mended one; returns the number of lines and the failures.
fn missed(fault: &Fault, has_hooks: bool) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let faulty = started(Some(fault.id));
    profile(folder, &faulty, has_hooks);
    let lines = lines_of(folder, fault.rule());
    let shown: Vec<_> = lines.iter().map(|line| [(); 2].map(|()| pasted(folder, line))).collect();
    let was = faulty.urls();
    drop(faulty);
    let right = started(None);
    profile(folder, &right, has_hooks);
    let mut missed = Vec::new();
    for (line, [first, second]) in lines.iter().zip(&shown) {
        // Ports of its own; the profile names them for a replay.
        let urls = was.iter().zip(right.urls());
        let again = pasted(folder, &urls.fold(line.clone(), |line, ((_, old), (_, new))| line.replace(old, &new)));
        let is_right = if line.starts_with("curl ") {
            [first, second, &again].iter().all(|output| output.status.success())
                && steady(first) != steady(&again)
                && steady(second) != steady(&again)
        } else {
            let shows = |output: &&Output| {
                output.status.code() == Some(1)
                    && said(output).contains("on yours as before")
                    && said(output).contains("holds on the reference")
            };
            [first, second].iter().all(shows)
                && again.status.code() == Some(0)
                && said(&again).contains("holds on both now")
        };
        if !is_right {
            let shown = [first, second, &again].map(said).join("\n--\n");
            missed.push(format!("{} (hooks: {has_hooks}): {line}\n{shown}", fault.id));
        }
    }
    (lines.len(), missed)
}

/// Draws one of `step` faults by its id, so that a new fault changes nothing for the others.
fn is_drawn(fault: &Fault, step: usize) -> bool {
    let digest = Sha256::digest(fault.id);
    usize::from(u16::from_be_bytes([digest[0], digest[1]])) % step == 0
}

fn assert_shown(step: usize) {
    let chosen: Vec<&Fault> = faults::all().filter(|fault| is_drawn(fault, step)).collect();
    let try_both = |fault: &'static Fault| [true, false].map(|has_hooks| missed(fault, has_hooks));
    let tried = in_parallel(chosen.iter().copied(), AT_ONCE, try_both);
    let (pasted, missed): (Vec<usize>, Vec<_>) = tried.into_iter().flatten().unzip();
    let (pasted, missed) = (pasted.iter().sum::<usize>(), missed.concat());
    assert!(pasted >= chosen.len(), "{pasted} lines of {} faults", chosen.len());
    assert!(missed.is_empty(), "{} of {pasted} lines missed:\n{}", missed.len(), missed.join("\n\n"));
}

/// Faults that show by chance, in whichever case it hits.
const RACES: [&str; 1] = ["reads-lag"];
const ROWS: usize = 40;
const COLUMNS: usize = 80;

/// What is wrong with the report of a fault, judged by all cases that fail on it.
fn report_missed(fault: &'static Fault) -> Option<String> {
    let row = diagnosis::built_in().iter().find(|row| row.fault.id == fault.id)?;
    let (folder, faulty) = (tempfile::tempdir().unwrap(), started(Some(fault.id)));
    // A profile that names no replica shows nothing of one.
    if faulty.replica().is_some() {
        return None;
    }
    profile(folder.path(), &faulty, true);
    let mut run = Command::new(PROGRAM);
    run.current_dir(folder.path()).args(["run", "--profile", PROFILE, "--seed", "7", "--cases", "32"]);
    let report = said(&run.args(row.cases.keys()).output().unwrap());
    let rows: usize = report.lines().map(|line| line.chars().count().div_ceil(COLUMNS).max(1)).sum();
    let first = report.lines().find_map(|line| line.strip_prefix("  rule   ")?.split(' ').next());
    // Two rules may say the same of an answer: then the name of the fault decides which one is meant.
    let words: Vec<&str> = report.split_whitespace().collect();
    let is_named = words.join(" ").contains(&format!("looks like: {}", fault.text));
    let begins_with_it = first.is_some_and(|rule| fault.breaks(rule) || is_named)
        && report.lines().any(|line| line.starts_with("FAIL "));
    let again = report.lines().filter(|line| line.starts_with("  again  ")).count();
    let is_right = rows <= ROWS && (begins_with_it || RACES.contains(&fault.id)) && again == 1;
    (!is_right).then(|| format!("{}: {rows} rows, first {first:?}, {again} lines again\n{report}", fault.id))
}

#[test]
fn the_report_of_any_single_fault_fits_on_a_screen_and_begins_with_what_it_breaks() {
    let chosen: Vec<&Fault> = faults::all().filter(|fault| is_drawn(fault, 20)).collect();
    assert!(chosen.len() >= 40, "{}", chosen.len());
    // A second look: beside other tests an answer may come too late once.
    let look_twice = |fault| report_missed(fault).and_then(|_| report_missed(fault));
    let missed: Vec<_> = in_parallel(chosen.iter().copied(), AT_ONCE, look_twice).into_iter().flatten().collect();
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), chosen.len(), missed.join("\n\n"));
}

#[test]
fn a_pasted_line_shows_the_fault_twice_and_nothing_once_it_is_mended() {
    assert_shown(120);
}

#[test]
#[ignore = "takes minutes: `just again`"]
fn every_fifth_fault_is_shown_by_its_pasted_line() {
    assert_shown(std::env::var("LIBROS_AGAIN_STEP").map_or(5, |step| step.parse().unwrap()));
}
