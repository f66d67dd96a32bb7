//! Judges an impostor like any other target: by URL, with a control listener. Draws no conclusion.

use std::time::Duration;

use crate::case::Case;
use crate::context::session::Session;
use crate::http::control::Control;
use crate::implementation::reference;
use crate::impostor::{Impostor, Options};
use crate::runner::outcome::RunOutcome;
use crate::runner::principal_keys;
use crate::runner::run::{Plan, run};

/// How long one exchange with an impostor may take: it answers in milliseconds unless it is broken.
const TIMEOUT: Duration = Duration::from_secs(5);

pub fn judge(options: Options, chosen: &[&Case], seed: u64, inputs: u32) -> Result<RunOutcome, String> {
    judge_by(options, chosen, seed, inputs, &Plan::exclusive())
}

pub fn judge_by(options: Options, chosen: &[&Case], seed: u64, inputs: u32, plan: &Plan) -> Result<RunOutcome, String> {
    let impostor = Impostor::start(options).map_err(|error| format!("cannot start the impostor: {error}"))?;
    let session = session(&impostor, seed, inputs)?;
    Ok(run(&session, chosen, plan))
}

pub fn session(impostor: &Impostor, seed: u64, inputs: u32) -> Result<Session, String> {
    let mut target = reference::target(&impostor.urls())?;
    target.name = "impostor".into();
    impostor.replica().map_or(Ok(()), |replica| target.add_replica(&replica))?;
    principal_keys::find(&mut target, TIMEOUT);
    let control = target.control.as_deref().map(|url| Control::new(url, TIMEOUT)).transpose()?;
    Ok(Session::new(target, control, seed, inputs, TIMEOUT))
}
