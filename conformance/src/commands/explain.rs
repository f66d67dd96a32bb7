//! `explain`: everything about one rule, case, fault or permitted reading, with its locations. Judges nothing.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::iter;

use crate::case::Case;
use crate::chapters::cases;
use crate::commands::last_run::LastRun;
use crate::commands::list::need_word;
use crate::commands::{CommandError, printed, rules};
use crate::contract::locations;
use crate::contract::renamed::{gone, present, renamings};
use crate::contract::rule::{self, Contract, Rule};
use crate::http::exchange::shell_word;
use crate::impostor::effect::Variation;
use crate::impostor::{faults, readings};
use crate::report::color::Palette;
use crate::report::wrapping::Wrapping;
use crate::runner::select::suggestion;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The id of a rule (`paging/limit-maximum`), a case (`paging::limit_above_100_is_clamped`), a fault (`limit-max-is-1000`) or a
    /// permitted reading (`limit-below-1-is-1`); or a chapter (`paging`); or `hooks` for the control listener
    #[arg(value_name = "RULE-CASE-FAULT-OR-CHAPTER")]
    id: String,
}

/// About the control listener that a profile names under `[hooks]`.
const HOOKS: &str = include_str!("hooks.txt");

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let (cases, contract) = (cases::all(), Contract::built_in());
    let out = &mut Wrapping::for_report(io::stdout().lock(), &io::stdout());
    let palette = Palette::for_terminal(&io::stdout());
    let title = |id: &str| format!("{}\n\n", palette.strong(id));
    let id = present(&args.id);
    for sentence in renamings([&args.id].into_iter()) {
        _ = writeln!(out, "{sentence}\n");
    }
    let found: Vec<_> = cases.iter().filter(|case| case.id() == id || case.name == id).collect();
    let mut page = if let Some(rule) = contract.rule(id) {
        title(&rule.id) + &about_rule(rule, &cases)
    } else if args.id == "hooks" {
        title("hooks") + HOOKS
    } else if let Some(fault) = faults::find(&args.id) {
        title(fault.id) + &about_variation("breaks", fault, contract)
    } else if let Some(reading) = readings::find(&args.id) {
        title(reading.id) + &about_variation("permitted", reading, contract)
    } else if cases.iter().any(|case| case.chapter == args.id) {
        title(&args.id) + &about_chapter(&args.id, contract)
    } else if let Some(why) = gone(id) {
        return Err(CommandError::usage(format!("`{id}` went: {why}")));
    } else if found.is_empty() {
        let hint = rules::speaking_of(&args.id).next().map_or_else(
            || suggestion(&args.id, &cases, contract),
            |rule| format!("; {} speaks of it: `rules {}` shows all that do", rule.id, shell_word(&args.id)),
        );
        return Err(CommandError::usage(format!("no rule, case, fault or reading is called `{}`{hint}", args.id)));
    } else {
        String::new()
    };
    page.extend(found.into_iter().map(|case| title(&case.id()) + &about_case(case, contract)));
    printed(out.write_all(page.as_bytes()).and_then(|()| out.flush()))
}

fn about_rule(rule: &Rule, cases: &[&Case]) -> String {
    let id = rule.id.as_str();
    let accepts = rule.accepts.iter().enumerate().map(|(index, reading)| {
        let of = if index == 0 { " (the reference's reading)" } else { "" };
        format!("{}: {}{of}", reading.id, reading.text)
    });
    let judging = cases.iter().filter(|case| case.rules.contains(&id)).map(|case| case.id());
    [
        format!("  {}\n\n", rule.text),
        lines("level", [rule.level.word()]),
        lines("source", [&rule.source]),
        lines("declared", locations::rule(id)),
        lines("because", &rule.because),
        lines("accepts", accepts),
        lines("reported", rule.told.iter().map(|what| format!("{what}; not judged"))),
        lines("hidden", &rule.hidden),
        lines("cases", judging.map(|case| at(&case, locations::case(&case)))),
        lines("server", &rule.unbuilt),
        lines("server", locations::decisions(id).filter(|_| rule.unbuilt.is_none())),
        lines("faults", faults::all().filter(|fault| fault.breaks(id)).map(declared)),
        lines("readings", readings::all().filter(|reading| reading.breaks(id)).map(declared)),
    ]
    .concat()
}

fn about_chapter(name: &str, contract: &Contract) -> String {
    let own = contract.rules().filter(|rule| rule.chapter() == name);
    [
        rule::about_chapter(name).map_or_else(String::new, |about| format!("  {about}\n\n")),
        lines("rules", own.map(|rule| format!("{}: {}", rule.id, rule.text))),
        lines("run", [format!("libros-conformance run {name}")]),
    ]
    .concat()
}

fn about_case(case: &Case, contract: &Contract) -> String {
    let id = case.id();
    let about: String = case.about.lines().map(|line| format!("  {}\n", line.trim())).collect();
    let needs: Vec<_> = case.needs.iter().map(|need| need_word(*need)).collect();
    // A last run that cannot be read adds no options.
    let target = LastRun::read().map(|last| last.options).unwrap_or_default();
    let words: String = target.iter().map(|word| format!(" {}", shell_word(word))).collect();
    let again = format!("libros-conformance replay {id}{words}   # the target of this folder's last run");
    [
        about + "\n",
        lines("judges", case.rules.iter().map(|id| named(id, contract))),
        functions(locations::judge(&id)),
        lines("declared", locations::case(&id)),
        lines("entry", cases::entry(case).into_iter().flat_map(str::lines)),
        lines("needs", (!needs.is_empty()).then(|| needs.join(", "))),
        lines("run", [format!("libros-conformance run {id} --trace")]),
        lines("again", (!target.is_empty()).then_some(again)),
    ]
    .concat()
}

/// A fault or a permitted reading, and what it is to its rules.
fn about_variation(label: &str, variation: &Variation, contract: &Contract) -> String {
    [
        format!("  {}\n\n", variation.text),
        lines(label, variation.rules.iter().map(|id| named(id, contract))),
        functions(locations::effect(variation.id)),
        lines("declared", locations::variation(variation.id)),
        lines("try", [format!("libros-conformance selftest {}", variation.id)]),
    ]
    .concat()
}

fn functions(functions: impl IntoIterator<Item = (&'static str, &'static str)>) -> String {
    lines("function", functions.into_iter().map(|(name, place)| at(name, Some(place))))
}

/// The label once, then one line each; nothing if there are none.
fn lines<T: Display>(label: &str, lines: impl IntoIterator<Item = T>) -> String {
    let labels = iter::once(label).chain(iter::repeat(""));
    labels.zip(lines).map(|(label, line)| format!("  {label:9} {line}\n")).collect()
}

fn at(id: &str, place: Option<&str>) -> String {
    place.map_or_else(|| id.to_owned(), |place| format!("{id}  {place}"))
}

fn declared(variation: &Variation) -> String {
    format!("{}\n              {}", at(variation.id, locations::variation(variation.id)), variation.text)
}

fn named(rule: &str, contract: &Contract) -> String {
    let text = contract.rule(rule).map_or("", |rule| rule.text.as_str());
    format!("{rule}: {text}")
}
