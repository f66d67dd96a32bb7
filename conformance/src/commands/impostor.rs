//! `impostor`: runs the naive second implementation, with faults or legal variation if asked for.

use std::io::{self, Write as _};

use crate::commands::CommandError;
use crate::impostor::faults::{self, Faults};
use crate::impostor::{Addresses, Impostor, Options, Platform};
use crate::runner::select::nearest;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Switch a fault on; may be given again
    #[arg(long, value_name = "ID")]
    fault: Vec<String>,
    /// Use every freedom the documents leave, chosen by this seed
    #[arg(long, value_name = "SEED")]
    vary: Option<u64>,
    /// Behave as this platform does by default, where the documents allow it
    #[arg(long, value_name = "NAME", conflicts_with = "vary")]
    platform: Option<Platform>,
    #[command(flatten)]
    addresses: Addresses,
    /// Show the faults and the rules they break
    #[arg(long)]
    list_faults: bool,
    /// Show how servers of each platform differ from the reference
    #[arg(long)]
    list_platforms: bool,
}

/// Runs until it is stopped, or lists faults or platforms; returns the exit code.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let out = &mut io::stdout().lock();
    // A reader that closed the pipe has seen enough.
    if args.list_faults {
        faults::all().for_each(|fault| _ = writeln!(out, "{}  {}  {}", fault.id, fault.rule(), fault.text));
        return Ok(0);
    }
    if args.list_platforms {
        for platform in Platform::ALL {
            platform.ways().for_each(|(id, text)| _ = writeln!(out, "{}  {id}  {text}", platform.name()));
        }
        return Ok(0);
    }
    let options = Options {
        spoil: None,
        faults: active(&args.fault)?,
        vary: args.vary,
        platform: args.platform,
        addresses: args.addresses,
    };
    let impostor = Impostor::start(options)
        .map_err(|error| CommandError::target(format!("the impostor cannot listen: {error}")))?;
    let places = impostor.places().map(|(key, url)| format!(" {key}={url}"));
    _ = writeln!(out, "ready{}", places.concat());
    _ = out.flush();
    loop {
        std::thread::park();
    }
}

fn active(ids: &[String]) -> Result<Faults, CommandError> {
    ids.iter().try_fold(Faults::none(), |active, id| {
        active.with(id).ok_or_else(|| {
            let near = nearest(id, faults::all().map(|fault| fault.id.to_owned()));
            let hint = near.map(|near| format!("; did you mean `{near}`?"));
            let hint = hint.unwrap_or_else(|| "; --list-faults shows them all".to_owned());
            CommandError::usage(format!("there is no fault `{id}`{hint}"))
        })
    })
}
