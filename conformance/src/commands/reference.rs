//! The built-in reference, started to play single cases beside a target. Judges nothing by itself.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::case::Case;
use crate::context::session::Session;
use crate::http::control::Control;
use crate::implementation::process::Launched;
use crate::implementation::profile::Target;
use crate::implementation::reference::{self, REFERENCE_PROFILE};
use crate::printable::Printable;
use crate::runner::outcome::CaseOutcome;
use crate::runner::play::play;
use crate::runner::{kept, principal_keys};

const WAIT: Duration = Duration::from_secs(20);

/// A running reference, stopped when dropped.
#[derive(Debug)]
pub(crate) struct Reference {
    session: Session,
    _launched: Launched,
}

impl Reference {
    /// Starts one that offers what the target of that session offers, to draw the same inputs and make up the same names.
    pub(crate) fn like(session: &Session) -> Result<Self, Printable> {
        if !cfg!(feature = "reference") {
            return Err("this program was built without it".into());
        }
        let launched = reference::start(WAIT)?;
        let mut target = Target::parse(REFERENCE_PROFILE)?;
        target.place_only(&launched.urls)?;
        target.urls.retain(|interface, _| session.target.urls.contains_key(interface));
        principal_keys::find(&mut target, session.timeout);
        let control = launched.urls.get("control").filter(|_| session.control.is_some());
        let control = control.map(|url| Control::new(url, session.timeout)).transpose()?;
        let (nonce, holds_second_factor) = (session.nonce.clone(), session.holds_second_factor);
        let own = Session::new(target, control, session.seed, session.cases, session.timeout);
        Ok(Self { session: Session { nonce, holds_second_factor, ..own }, _launched: launched })
    }

    /// Plays the case, and judges it by that rule too where it is one for all answers; nothing once `stop` is set.
    pub(crate) fn play(&self, case: &'static Case, rule: Option<&str>, stop: &AtomicBool) -> Option<CaseOutcome> {
        let played = play(&self.session, case, true, stop)?;
        let whole = played.outcome.exchanges.clone();
        let mut outcome = [played.judged_by(rule)];
        // What was judged may be one exchange, and all of them stand beside the target's.
        outcome[0].exchanges = whole;
        kept::redact(&self.session, &mut outcome);
        outcome.into_iter().next()
    }
}
