//! `explain`: everything there is to say about one rule or one case.

use std::io::{self, Write};

use crate::case::Case;
use crate::cases;
use crate::commands::CommandError;
use crate::commands::list::need_word;
use crate::contract::rule::{Contract, Rule};
use crate::report::color::Palette;

/// Options of `explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The id of a rule (`list/limit-max`) or of a case (`list::limit_above_100_is_clamped`)
    #[arg(value_name = "RULE-OR-CASE")]
    id: String,
}

/// Prints the explanation; the exit code.
///
/// # Errors
/// An unknown id.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let (cases, contract) = (cases::all(), Contract::built_in());
    let (out, paint) = (&mut io::stdout().lock(), Palette::for_terminal(&io::stdout()));
    if let Some(rule) = contract.rule(&args.id) {
        _ = explain_rule(out, rule, &cases, paint);
        return Ok(0);
    }
    let found: Vec<_> = cases.iter().filter(|case| case.id() == args.id || case.name == args.id).collect();
    if found.is_empty() {
        let hint = crate::runner::select::suggestion(&args.id, &cases, contract);
        return Err(CommandError::usage(format!("no rule and no case is called `{}`{hint}", args.id)));
    }
    for case in found {
        _ = explain_case(out, case, contract, paint);
    }
    Ok(0)
}

fn explain_rule(out: &mut dyn Write, rule: &Rule, cases: &[&Case], paint: Palette) -> io::Result<()> {
    writeln!(out, "{}\n\n  {}\n", paint.strong(&rule.id), rule.text)?;
    writeln!(out, "  level    {}", rule.level.word())?;
    writeln!(out, "  source   {}", rule.source)?;
    for (index, reading) in rule.accepts.iter().enumerate() {
        let label = if index == 0 { "accepts" } else { "" };
        writeln!(out, "  {label:8} {reading}{}", if index == 0 { " (the reference's reading)" } else { "" })?;
    }
    if let Some(why) = &rule.hidden {
        writeln!(out, "  hidden   {why}")?;
    }
    let judging: Vec<_> = cases.iter().filter(|case| case.rules.contains(&rule.id.as_str())).collect();
    if judging.is_empty() {
        return writeln!(out, "  cases    none");
    }
    for (index, case) in judging.iter().enumerate() {
        writeln!(out, "  {:8} {}", if index == 0 { "cases" } else { "" }, case.id())?;
    }
    Ok(())
}

fn explain_case(out: &mut dyn Write, case: &Case, contract: &Contract, paint: Palette) -> io::Result<()> {
    writeln!(out, "{}\n", paint.strong(&case.id()))?;
    for line in case.about.lines() {
        writeln!(out, "  {}", line.trim())?;
    }
    writeln!(out)?;
    for (index, id) in case.rules.iter().enumerate() {
        let text = contract.rule(id).map_or("", |rule| rule.text.as_str());
        writeln!(out, "  {:8} {id}: {text}", if index == 0 { "judges" } else { "" })?;
    }
    if !case.needs.is_empty() {
        let needs: Vec<_> = case.needs.iter().map(|need| need_word(*need)).collect();
        writeln!(out, "  needs    {}", needs.join(", "))?;
    }
    writeln!(out, "  again    libros-conformance run {} --trace", case.id())
}
