//! What the documents' states table says of one user: a small model that knows nothing of the server.

use std::collections::HashMap;

use libros_server::response::failure::Failure;
use proptest::sample::Index;

const MINUTE_S: u64 = 60;

/// A code that a user might send.
#[derive(Debug, Clone)]
pub(crate) enum Code {
    Totp,
    WrongTotp,
    Backup(Index),
    OldBackup,
    Junk,
}

/// What the documents say there is. Times are seconds since the life began.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) now_s: u64,
    pub(crate) enabled: bool,
    /// Code and whether it is unused, of the last issue.
    pub(crate) backup: Vec<(String, bool)>,
    /// Codes of earlier issues.
    pub(crate) old_backup: Vec<String>,
    pub(crate) secret: Option<String>,
    pub(crate) failures_s: Vec<u64>,
    /// Last use by device.
    pub(crate) trusted: HashMap<u8, u64>,
    pub(crate) logins: Vec<Login>,
    /// Token and expiry.
    pub(crate) sessions: Vec<(String, u64)>,
}

/// A login that waits, or waited.
#[derive(Debug)]
pub(crate) struct Login {
    pub(crate) id: String,
    pub(crate) device: u8,
    pub(crate) at_s: u64,
    pub(crate) wrong: u32,
    pub(crate) gone: bool,
}

impl Model {
    fn is_blocked(&self) -> bool {
        // Nothing fails during a block: the last failure began it, if there is one.
        let last = self.failures_s.last().copied().unwrap_or(0);
        let recent = self.failures_s.iter().filter(|&&at| last - at <= 60 * MINUTE_S);
        recent.count() >= 3 && self.now_s - last < 15 * MINUTE_S
    }

    pub(crate) fn is_trusted(&self, device: u8) -> bool {
        let last_s = self.trusted.get(&device);
        last_s.is_some_and(|&last_s| self.now_s - last_s <= 30 * 24 * 60 * MINUTE_S)
    }

    /// Whether the code is one that the second factor would take, and uses it up.
    fn takes(&mut self, code: &Code, sent: &str) -> bool {
        match code {
            Code::Totp => true,
            Code::Backup(_) => match self.backup.iter_mut().find(|(known, _)| known == sent) {
                Some((_, unused)) => std::mem::take(unused),
                None => false,
            },
            Code::WrongTotp | Code::OldBackup | Code::Junk => false,
        }
    }

    pub(crate) fn verify(&mut self, at: usize, code: &Code, sent: &str, trust: bool) -> Result<(), Failure> {
        let (blocked, enabled, now_s) = (self.is_blocked(), self.enabled, self.now_s);
        let login = &mut self.logins[at];
        if login.gone {
            return Err(Failure::PendingUnknown);
        }
        if now_s - login.at_s > 10 * MINUTE_S {
            login.gone = true;
            return Err(Failure::PendingExpired);
        }
        if login.wrong >= 3 {
            login.gone = true;
            return Err(Failure::TooManyAttempts);
        }
        if !enabled {
            return Err(Failure::TwoFactorNotEnabled);
        }
        if blocked {
            return Err(Failure::TooManyAttempts);
        }
        if !self.takes(code, sent) {
            self.logins[at].wrong += 1;
            self.failures_s.push(now_s);
            return Err(Failure::CodeWrong);
        }
        self.logins[at].gone = true;
        if trust {
            self.trusted.insert(self.logins[at].device, now_s);
        }
        Ok(())
    }
}
