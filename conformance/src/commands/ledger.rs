//! `ledger`: the rules that judge each sentence of the documents; given the documents, what changed in them.

use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::json;

use crate::commands::{CommandError, print_json, read_text};
use crate::contract::ledger::{Ledger, Section};
use crate::contract::rule::{Contract, Rule};
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::plural::plural;
use crate::report::wrapping::Wrapping;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only sections whose name has this text, or sentences that this rule judges
    #[arg(value_name = "SECTION-OR-RULE")]
    pattern: Option<String>,
    /// A folder with the documents: lists their sentences that differ from the ledger
    #[arg(long, value_name = "DIR", conflicts_with_all = ["pattern", "json"])]
    documents: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let ledger = Ledger::built_in();
    match (&args.documents, &args.pattern) {
        (Some(folder), _) => check(ledger, folder),
        (None, pattern) => show(ledger, pattern.as_deref(), args.json),
    }
}

fn check(ledger: &Ledger, folder: &std::path::Path) -> Result<u8, CommandError> {
    let mut differences = Vec::new();
    for document in ledger.documents() {
        differences.extend(ledger.differences(document, &read_text(&folder.join(format!("{document}.md")))?));
    }
    let out = &mut Wrapping::for_terminal(io::stdout().lock(), &io::stdout());
    for line in &differences {
        _ = writeln!(out, "{line}");
    }
    let verdict = if differences.is_empty() {
        "every sentence is that of the ledger"
    } else {
        "mend seeds/ledger.toml, and the rules"
    };
    _ = writeln!(out, "{}: {verdict}", plural(differences.len(), "difference"));
    Ok(u8::from(!differences.is_empty()))
}

/// The indexes of a section's sentences that match the pattern.
fn wanted(section: &Section, pattern: Option<&str>) -> Vec<usize> {
    let has = |rules: &[String]| pattern.is_none_or(|pattern| rules.iter().any(|rule| rule == pattern));
    let is_whole = pattern.is_none_or(|pattern| section.at.to_lowercase().contains(&pattern.to_lowercase()));
    (0..section.sentences.len()).filter(|at| is_whole || has(&section.sentences[*at].rules)).collect()
}

fn show(ledger: &Ledger, pattern: Option<&str>, as_json: bool) -> Result<u8, CommandError> {
    let chosen = ledger.sections.iter().map(|section| (section, wanted(section, pattern)));
    let chosen: Vec<_> = chosen.filter(|(_, numbers)| !numbers.is_empty()).collect();
    if let (true, Some(pattern)) = (chosen.is_empty(), pattern) {
        return Err(CommandError::usage(format!(
            "`{pattern}` is in the name of no section, and no rule: `rules WORD` finds rules"
        )));
    }
    let all = || chosen.iter().flat_map(|(section, numbers)| numbers.iter().map(move |at| (*section, *at)));
    if as_json {
        let described = |(section, at): (&Section, usize)| {
            let sentence = &section.sentences[at];
            json!({ "section": section.at, "number": at + 1, "rules": sentence.rules, "because": sentence.because })
        };
        return print_json(&all().map(described).collect::<Vec<_>>());
    }
    let out = &mut Wrapping::for_terminal(io::stdout().lock(), &io::stdout());
    let palette = Palette::for_terminal(&io::stdout());
    for (section, numbers) in &chosen {
        _ = writeln!(out, "{}", palette.strong(&section.at));
        for at in numbers {
            let sentence = &section.sentences[*at];
            let mark = |id: &String| Contract::built_in().rule(id).map_or("", Rule::mark);
            let rules: Vec<String> = sentence.rules.iter().map(|id| format!("{id}{}", mark(id))).collect();
            let because = sentence.because.as_deref().map(|why| palette.faint(format!("({why})")));
            let rules = (!rules.is_empty()).then(|| rules.join(", ").into());
            _ = writeln!(out, "{:>4}  {}", at + 1, Printable::joined(rules.into_iter().chain(because), " "));
        }
    }
    let without = all().filter(|(section, at)| section.sentences[*at].rules.is_empty()).count();
    let sentences = plural(all().count(), "sentence");
    _ = match without {
        0 => writeln!(out, "\n{sentences}, all with a rule"),
        _ => writeln!(out, "\n{sentences}, {without} without a rule, each with its reason"),
    };
    Ok(0)
}
