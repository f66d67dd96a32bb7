//! `explain`: everything about one rule, case, fault or permitted reading, with its locations. Judges nothing.

use std::io::{self, Write};

use crate::case::Case;
use crate::chapters::cases;
use crate::commands::last_run::LastRun;
use crate::commands::list::need_word;
use crate::commands::{CommandError, rules};
use crate::contract::locations;
use crate::contract::renamed::{gone, present, renamings};
use crate::contract::rule::{self, Contract, Rule};
use crate::http::exchange::quoted;
use crate::impostor::effect::Variation;
use crate::impostor::{faults, readings};
use crate::report::color::Palette;
use crate::report::wrapping::Wrapping;
use crate::runner::select::suggestion;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The id of a rule (`paging/limit-maximum`), a case (`paging::limit_above_100_is_clamped`), a fault
    /// (`limit-max-is-1000`) or a permitted reading (`limit-below-1-is-1`); or a chapter (`paging`); or `hooks` for the
    /// control listener
    #[arg(value_name = "RULE-CASE-FAULT-OR-CHAPTER")]
    id: String,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let (cases, contract) = (cases::all(), Contract::built_in());
    let out = &mut Wrapping::for_report(io::stdout().lock(), &io::stdout());
    let mut page = Page { out, palette: Palette::for_terminal(&io::stdout()) };
    let id = present(&args.id);
    for sentence in renamings([&args.id].into_iter()) {
        _ = writeln!(page.out, "{sentence}\n");
    }
    let found: Vec<_> = cases.iter().filter(|case| case.id() == id || case.name == id).collect();
    // A closed standard output ends the page and is no failure.
    if let Some(rule) = contract.rule(id) {
        _ = page.rule(rule, &cases);
    } else if args.id == "hooks" {
        _ = page.hooks();
    } else if let Some(fault) = faults::find(&args.id) {
        _ = page.variation("breaks", fault, contract);
    } else if let Some(reading) = readings::find(&args.id) {
        _ = page.variation("permitted", reading, contract);
    } else if cases.iter().any(|case| case.chapter == args.id) {
        _ = page.chapter(&args.id, contract);
    } else if let Some(why) = gone(id) {
        return Err(CommandError::usage(format!("`{id}` went: {why}")));
    } else if found.is_empty() {
        let hint = rules::speaking_of(&args.id).next().map_or_else(
            || suggestion(&args.id, &cases, contract),
            |rule| format!("; {} speaks of it: `rules {}` shows all that do", rule.id, quoted(&args.id)),
        );
        return Err(CommandError::usage(format!("no rule, case, fault or reading is called `{}`{hint}", args.id)));
    }
    for case in found {
        _ = page.case(case, contract);
    }
    Ok(0)
}

struct Page<'w> {
    out: &'w mut dyn Write,
    palette: Palette,
}

impl Page<'_> {
    fn rule(&mut self, rule: &Rule, cases: &[&Case]) -> io::Result<()> {
        let id = rule.id.as_str();
        writeln!(self.out, "{}\n\n  {}\n", self.palette.strong(id), rule.text)?;
        self.line("level", rule.level.word())?;
        self.line("source", &rule.source)?;
        self.places("declared", locations::rule(id))?;
        if let Some(why) = &rule.because {
            self.line("because", why)?;
        }
        for (index, reading) in rule.accepts.iter().enumerate() {
            let of = if index == 0 { " (the reference's reading)" } else { "" };
            self.line(if index == 0 { "accepts" } else { "" }, &format!("{}: {}{of}", reading.id, reading.text))?;
        }
        if let Some(what) = &rule.told {
            self.line("told", &format!("{what}; not judged"))?;
        }
        if let Some(why) = &rule.hidden {
            self.line("hidden", why)?;
        }
        let judging = cases.iter().filter(|case| case.rules.contains(&id)).map(|case| case.id());
        self.lines("cases", judging.map(|case| at(&case, judged_at(&case))))?;
        if let Some(why) = &rule.unbuilt {
            self.line("server", why)?;
        } else {
            self.places("server", locations::decisions(id))?;
        }
        self.lines("faults", faults::all().filter(|fault| fault.breaks(id)).map(declared))?;
        self.lines("readings", readings::all().filter(|reading| reading.breaks(id)).map(declared))
    }

    /// The routes of the control listener that a profile names under `[hooks]`.
    fn hooks(&mut self) -> io::Result<()> {
        const NOW: &str = r#"200 {"now": "2026-01-31T12:00:00.000Z"}"#;
        writeln!(self.out, "{}\n", self.palette.strong("hooks"))?;
        writeln!(self.out, "  A control listener, which a server offers on a port of its own, for tests only.\n")?;
        self.line("profile", "control = \"http://127.0.0.1:3900\" under [hooks]")?;
        self.line("routes", "POST /reset")?;
        self.line("", "  204, no body: the initial state again, clock included; whatever the server holds is lost")?;
        self.line("", r#"POST /clock/advance {"seconds": 3600}"#)?;
        self.line("", &format!("  {NOW}: the service's now moves that far ahead"))?;
        self.line("", "GET /clock")?;
        self.line("", &format!("  {NOW}: reads it"))?;
        self.line(
            "refuse",
            "whatever a web page can send: any Origin, any Host but localhost and loopback addresses (403),",
        )?;
        self.line(
            "",
            "any POST that is not Content-Type: application/json (415); the suite sends that, with {} to /reset",
        )?;
        self.line("without", "what needs hours to pass or a fresh state is skipped, and the last word is partial")
    }

    fn chapter(&mut self, name: &str, contract: &Contract) -> io::Result<()> {
        writeln!(self.out, "{}\n", self.palette.strong(name))?;
        if let Some(about) = rule::about_chapter(name) {
            writeln!(self.out, "  {about}\n")?;
        }
        let own = contract.rules().filter(|rule| rule.chapter() == name);
        self.lines("rules", own.map(|rule| format!("{}: {}", rule.id, rule.text)))?;
        self.line("run", &format!("libros-conformance run {name}"))
    }

    fn case(&mut self, case: &Case, contract: &Contract) -> io::Result<()> {
        let id = case.id();
        writeln!(self.out, "{}\n", self.palette.strong(&id))?;
        for line in case.about.lines() {
            writeln!(self.out, "  {}", line.trim())?;
        }
        writeln!(self.out)?;
        self.lines("judges", case.rules.iter().map(|id| named(id, contract)))?;
        self.functions(locations::judge(&id))?;
        self.places("declared", locations::case(&id))?;
        if !case.needs.is_empty() {
            let needs: Vec<_> = case.needs.iter().map(|need| need_word(*need)).collect();
            self.line("needs", &needs.join(", "))?;
        }
        self.line("run", &format!("libros-conformance run {id} --trace"))?;
        // Whoever ran last here need not be who asks.
        let target = LastRun::read().map(|last| last.options).unwrap_or_default();
        if target.is_empty() {
            return Ok(());
        }
        let target: String = target.iter().map(|word| format!(" {}", quoted(word))).collect();
        self.line("again", &format!("libros-conformance replay {id}{target}   # the target of this folder's last run"))
    }

    /// A fault or a permitted reading, and what it is to its rules.
    fn variation(&mut self, label: &str, variation: &Variation, contract: &Contract) -> io::Result<()> {
        writeln!(self.out, "{}\n\n  {}\n", self.palette.strong(variation.id), variation.text)?;
        self.lines(label, variation.rules.iter().map(|id| named(id, contract)))?;
        self.functions(locations::effect(variation.id))?;
        self.places("declared", locations::variation(variation.id))?;
        self.line("try", &format!("libros-conformance selftest {}", variation.id))
    }

    fn places(&mut self, label: &str, places: impl IntoIterator<Item = &'static str>) -> io::Result<()> {
        self.lines(label, places.into_iter().map(str::to_owned))
    }

    fn functions(&mut self, functions: impl IntoIterator<Item = (&'static str, &'static str)>) -> io::Result<()> {
        self.lines("function", functions.into_iter().map(|(name, place)| at(name, Some(place))))
    }

    /// The label once, then one line each; nothing if there are none.
    fn lines(&mut self, label: &str, lines: impl Iterator<Item = String>) -> io::Result<()> {
        for (index, line) in lines.enumerate() {
            self.line(if index == 0 { label } else { "" }, &line)?;
        }
        Ok(())
    }

    fn line(&mut self, label: &str, text: &str) -> io::Result<()> {
        writeln!(self.out, "  {label:9} {text}")
    }
}

/// Its function, or its row if the function judges many rows.
fn judged_at(case: &str) -> Option<&'static str> {
    let own = locations::judge(case).filter(|(name, _)| case.ends_with(&format!("::{name}")));
    own.map(|(_, place)| place).or_else(|| locations::case(case))
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
