//! `libros-conformance`: the command line of the suite.

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use libros_conformance::commands::{
    self, bench, book, compare, completions, environment, explain, impostor, init, ledger, list, nemesis, replay,
    rules, run, schema, selftest, watch,
};
use libros_conformance::implementation::reference;
use libros_conformance::report::color;

/// Judges implementations of the Library Catalogue Service by URL, rule by rule.
///
/// Without a subcommand: starts the reference server, judges it, stops it.
#[derive(Debug, Parser)]
#[command(version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// When to colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    color: color::Choice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a target
    Run(Box<run::Args>),
    /// Play cases on a target and on the reference, and say where they differ
    Replay(replay::Args),
    /// Start a server, judge it, and again at each change of its files
    Watch(watch::Args),
    /// Show the cases
    List(list::Args),
    /// Show the rules, and how many cases judge each
    Rules(rules::Args),
    /// Show which rules judge which sentence of the documents
    Ledger(ledger::Args),
    /// Explain a rule, a case, a fault or a reading
    Explain(explain::Args),
    /// Run the naive second implementation, with faults if asked for
    Impostor(impostor::Args),
    /// Prove what the suite catches: judge the impostor, its legal variations and its faults
    Selftest(selftest::Args),
    /// Compare reports: the changes between two, and a matrix of implementations
    Compare(compare::Args),
    /// Send load to an implementation and measure its answers
    Bench(bench::Args),
    /// Attack a cluster with faults while clients work, and judge its answers
    Nemesis(nemesis::Args),
    /// Write the contract as pages for a browser, rule by rule
    Book(book::Args),
    /// Write a target profile to fill in
    Init(init::Args),
    /// Print the JSON Schema of a format
    Schema(schema::Args),
    /// Write shell completions
    Completions(completions::CompletionsArgs),
    /// Write the manual pages
    Man(completions::ManArgs),
}

const EXIT_CODES: &str = "\
Examples:
  libros-conformance                                        judge the reference
  libros-conformance init my.toml                           write a profile to fill in ...
  libros-conformance run --profile my.toml                  ... and judge what it names
  libros-conformance run --spawn 'cd app && npm start'      start a server, judge it, stop it
  libros-conformance replay                                 play again what failed
  libros-conformance explain paging/limit-maximum           all about a rule

Exit codes:
  0    conformant, or partial: nothing failed but what was expected to
  1    not conformant
  2    unknown option, id or pattern; unreadable file
  3    target unreachable, not ready, or its control listener failed
  4    nothing was judged
  70   the suite itself broke
  130  interrupted";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|first| first == reference::REFERENCE_COMMAND) {
        return reference::run_in_this_process(arguments);
    }
    let program = || environment::with_variables(Cli::command());
    let cli = Cli::from_arg_matches(&program().get_matches()).unwrap_or_else(|error| error.exit());
    color::choose(cli.color);
    let ended = match cli.command {
        None => run::Args::parsed([]).and_then(|args| run::execute(&args)),
        Some(Command::Run(args)) => run::execute(&args),
        Some(Command::Replay(args)) => replay::execute(&args),
        Some(Command::Watch(args)) => watch::execute(&args),
        Some(Command::List(args)) => list::execute(&args),
        Some(Command::Rules(args)) => rules::execute(&args),
        Some(Command::Ledger(args)) => ledger::execute(&args),
        Some(Command::Explain(args)) => explain::execute(&args),
        Some(Command::Impostor(args)) => impostor::execute(&args),
        Some(Command::Selftest(args)) => selftest::execute(&args),
        Some(Command::Init(args)) => init::execute(&args),
        Some(Command::Bench(args)) => bench::execute(&args),
        Some(Command::Nemesis(args)) => nemesis::execute(&args),
        Some(Command::Book(args)) => book::execute(&args),
        Some(Command::Compare(args)) => compare::execute(&args),
        Some(Command::Schema(args)) => schema::execute(&args),
        Some(Command::Completions(args)) => completions::completions(&args, program()),
        Some(Command::Man(args)) => completions::man(&args, program()),
    };
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(commands::CommandError { code, why }) => {
            commands::complain(why);
            ExitCode::from(code)
        }
    }
}
