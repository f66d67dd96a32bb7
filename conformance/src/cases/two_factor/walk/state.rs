//! The model: what a user's second factor is, and what a check of a code must come to.

use super::open::{Device, Lockouts, is_past};
use super::step::{DEVICES, Token};
use crate::fixture::time::MINUTE_MS;
use crate::fixture::two_factor::Factor;

pub(super) const SESSION_MS: i64 = 10 * MINUTE_MS;
const ATTEMPTS_MAX: u32 = 3;

/// A pending session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) device: usize,
    pub(super) opened_at: i64,
    is_completed: bool,
    failures: u32,
    /// Checks that the block refused: under some readings failures too.
    refusals: u32,
}

impl Session {
    pub(super) fn new(id: String, device: usize, opened_at: i64) -> Self {
        Self { id, device, opened_at, is_completed: false, failures: 0, refusals: 0 }
    }
}

/// Backup codes, by what became of them.
#[derive(Debug, Default)]
pub(super) struct BackupCodes {
    pub(super) unused: Vec<String>,
    pub(super) used: Vec<String>,
    /// With the rule that ended them.
    pub(super) replaced: Vec<(String, &'static str)>,
}

impl BackupCodes {
    pub(super) fn replace(&mut self, issue: &[String], rule: &'static str) {
        let earlier = self.used.drain(..).chain(self.unused.drain(..));
        self.replaced.extend(earlier.map(|code| (code, rule)));
        self.unused = issue.to_vec();
    }
}

/// What a check must come to, and the rule that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) rule: &'static str,
    pub(super) outcome: Outcome,
}

/// What a check comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Accepted,
    /// The code is wrong.
    Failed,
    /// Refused by the block or the attempts of the session, the code not looked at.
    Refused,
    /// There is no session any more.
    Gone,
}

#[derive(Debug)]
pub(super) struct User {
    /// `None` before two-factor was ever enabled.
    pub(super) is_enabled: Option<bool>,
    pub(super) factor: Option<Factor>,
    pub(super) codes: BackupCodes,
    /// The latest step whose code was sent: none is sent twice, nor one before it.
    pub(super) step_sent: i64,
    pub(super) sessions: Vec<Session>,
    pub(super) lockouts: Lockouts,
    pub(super) devices: [Device; DEVICES],
}

impl User {
    pub(super) fn new() -> Self {
        Self {
            is_enabled: None,
            factor: None,
            codes: BackupCodes::default(),
            step_sent: 0,
            sessions: Vec::new(),
            lockouts: Lockouts::new(),
            devices: std::array::from_fn(|_| Device::new()),
        }
    }

    /// Two-factor was enabled, anew or again.
    pub(super) fn enable(&mut self, factor: Factor) {
        self.codes.replace(&factor.backup_codes, "two-factor/enable-again");
        self.factor = Some(factor);
        self.is_enabled = Some(true);
        self.toggle(true);
    }

    /// Two-factor was disabled.
    pub(super) fn disable(&mut self) {
        self.is_enabled = Some(false);
        self.toggle(false);
    }

    fn toggle(&mut self, is_enabling: bool) {
        // What becomes of a session opened under the earlier secret is not said.
        self.sessions.clear();
        self.lockouts.toggle();
        for device in &mut self.devices {
            device.toggle(is_enabling);
        }
    }

    /// What a check must come to; `None` where readings differ, or a limit is too near to tell.
    pub(super) fn expected(&self, session: &Session, token: Token, now: i64) -> Option<Expected> {
        let expected = |rule, outcome| Some(Expected { rule, outcome });
        if session.is_completed {
            return expected("pending/success-removes", Outcome::Gone);
        }
        if is_past(now - session.opened_at, SESSION_MS)? {
            return expected("pending/expires", Outcome::Gone);
        }
        if session.failures >= ATTEMPTS_MAX {
            return expected("lockout/three-failures", Outcome::Refused);
        }
        if session.failures + session.refusals >= ATTEMPTS_MAX {
            return None;
        }
        if self.lockouts.is_blocked(now)? {
            return expected("lockout/three-failures", Outcome::Refused);
        }
        match token {
            Token::Wrong | Token::WrongBackup => expected("verification/invalid-code", Outcome::Failed),
            Token::UsedBackup => expected("backup-codes/single-use", Outcome::Failed),
            Token::EarlierBackup => expected(self.codes.replaced.last()?.1, Outcome::Failed),
            Token::Current | Token::Backup => expected(self.why_accepted(session, now), Outcome::Accepted),
        }
    }

    /// The rule that a refusal of a right code would break.
    fn why_accepted(&self, session: &Session, now: i64) -> &'static str {
        let failures = self.lockouts.failures();
        let is_recent = |at: &&i64| now - **at <= super::open::WINDOW_MS;
        match failures.iter().filter(is_recent).count() {
            0 if failures.is_empty() => "verification/shape",
            0 => "lockout/window",
            1 | 2 if session.failures > 0 => "pending/failure-keeps",
            1 | 2 => "lockout/two-failures",
            _ => "lockout/ends",
        }
    }

    /// A check came to that.
    pub(super) fn checked(&mut self, index: usize, token: Token, outcome: Outcome, now: i64) {
        let session = &mut self.sessions[index];
        match outcome {
            Outcome::Gone => {}
            Outcome::Refused => {
                session.refusals += 1;
                self.lockouts.refuse(now);
            }
            Outcome::Failed => {
                session.failures += 1;
                self.lockouts.fail(now);
            }
            Outcome::Accepted => {
                session.is_completed = true;
                self.lockouts.succeed();
                if token == Token::Backup && !self.codes.unused.is_empty() {
                    let code = self.codes.unused.remove(0);
                    self.codes.used.push(code);
                }
            }
        }
    }
}
