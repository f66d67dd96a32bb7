//! Users on several replicas: an e-mail is registered once, a session is known everywhere, a once-only code is accepted once.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::context::case_context::CaseContext;
use crate::context::session::Session;
use crate::contract::verdict::CaseError;
use crate::fixture::concurrency::simultaneously;
use crate::fixture::{two_factor, users};
use crate::http::exchange::Exchange;
use crate::nemesis::attack::Attack;
use crate::nemesis::client::{PATIENCE, outcome_of};
use crate::nemesis::history::{Event, Outcome, Promise};

/// Codes tried for each user: each is refused twice, and the third refusal blocks a user, so that of the second code the two checks at
/// once count.
const CODES: usize = 2;
const PAUSE: Duration = Duration::from_millis(200);

/// Makes users and tries their codes until the attack ends.
pub(super) fn work(attack: &Attack<'_>) {
    let session = Session::new(attack.target.clone(), None, attack.seed, 1, PATIENCE);
    while !attack.is_over() {
        let cx = CaseContext::new(&session, Arc::new(()), "nemesis::accounts", &[], false);
        let from_us = attack.history.now_us();
        let ended = tried(attack, &cx);
        let exchanges = cx.into_record().exchanges;
        // Status 0: none.
        let status = |exchange: &Exchange| exchange.received.as_ref().map_or(0, |received| received.status);
        let stopped_at = exchanges.iter().max_by_key(|exchange| exchange.number).map(status).unwrap_or_default();
        if let Err(CaseError::Blocked { step, why, .. }) = ended
            && outcome_of(stopped_at) == Outcome::Confirmed
        {
            attack.history.find(Promise::Accounts, format!("{step}, with a user of this run: {why}"), from_us);
        }
        for exchange in &exchanges {
            let sent_ms = u64::try_from(exchange.sent_at_ms - attack.history.started_at_ms).unwrap_or_default();
            let node = attack.replicas.iter().position(|replica| replica.authority == exchange.sent.address.authority);
            let outcome = if exchange.is_answered { outcome_of(status(exchange)) } else { Outcome::Unknown };
            let ended_us = (sent_ms + exchange.duration_ms) * 1000;
            let event = Event { node: node.unwrap_or(0), is_create: false, sent_us: sent_ms * 1000, ended_us, outcome };
            attack.history.seen().events.push(event);
        }
        std::thread::sleep(PAUSE);
    }
}

fn tried(attack: &Attack<'_>, cx: &CaseContext<'_>) -> Result<(), CaseError> {
    let from_us = attack.history.now_us();
    let email = users::email(cx, "nemesis");
    let body = json!({ "email": email, "password": users::PASSWORD, "nombre": "Prueba", "role": "user" });
    let register = |_| Ok(cx.post("/auth/registro").json(&body).send().is_ok_and(|reply| reply.status() == 201));
    let registered = simultaneously(2, register)?.into_iter().filter(|is_registered| *is_registered).count();
    if registered > 1 {
        attack.history.find(Promise::Accounts, format!("the e-mail {email} was registered twice"), from_us);
    }
    if registered == 0 {
        return Ok(());
    }
    let tokens = users::log_in(cx, &email, users::PASSWORD)?;
    for _ in &attack.replicas {
        let read = cx.get("/libros?limit=1").bearer(&tokens.session).send()?;
        read.prepared("reading with a session that another replica issued", 200)?;
    }
    let user = users::MadeUser { id: String::new(), email, password: users::PASSWORD.to_owned() };
    let factor = two_factor::enable(cx, &tokens)?;
    for code in factor.backup_codes.iter().take(CODES) {
        let from_us = attack.history.now_us();
        let sessions = (0..3).map(|_| two_factor::pending_session(cx, &user)).collect::<Result<Vec<_>, _>>()?;
        let is_accepted =
            |at: usize| Ok(two_factor::verify(cx, &sessions[at], code).is_ok_and(|reply| reply.status() == 200));
        let mut accepted = simultaneously(2, is_accepted)?;
        accepted.push(is_accepted(2)?);
        attack.history.seen().codes += 1;
        let times = accepted.into_iter().filter(|is_accepted| *is_accepted).count();
        if times > 1 {
            let text = format!("a once-only code of {} was accepted {times} times", user.email);
            attack.history.find(Promise::Codes, text, from_us);
        }
    }
    Ok(())
}
