//! The options that a replay must repeat for a case to run as before, besides those of the target, and the session made from them.

use std::time::Duration;

use crate::commands::CommandError;
use crate::commands::target_args::{Running, TargetArgs, control_of};
use crate::context::session::Session;
use crate::http::control::Control;
use crate::implementation::profile::Target;
use crate::mutex::locked;
use crate::printable::Printable;
use crate::random;
use crate::runner::preflight::{self, Refusal};
use crate::runner::principal_keys;

const CASES_DEFAULT: u32 = 256;
const TIMEOUT_S_DEFAULT: u64 = 10;

/// Options of all commands that play cases.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct PlayArgs {
    /// Seed of generated cases [default: another one each run, named in the report]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// How many inputs a generated case tries [default: 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cases: Option<u32>,
    /// How long one exchange may take [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: Option<u64>,
}

/// Options that `run` and `replay` share.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ConditionArgs {
    #[command(flatten)]
    pub(super) play: PlayArgs,
    /// At the end, kill the started target, start it again, and judge which data it kept
    #[arg(long, conflicts_with = "url")]
    pub(super) restart: bool,
    /// Judge even when a credential of the profile is refused at the start
    #[arg(long)]
    skip_preflight: bool,
}

impl PlayArgs {
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout.unwrap_or(TIMEOUT_S_DEFAULT))
    }

    pub(super) fn session(&self, target: Target, control: Option<Control>, seed: u64) -> Session {
        Session::new(target, control, seed, self.cases.unwrap_or(CASES_DEFAULT), self.timeout())
    }

    /// As typed, behind those of the target; the seed and the number of inputs only for a case that draws its inputs.
    pub(super) fn typed(&self, target: &TargetArgs, seed: Option<u64>) -> Vec<String> {
        let drawn = self.cases.filter(|_| seed.is_some()).map(u64::from);
        let given = [("--seed", seed), ("--cases", drawn), ("--timeout", self.timeout)];
        let given = given.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?.to_string()]));
        target.typed().into_iter().chain(given.flatten()).collect()
    }
}

impl ConditionArgs {
    /// These options; those not given are taken from `other`.
    pub(super) fn or(&self, other: &Self) -> Self {
        let (own, others) = (&self.play, &other.play);
        Self {
            play: PlayArgs {
                seed: own.seed.or(others.seed),
                cases: own.cases.or(others.cases),
                timeout: own.timeout.or(others.timeout),
            },
            restart: self.restart || other.restart,
            skip_preflight: self.skip_preflight || other.skip_preflight,
        }
    }

    /// The options that replay a case, as they are typed; `seed` only for a case that draws its inputs.
    pub(super) fn typed(&self, target: &TargetArgs, seed: Option<u64>) -> Vec<String> {
        let flags = [("--restart", self.restart), ("--skip-preflight", self.skip_preflight)];
        let mut options = self.play.typed(target, seed);
        options.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.to_owned()));
        options
    }

    pub(super) fn session(
        &self,
        args: &TargetArgs,
        mut target: Target,
        running: Running,
    ) -> Result<Session, CommandError> {
        let timeout = self.play.timeout();
        let control = control_of(&target, timeout)?;
        if !self.skip_preflight {
            preflight::credentials(&target, timeout).map_err(|refusal| refused(&refusal, args, &running))?;
        }
        principal_keys::find(&mut target, timeout);
        let seed = self.play.seed.unwrap_or_else(random::seed);
        let restarter = self.restart.then(|| args.restarter(running, timeout));
        Ok(Session { restarter, ..self.play.session(target, control, seed) })
    }
}

fn refused(refusal: &Refusal, args: &TargetArgs, running: &Running) -> CommandError {
    const ALL_THE_SAME: &str = "judge it all the same with --skip-preflight";
    match refusal {
        Refusal::Credential(why) => {
            let mend = format!("mend it in {}; if the service itself is at fault, {ALL_THE_SAME}", args.named());
            CommandError::usage(Printable::from(why).and_line(mend))
        }
        Refusal::Removed(why) => CommandError::usage(Printable::from(why).and_line(ALL_THE_SAME)),
        Refusal::NoAnswer(why) => {
            let mut running = locked(running);
            let ended = running.as_mut().map(|launched| launched.end_or_last_lines());
            let ended = ended.filter(|said| !said.as_str().is_empty());
            let ended = ended.map_or_else(Printable::default, |said| Printable::from("; ").and(said));
            CommandError::target(Printable::from(why).and(ended).and_line(ALL_THE_SAME))
        }
    }
}

/// Parses a duration of at least a second.
pub(super) fn time_span(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds_a_unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        unit => return Err(format!("`{unit}` is not a unit of time; write 90s, 10m or 1h")),
    };
    let count = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(seconds_a_unit));
    let seconds = count.filter(|seconds| *seconds > 0).ok_or("want a number and a unit: 90s, 10m or 1h")?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_a_unit_or_is_in_seconds() {
        let seconds = |text: &str| time_span(text).map(|span| span.as_secs());
        assert_eq!(["90", "90s", "10m", "1h"].map(seconds), [Ok(90), Ok(90), Ok(600), Ok(3600)]);
        for text in ["", "m", "0", "-1m", "1d", "1.5m", "99999999999999999999"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
