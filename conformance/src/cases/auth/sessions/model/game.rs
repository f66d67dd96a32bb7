//! Sequences of registrations, logins, uses and waiting, drawn by the run's seed and held against a small model.
//!
//! A sequence that goes wrong is shrunk to the steps that matter; the run's seed plays it again.

use std::cell::Cell;

use serde_json::json;

use super::state::{Expected, ROLES, Session, Token, User};
use super::step::{PASSWORDS, Route, Sequence, Step, USERS, Until, sequences};
use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::contract::violation::{Place, Want};
use crate::fixture::time::{self, MINUTE_MS, SECOND_MS, Span};
use crate::fixture::{books, users};
use crate::generate::inputs::{Show, each};
use crate::http::exchange::Received;
use crate::http::reply::brief;
use crate::http::request::Request;

cases! { "sessions";
    /// Whatever users do and however long they wait, sessions and JWTs are good as long as the model says and no longer.
    sequences_with_waiting_follow_the_model judges ["sessions/accepted"] and [RULES] needs [Need::Clock];
    /// The same without waiting: within seconds nothing expires, and permissions alone decide.
    sequences_without_waiting_follow_the_model judges ["sessions/accepted"] and [RULES];
}

/// What else a sequence can find broken.
pub(super) const RULES: [&str; 23] = [
    "registration/created",
    "registration/email-taken",
    "registration/email-taken-keeps-first",
    "login/success",
    "login/email-unknown",
    "login/password-wrong",
    "sessions/unknown",
    "sessions/distinct",
    "sessions/first-hour",
    "sessions/use-extends",
    "sessions/use-shortens",
    "sessions/use-then-failure",
    "sessions/use-anywhere",
    "sessions/denied-keeps-expiry",
    "sessions/unsupported-method-keeps-expiry",
    "sessions/removed",
    "tokens/accepted",
    "tokens/segments-wrong",
    "tokens/day",
    "permissions/role-admin",
    "permissions/role-moderator",
    "permissions/role-user",
    "permissions/role-other",
];

/// A sequence takes dozens of requests and several passwords to hash, so it counts for several inputs.
pub(super) const INPUTS_A_SEQUENCE: u32 = 6;

fn sequences_with_waiting_follow_the_model(cx: &CaseContext<'_>) -> CaseResult {
    let draws = cx.session().cases / INPUTS_A_SEQUENCE;
    each(cx, draws, &sequences(true), |sequence, show| play(cx, sequence, show))
}

fn sequences_without_waiting_follow_the_model(cx: &CaseContext<'_>) -> CaseResult {
    let draws = cx.session().cases / INPUTS_A_SEQUENCE / 8;
    each(cx, draws, &sequences(false), |sequence, show| play(cx, sequence, show))
}

pub(super) fn play(cx: &CaseContext<'_>, sequence: &Sequence, show: Show) -> CaseResult {
    let mut game = Game {
        cx,
        show,
        now: Cell::new(cx.target_now()?),
        emails: std::array::from_fn(|_| users::email(cx, "user")),
        users: [None; USERS],
        sessions: Vec::new(),
        tokens: Vec::new(),
        place: Place::STATUS,
    };
    for (index, step) in sequence.0.iter().enumerate() {
        game.place = Place::STATUS.of(format_args!("step {}", index + 1));
        game.take(*step)?;
    }
    Ok(())
}

/// A sequence being played.
pub(super) struct Game<'g, 'a> {
    pub(super) cx: &'g CaseContext<'a>,
    pub(super) show: Show,
    /// The latest reading of the target's clock: what comes next does not come before it.
    pub(super) now: Cell<i64>,
    pub(super) emails: [String; USERS],
    pub(super) users: [Option<User>; USERS],
    pub(super) sessions: Vec<Session>,
    pub(super) tokens: Vec<Token>,
    /// What is judged, for messages.
    pub(super) place: Place,
}

impl Game<'_, '_> {
    pub(super) fn take(&mut self, step: Step) -> CaseResult {
        match step {
            Step::Register { user, role, password } => {
                self.register(user, User { role, password, is_contested: false })
            }
            Step::LogIn { user, password } => self.log_in(user, password),
            Step::UseSession { back, route } => self.use_session(back, route),
            Step::UseToken { back, route } => self.use_token(back, route),
            Step::Pass(until) => self.pass(until),
        }
    }

    pub(super) fn register(&mut self, user: usize, wanted: User) -> CaseResult {
        let body = json!({ "email": self.emails[user], "password": PASSWORDS[wanted.password],
            "nombre": "Prueba", "role": ROLES[wanted.role].0 });
        let (received, _) = self.send(self.cx.post("/auth/registro").json(&body))?;
        if let Some(known) = &mut self.users[user] {
            known.is_contested = true;
            return self.judge_status("registration/email-taken", 400, &received);
        }
        self.judge_status("registration/created", 201, &received)?;
        self.users[user] = Some(wanted);
        Ok(())
    }

    pub(super) fn log_in(&mut self, user: usize, password: usize) -> CaseResult {
        let body = json!({ "email": self.emails[user], "password": PASSWORDS[password] });
        let (received, at) = self.send(self.cx.post("/auth/login").json(&body))?;
        let keeps_first = "registration/email-taken-keeps-first";
        match self.users[user] {
            None => return self.judge_status("login/email-unknown", 400, &received),
            Some(known) if known.password != password => {
                let rule = if known.is_contested { keeps_first } else { "login/password-wrong" };
                return self.judge_status(rule, 400, &received);
            }
            Some(known) if known.is_contested => {
                self.judge_status(keeps_first, 200, &received)?;
            }
            Some(_) => self.judge_status("login/success", 200, &received)?,
        }
        let answer = received.json().unwrap_or_default();
        let token = |field: &str| answer["tokens"][field].as_str().map(str::to_owned);
        let (Some(session), Some(jwt)) = (token("sessionToken"), token("jwtToken")) else {
            return Err(CaseError::blocked("logging in", format!("want two tokens, got {}", brief(&received.text()))));
        };
        if self.sessions.iter().any(|other| other.token == session) {
            self.mismatch("sessions/distinct", "a token of its own", &received)?;
        }
        let others = self.sessions.iter_mut().filter(|other| other.user == user);
        others.for_each(Session::joined_by_another);
        self.sessions.push(Session::new(session, user, at));
        self.tokens.push(Token::new(jwt, user, at));
        Ok(())
    }

    pub(super) fn use_session(&mut self, back: usize, route: Route) -> CaseResult {
        let Some(index) = latest_but(back, self.sessions.len()) else {
            let made_up = "0123456789abcdef".repeat(4);
            let (received, _) = self.ask(route, |request| request.bearer(&made_up))?;
            return match route {
                Route::Patch => Ok(()),
                _ => self.judge_status("sessions/unknown", 401, &received),
            };
        };
        let session = self.sessions[index].clone();
        let (received, at) = self.ask(route, |request| request.bearer(&session.token))?;
        if route == Route::Patch {
            self.sessions[index].passed_by();
            return Ok(());
        }
        let user = self.owner(session.user)?;
        let may = user.holds(route.permission());
        let is_in = received.status != 401;
        match session.expected(at, may) {
            Expected::In if !is_in && !self.reads_list(|request| request.bearer(&session.token))? => {
                self.mismatch(session.wrongly_out(at), "let in", &received)?;
            }
            Expected::In if !is_in => self.mismatch(user.role_rule(), "let in", &received)?,
            Expected::Out if is_in && !may => self.mismatch(user.role_rule(), "401", &received)?,
            Expected::Out if is_in => self.mismatch(session.wrongly_in(at), "401", &received)?,
            _ => {}
        }
        self.sessions[index].tried(at, route.wanted(), may, is_in);
        Ok(())
    }

    /// Whether a credential reads the list, asked only where something is wrong already, to tell life from permissions.
    pub(super) fn reads_list<'r>(&'r self, with: impl FnOnce(Request<'r>) -> Request<'r>) -> Result<bool, CaseError> {
        let (received, _) = self.ask(Route::List, with)?;
        Ok(received.status != 401)
    }

    pub(super) fn use_token(&mut self, back: usize, route: Route) -> CaseResult {
        let Some(index) = latest_but(back, self.tokens.len()) else {
            let (received, _) = self.ask(route, |request| request.jwt("x"))?;
            return match route {
                Route::Patch => Ok(()),
                _ => self.judge_status("tokens/segments-wrong", 401, &received),
            };
        };
        let token = &self.tokens[index];
        let (received, at) = self.ask(route, |request| request.jwt(&token.token))?;
        let user = self.owner(token.user)?;
        let may = user.holds(route.permission());
        let is_in = received.status != 401;
        match token.expected(at, may) {
            _ if route == Route::Patch => Ok(()),
            Expected::In if is_in => Ok(()),
            Expected::In if self.reads_list(|request| request.jwt(&token.token))? => {
                self.mismatch(user.role_rule(), "let in", &received)
            }
            Expected::In => self.mismatch(token.wrongly_out(at), "let in", &received),
            Expected::Out if is_in && !may => self.mismatch(user.role_rule(), "401", &received),
            Expected::Out if is_in => self.mismatch("tokens/day", "401", &received),
            _ => Ok(()),
        }
    }

    /// Moves the clock; where the moment has passed already, or there is nothing to wait for, nothing happens.
    pub(super) fn pass(&self, until: Until) -> CaseResult {
        let session = |back| latest_but(back, self.sessions.len()).map(|at| self.sessions[at].end);
        let token = |back| latest_but(back, self.tokens.len()).map(|at| self.tokens[at].end);
        let now = self.now.get();
        let moment = match until {
            Until::Minutes(minutes) => Some(now + minutes * MINUTE_MS),
            Until::SessionEnds(back) => session(back).map(|end| end.from - SECOND_MS),
            Until::SessionEnded(back) => session(back).map(|end| end.to + SECOND_MS),
            Until::TokenEnds(back) => token(back).map(|end| end.from - SECOND_MS),
            Until::TokenEnded(back) => token(back).map(|end| end.to + SECOND_MS),
        };
        match moment {
            Some(moment) if moment > now + SECOND_MS => {
                time::advance_at_least_ms(self.cx, moment - self.cx.target_now()?)?;
                self.now.set(self.cx.target_now()?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn owner(&self, user: usize) -> Result<User, CaseError> {
        self.users[user].ok_or_else(|| CaseError::Broken("the model has a session of nobody".into()))
    }

    pub(super) fn ask<'r>(
        &'r self,
        route: Route,
        with: impl FnOnce(Request<'r>) -> Request<'r>,
    ) -> Result<(Received, Span), CaseError> {
        let cx = self.cx;
        let unknown = books::unknown_path(cx);
        let book = json!({ "titulo": "Rayuela", "autor": "Julio Cortázar" });
        let request = match route {
            Route::List => cx.get("/libros?limit=1"),
            Route::ReadUnknown => cx.get(&unknown),
            Route::ReplaceUnknown => cx.put(&unknown).json(&book),
            Route::DeleteUnknown => cx.delete(&unknown),
            Route::ListKeys => cx.get("/auth/api-keys"),
            Route::Status => cx.get("/2fa/status"),
            Route::Patch => cx.request("PATCH", "/libros"),
        };
        self.send(with(request))
    }

    pub(super) fn send(&self, request: Request<'_>) -> Result<(Received, Span), CaseError> {
        let received = self.show.send(request)?.received().clone();
        let to = self.cx.target_now()?;
        let from = self.now.replace(to);
        Ok((received, Span { from, to }))
    }

    pub(super) fn judge_status(&self, rule: &'static str, want: u16, received: &Received) -> CaseResult {
        if received.status == want { Ok(()) } else { self.mismatch(rule, want, received) }
    }

    pub(super) fn mismatch(&self, rule: &'static str, want: impl Into<Want>, received: &Received) -> CaseResult {
        self.cx.check_rule(
            rule,
            false,
            self.place.clone(),
            want,
            format!("{} {}", received.status, brief(&received.text())),
        )
    }
}

/// The place of the latest but so many, counted around; none where there is nothing.
pub(super) fn latest_but(back: usize, count: usize) -> Option<usize> {
    (count > 0).then(|| count - 1 - back % count)
}
