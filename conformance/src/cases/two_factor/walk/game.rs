//! Walks through the whole flow, drawn by the run's seed and held against a small model: enabling, logging in, right, wrong,
//! used and replaced codes, trusting and removing devices, waiting, disabling.
//!
//! A step whose outcome the documents leave open is left out. A walk that goes wrong is shrunk to the steps that matter; the
//! run's seed walks it again.

use serde_json::{Value, json};

use super::open::{BLOCK_MS, TRUST_MS, WINDOW_MS};
use super::state::{Outcome, SESSION_MS, Session, User};
use super::step::{DEVICES, Step, Token, Until, Walk, walks};
use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::contract::violation::Place;
use crate::fixture::time::{self, SECOND_MS, Span};
use crate::fixture::totp_steps;
use crate::fixture::two_factor::{self, pending_session_in, tokens_in};
use crate::fixture::users::{self, MadeUser, PASSWORD, Tokens};
use crate::generate::inputs::{Show, each};
use crate::http::reply::Reply;
use crate::http::request::Request;

cases! { "two-factor";
    /// Whatever a user does, in whatever order and however long apart: codes, sessions, block and devices are as the model says.
    walks_follow_the_model judges ["two-factor/enable-takes-effect", "two-factor/enable-again",
        "two-factor/disable-takes-effect", "two-factor/disable-wrong-password", "two-factor/disable-unconfigured",
        "two-factor/regenerate-wrong-password", "two-factor/regenerate-not-enabled", "two-factor/status-unconfigured",
        "two-factor/status-enabled", "two-factor/status-codes-available", "two-factor/status-codes-total",
        "verification/shape", "verification/invalid-code", "backup-codes/single-use",
        "backup-codes/regenerate-invalidates", "lockout/three-failures", "lockout/two-failures", "lockout/window",
        "lockout/ends", "lockout/login-open", "devices/registered", "devices/remove-takes-effect",
        "devices/trusted-30-days", "devices/expires", "pending/success-removes", "pending/failure-keeps",
        "pending/expires"] needs [Need::Clock];
}

/// A walk takes some thirty requests and several passwords to hash, so it counts for several inputs.
pub(super) const INPUTS_A_WALK: u32 = 8;

/// How long an answer may take before the rest of the walk would be too near to limits to tell.
pub(super) const SLOW_MS: i64 = 3 * SECOND_MS;

fn walks_follow_the_model(cx: &CaseContext<'_>) -> CaseResult {
    let draws = cx.session().cases / INPUTS_A_WALK;
    each(cx, draws, &walks(), |walk, show| play(cx, walk, show))
}

pub(super) fn play(cx: &CaseContext<'_>, walk: &Walk, show: Show) -> CaseResult {
    let user = users::register(cx, "user")?;
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    let issued_at = cx.target_now()?;
    let mut game = Game {
        cx,
        show,
        user,
        tokens,
        issued_at,
        devices: [two_factor::laptop(cx), two_factor::phone(cx)],
        model: User::new(),
        wrong_codes: 0,
        is_slow: false,
        place: String::new(),
    };
    for (index, step) in walk.0.iter().enumerate() {
        game.place = format!("at step {}", index + 1);
        game.take(*step)?;
        if game.is_slow {
            break;
        }
    }
    Ok(())
}

/// A walk under way.
pub(super) struct Game<'g, 'a> {
    pub(super) cx: &'g CaseContext<'a>,
    pub(super) show: Show,
    pub(super) user: MadeUser,
    /// The latest issued, and when.
    pub(super) tokens: Tokens,
    pub(super) issued_at: i64,
    pub(super) devices: [two_factor::Device; DEVICES],
    pub(super) model: User,
    /// How many were sent, so that each is another.
    pub(super) wrong_codes: usize,
    pub(super) is_slow: bool,
    /// What is judged, for messages.
    pub(super) place: String,
}

/// The index of the session counted from the latest; any number means one of those there are.
pub(super) fn latest_but(back: usize, count: usize) -> Option<usize> {
    (count > 0).then(|| count - 1 - back % count)
}

impl Game<'_, '_> {
    pub(super) fn take(&mut self, step: Step) -> CaseResult {
        match step {
            Step::Enable => self.enable(),
            Step::Disable { right } => self.disable(right),
            Step::Regenerate { right } => self.regenerate(right),
            Step::Status => self.status(),
            Step::LogIn { device } => self.log_in(device),
            Step::Verify { back, token, trust } => self.verify(back, token, trust),
            Step::Remove { device } => self.remove(device),
            Step::Pass(until) => self.pass(until),
        }
    }

    /// Sends it; the answer, and when it came.
    pub(super) fn send(&mut self, request: Request<'_>) -> Result<(Reply, i64), CaseError> {
        let (reply, at): (_, Span) = time::timed(self.cx, |_| self.show.send(request))?;
        self.is_slow |= at.to - at.from > SLOW_MS;
        Ok((reply, at.to))
    }

    pub(super) fn is(&self, reply: &Reply, rule: &'static str, status: u16) -> CaseResult {
        let got = reply.status();
        reply.check_rule(rule).that(got == status, Place::STATUS.when(&self.place), status, got).map(|_| ())
    }

    pub(super) fn has(&self, reply: &Reply, rule: &'static str, pointer: &str, want: &Value) -> CaseResult {
        let got = reply.at(pointer).unwrap_or_default();
        let place = Place::body(pointer).when(&self.place);
        let holds = crate::http::reply::same(&got, want);
        reply.check_rule(rule).that(holds, place, want, &got).map(|_| ())
    }

    pub(super) fn holds_tokens(&mut self, reply: &Reply, now: i64) -> Result<(), CaseError> {
        self.tokens = tokens_in(reply)?;
        self.issued_at = now;
        Ok(())
    }

    pub(super) fn log_in(&mut self, index: usize) -> CaseResult {
        let now = self.cx.target_now()?;
        let is_trusted = self.model.devices[index].is_trusted(now);
        let is_enabled = self.model.is_enabled == Some(true);
        if is_enabled && is_trusted.is_none() {
            return Ok(());
        }
        let asks = is_enabled && is_trusted == Some(false);
        let body = json!({ "email": self.user.email, "password": PASSWORD });
        let request = self.cx.post("/auth/login").device(&self.devices[index]);
        let (reply, now) = self.send(request.json(&body))?;
        self.is(&reply, "lockout/login-open", 200)?;
        let device = &self.model.devices[index];
        let rule = match (is_enabled, asks) {
            (true, true) if device.was_removed => "devices/remove-takes-effect",
            (true, true) if device.last_used().is_some() => "devices/expires",
            (true, true) => "two-factor/enable-takes-effect",
            (true, false) => "devices/trusted-30-days",
            (false, _) => "two-factor/disable-takes-effect",
        };
        self.has(&reply, rule, "/requiere2FA", &json!(asks))?;
        if asks {
            let session = Session::new(pending_session_in(&reply)?, index, now);
            self.model.sessions.push(session);
            return Ok(());
        }
        self.model.devices[index].skip(now, is_enabled);
        self.holds_tokens(&reply, now)
    }

    /// The text to send, if there is one.
    pub(super) fn token(&mut self, token: Token) -> Result<Option<String>, CaseError> {
        let step = totp_steps::current(self.cx)?;
        let (model, nth) = (&mut self.model, self.wrong_codes);
        let Some(factor) = &model.factor else {
            return Ok(None);
        };
        Ok(match token {
            Token::Wrong => Some(factor.wrong_code(step, nth)),
            Token::WrongBackup => Some(factor.wrong_backup_code(nth)),
            Token::Backup => model.codes.unused.first().cloned(),
            Token::UsedBackup => model.codes.used.last().cloned(),
            Token::EarlierBackup => model.codes.replaced.last().map(|(code, _)| code.clone()),
            Token::Current => {
                let unsent = [step, step + 1].into_iter().find(|step| *step > model.step_sent);
                unsent.map(|step| {
                    model.step_sent = step;
                    factor.code(step)
                })
            }
        })
    }

    pub(super) fn verify(&mut self, back: usize, token: Token, trust: bool) -> CaseResult {
        let Some(index) = latest_but(back, self.model.sessions.len()) else {
            return Ok(());
        };
        let now = self.cx.target_now()?;
        let session = &self.model.sessions[index];
        let (id, device) = (session.id.clone(), session.device);
        let Some(expected) = self.model.expected(session, token, now) else {
            return Ok(());
        };
        let Some(text) = self.token(token)? else {
            return Ok(());
        };
        self.wrong_codes += 1;
        let body = json!({ "sessionId": id, "token": text, "trustDevice": trust });
        let request = self.cx.post("/auth/verify-2fa").device(&self.devices[device]);
        let (reply, now) = self.send(request.json(&body))?;
        let is_accepted = expected.outcome == Outcome::Accepted;
        self.is(&reply, expected.rule, if is_accepted { 200 } else { 400 })?;
        self.model.checked(index, token, expected.outcome, now);
        if !is_accepted {
            return Ok(());
        }
        if trust {
            self.model.devices[device].trust(now);
        }
        self.holds_tokens(&reply, now)
    }

    pub(super) fn pass(&mut self, until: Until) -> CaseResult {
        let edge = |is_over: bool| {
            if is_over { 10 * SECOND_MS } else { -10 * SECOND_MS }
        };
        let now = self.cx.target_now()?;
        let failures = self.model.lockouts.failures();
        let moment = match until {
            Until::Seconds(seconds) => Some(now + seconds * SECOND_MS),
            Until::SessionEnds { back, is_over } => {
                let index = latest_but(back, self.model.sessions.len());
                index.map(|index| self.model.sessions[index].opened_at + SESSION_MS + edge(is_over))
            }
            Until::BlockEnds { is_over } => failures.last().map(|at| at + BLOCK_MS + edge(is_over)),
            Until::FailureForgotten { is_over } => {
                let earliest = failures.iter().find(|at| now - **at < WINDOW_MS);
                earliest.map(|at| at + WINDOW_MS + edge(is_over))
            }
            Until::TrustEnds { device, is_over } => {
                let used = self.model.devices[device].last_used();
                used.map(|at| at + TRUST_MS + edge(is_over))
            }
        };
        match moment {
            Some(moment) if moment > now => time::advance_at_least_ms(self.cx, moment - now),
            _ => Ok(()),
        }
    }
}
