//! `list`: the cases. Runs none.

use std::io::{self, Write as _};

use serde_json::json;

use crate::case::{Case, Need};
use crate::chapters::cases;
use crate::commands::{CommandError, print_json, printed};
use crate::contract::rule::Contract;
use crate::runner::select::Selection;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Cases or rules; `*` stands for any text
    patterns: Vec<String>,
    /// Only these chapters
    #[arg(long, value_name = "CHAPTER")]
    chapter: Vec<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let selection = Selection { patterns: args.patterns.clone(), chapters: args.chapter.clone(), skips: Vec::new() };
    let selected = selection.select(&cases::all(), Contract::built_in()).map_err(CommandError::usage)?;
    if args.json {
        return print_json(&selected.iter().map(|case| described(case)).collect::<Vec<_>>());
    }
    print_ids(&selected)
}

pub(super) fn print_ids(cases: &[&Case]) -> Result<u8, CommandError> {
    let mut out = io::stdout().lock();
    printed(cases.iter().try_for_each(|case| writeln!(out, "{}", case.id())))
}

fn described(case: &Case) -> serde_json::Value {
    let needs: Vec<_> = case.needs.iter().map(|need| need_word(*need)).collect();
    json!({ "id": case.id(), "about": case.about.trim(), "rules": case.rules, "needs": needs })
}

pub fn need_word(need: Need) -> &'static str {
    match need {
        Need::Clock => "clock",
        Need::Time => "a second or two",
        Need::Reset => "reset",
        Need::Exclusive => "exclusive use",
        Need::Alone => "no other case at the same time",
        Need::UsersAtOnce => "no other case at the same time, to make users at once",
        Need::Nameless => "to run last",
        Need::Restart => "a restart",
        Need::Asked => "to be asked for by name",
        Need::Interface(interface) => interface.key(),
    }
}
