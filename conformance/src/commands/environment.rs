//! Options from the environment: every option of every subcommand can be set as `LIBROS_<NAME>`. The parser reads the variables.

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction, Command};

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
    let name = command.get_name().to_owned();
    command.mut_args(|option| with_variable(&name, option)).mut_subcommands(with_variables)
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
