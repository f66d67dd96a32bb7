//! Options from the environment: every option of every subcommand can be set as `LIBROS_<NAME>`. The parser reads the
//! variables.

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction, Command};

/// Options whose names mean something else in other subcommands: their variables contain the subcommand's name.
const OWN: [(&str, &str); 4] = [("book", "html"), ("book", "report"), ("list", "json"), ("rules", "json")];

/// Gives each option of the command line its variable.
#[must_use]
pub fn with_variables(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|option| with_variable(&name, option)).mut_subcommands(with_variables)
}

fn with_variable(command: &str, option: Arg) -> Arg {
    let Some(name) = option.get_long() else { return option };
    let own = if OWN.contains(&(command, name)) { format!("{command}-") } else { String::new() };
    let variable = format!("LIBROS_{own}{name}").replace('-', "_").to_uppercase();
    // The parser needs names that live as long as the program, which parses once or twice.
    let option = option.env(&*variable.leak());
    match option.get_action() {
        ArgAction::SetTrue => option.value_parser(FalseyValueParser::new()),
        _ => option,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_named_after_itself_and_after_its_subcommand_where_it_means_another_thing() {
        let option = || Arg::new("json").long("json").action(ArgAction::SetTrue);
        let run = Command::new("run").arg(Arg::new("max").long("max-fail"));
        let program = Command::new("p").subcommands([run, Command::new("list").arg(option())]);
        let named = with_variables(program);
        let variables: Vec<_> = named
            .get_subcommands()
            .flat_map(Command::get_arguments)
            .filter_map(|option| option.get_env()?.to_str().map(str::to_owned))
            .collect();
        assert_eq!(variables, ["LIBROS_MAX_FAIL", "LIBROS_LIST_JSON"]);
    }
}
