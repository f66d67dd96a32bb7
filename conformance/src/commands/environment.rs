//! Options from the environment: every option of every subcommand can be set as `LIBROS_<NAME>`. The parser reads the variables.

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction, Command, Id};

/// Options whose names mean something else in other subcommands: their variables contain the subcommand's name.
const AMBIGUOUS: [(&str, &str); 6] = [
    ("book", "html"),
    ("book", "report"),
    ("ledger", "json"),
    ("list", "json"),
    ("nemesis", "report"),
    ("rules", "json"),
];

#[must_use]
pub fn with_variables(command: Command) -> Command {
    let (name, overruled) = (command.get_name().to_owned(), overruled(&command));
    let with_own =
        |option: Arg| if overruled.contains(option.get_id()) { option } else { with_variable(&name, option) };
    command.mut_args(with_own).mut_subcommands(with_variables)
}

/// The options that exclude a typed one: their variables do not count.
fn overruled(command: &Command) -> Vec<Id> {
    let typed: Vec<String> = std::env::args().filter_map(|word| word.strip_prefix("--").map(str::to_owned)).collect();
    let is_typed = |option: &&Arg| typed.iter().any(|word| word.split('=').next() == option.get_long());
    let excluded = |option| command.get_arg_conflicts_with(option).into_iter();
    let of_typed = command.get_arguments().filter(is_typed).flat_map(excluded);
    let excluding = command.get_arguments().filter(|option| excluded(option).any(|other| is_typed(&other)));
    of_typed.chain(excluding).map(|option| option.get_id().clone()).collect()
}

fn with_variable(command: &str, option: Arg) -> Arg {
    let Some(name) = option.get_long() else { return option };
    let own = if AMBIGUOUS.contains(&(command, name)) { format!("{command}-") } else { String::new() };
    let variable = format!("LIBROS_{own}{name}").replace('-', "_").to_uppercase();
    // The parser needs names that live as long as the program.
    let option = option.env(&*variable.leak());
    match option.get_action() {
        ArgAction::SetTrue => option.value_parser(FalseyValueParser::new()),
        _ => option,
    }
}
