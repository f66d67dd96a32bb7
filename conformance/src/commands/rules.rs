//! `rules`: the rules of the contract and the cases that judge each.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use serde_json::json;

use crate::chapters::cases;
use crate::commands::{CommandError, print_json};
use crate::contract::rule::{Contract, Rule};
use crate::report::color::Palette;
use crate::report::plural::plural;
use crate::report::wrapping::Wrapping;
use crate::runner::select::parse_pattern;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Rules or chapters; `*` stands for any text. Any other word: the rules that contain it
    #[arg(value_name = "RULE-CHAPTER-OR-WORD")]
    patterns: Vec<String>,
    /// Only rules that no case judges
    #[arg(long)]
    unjudged: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let cases = cases::all();
    let judging = |rule: &Rule| -> Vec<String> {
        cases.iter().filter(|case| case.rules.contains(&rule.id.as_str())).map(|case| case.id()).collect()
    };
    let wanted = selected(&args.patterns)?;
    let wanted = wanted.into_iter().filter(|rule| !args.unjudged || judging(rule).is_empty());
    if args.json {
        let described = |rule: &Rule| {
            let accepted = rule.accepts.iter().map(|reading| json!({ "id": reading.id, "text": reading.text }));
            json!({
                "id": rule.id, "level": rule.level.word(), "source": rule.source, "text": rule.text,
                "because": rule.because, "accepts": accepted.collect::<Vec<_>>(), "told": rule.told, "hidden": rule.hidden,
                "cases": judging(rule),
            })
        };
        return print_json(&wanted.map(described).collect::<Vec<_>>());
    }
    let out = &mut Wrapping::for_terminal(io::stdout().lock(), &io::stdout());
    let palette = Palette::for_terminal(&io::stdout());
    for rule in wanted {
        let count = match (judging(rule).len(), &rule.hidden) {
            (_, Some(_)) => "hidden".to_owned(),
            (count, None) => plural(count, "case"),
        };
        let facts = palette.faint(format!("({}, {count})", rule.level.word()));
        if writeln!(out, "{} {facts}\n    {}", palette.strong(&rule.id), rule.text).is_err() {
            break;
        }
    }
    Ok(0)
}

fn selected(patterns: &[String]) -> Result<Vec<&'static Rule>, CommandError> {
    let contract = Contract::built_in();
    let mut rules: Vec<&Rule> = Vec::new();
    if patterns.is_empty() {
        return Ok(contract.rules().collect());
    }
    for pattern in patterns {
        let glob = parse_pattern(pattern).map_err(CommandError::usage)?;
        let before = rules.len();
        rules.extend(contract.rules().filter(|rule| glob.matches(&rule.id) || glob.matches(rule.chapter())));
        if rules.len() == before {
            rules.extend(speaking_of(pattern));
        }
        if rules.len() == before {
            let hint = crate::runner::select::suggestion(pattern, &[], contract);
            return Err(CommandError::usage(format!("`{pattern}` matches no rule{hint}")));
        }
    }
    let mut seen = BTreeSet::new();
    rules.retain(|rule| seen.insert(&rule.id));
    Ok(rules)
}

/// The rules whose id or sentence has a word that begins with this one, in any letter case.
pub(super) fn speaking_of(word: &str) -> impl Iterator<Item = &'static Rule> {
    // Code font is not part of the words.
    let plain = |text: &str| text.to_lowercase().replace('`', "");
    let word = plain(word);
    let has = move |rule: &&Rule| {
        let text = format!("{} {}", rule.id, plain(&rule.text));
        let begins_there = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        text.match_indices(&word).any(|(at, _)| begins_there(at))
    };
    Contract::built_in().rules().filter(has)
}
