//! `POST /auth/verify-2fa`: a code, or a backup code, turns a waiting login into tokens.

use serde_json::{Value, json};

use super::{backup, device, totp};
use crate::auth::Identity;
use crate::auth::fields::Fields;
use crate::auth::fingerprint::Fingerprint;
use crate::auth::login::issue_tokens;
use crate::auth::state::State;
use crate::auth::user::User;
use crate::catalogue::{Answer, Failure};
use crate::clock::Timestamp;
use crate::json;
use crate::message::Request;
use crate::store::Changes;
use crate::two_factor::backup::CodeHasher;
use crate::two_factor::pending::Pending;

/// What a verification sends.
#[derive(Debug)]
struct Sent {
    session: Fingerprint,
    /// Empty when it was missing or no text: a token of no known form.
    token: String,
    trust_device: bool,
}

/// The kind of code that let somebody in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Totp,
    Backup,
}

impl Identity {
    /// Checks a second factor.
    ///
    /// # Errors
    /// A waiting login that is unknown, too old or exhausted, a blocked e-mail, a wrong code.
    pub(crate) async fn verify_two_factor(&self, request: &Request) -> Result<Answer, Failure> {
        let sent = read(&request.body)?;
        let now = self.context().clock.now();
        let random = self.context().entropy.bytes();
        self.transact(|state, changes| {
            let (method, waiting) = check(state, &sent, self.backup_codes(), now, changes)?;
            // rule: pending/success-removes
            state.pending.remove(&sent.session, changes);
            if sent.trust_device {
                remember_device(state, &waiting, now, changes);
            }
            // rule: verification/session-token, verification/jwt-token
            let tokens = issue_tokens(state, &waiting.email, random, now, changes)?;
            Ok(answer(method, sent.trust_device, &tokens))
        })
        .await
    }
}

fn read(body: &[u8]) -> Result<Sent, Failure> {
    let mut fields = Fields::read(body)?;
    // rule: verification/missing-session
    let session_id =
        fields.text("sessionId").ok_or(Failure::FieldInvalid("The field sessionId is required: a text"))?;
    Ok(Sent {
        session: Fingerprint::of(session_id.as_bytes()),
        // rule: verification/missing-token, verification/missing-token-counts, codes/token-spelling
        token: fields.text("token").unwrap_or_default(),
        // rule: verification/trust-default, verification/trust-other-type
        trust_device: fields.truth("trustDevice"),
    })
}

/// The checks in their order; each failed code leaves its marks.
///
/// Runs whole under the lock: codes sent at once are checked one after the other, so that three wrong ones can not
/// buy a fourth, and a backup code lets in one of them.
fn check(
    state: &mut State,
    sent: &Sent,
    hasher: &CodeHasher,
    now: Timestamp,
    changes: &mut Changes,
) -> Result<(Method, Pending), Failure> {
    // rule: verification/check-order, verification/unknown-session
    let waiting = state.pending.record(&sent.session).ok_or(Failure::PendingUnknown)?.clone();
    // rule: pending/expires, pending/expired-removed
    if waiting.is_over(now) {
        state.pending.remove(&sent.session, changes);
        return Err(Failure::PendingExpired);
    }
    // rule: pending/attempts-end
    if waiting.is_exhausted() {
        state.pending.remove(&sent.session, changes);
        return Err(Failure::TooManyAttempts);
    }
    let user = state.users.record(&waiting.email).ok_or(Failure::UserUnknown)?;
    if !user.is_active {
        return Err(Failure::UserInactive);
    }
    // rule: pending/disabled-meanwhile
    if user.two_factor().is_none() {
        return Err(Failure::TwoFactorNotEnabled);
    }
    // rule: lockout/three-failures, lockout/backup-refused, lockout/refused-not-counted, backup-codes/refused-stays-unused
    if state.attempts.record(&waiting.email).is_some_and(|attempts| attempts.is_blocked(now)) {
        return Err(Failure::TooManyAttempts);
    }
    let mut user = user.clone();
    let method = accept(&mut user, &sent.token, hasher, now);
    if method.is_some() {
        state.users.put(waiting.email.clone(), user, changes);
    }
    // rule: lockout/per-email, lockout/across-sessions, lockout/backup-failures-count, codes/other-forms-count
    state.attempts.change_or_start(&waiting.email, changes, |attempts| {
        attempts.note(method.is_some(), now);
    });
    match method {
        Some(method) => Ok((method, waiting)),
        None => {
            // rule: pending/attempts-counted, pending/failure-keeps
            state.pending.change(&sent.session, changes, Pending::fail);
            // rule: verification/invalid-code
            Err(Failure::CodeWrong)
        }
    }
}

/// Holds a token against the user's second factor: which kind of code it is, if it is right. Uses up a backup code.
fn accept(user: &mut User, token: &str, hasher: &CodeHasher, now: Timestamp) -> Option<Method> {
    let two_factor = user.two_factor_auth.as_mut().filter(|record| record.enabled)?;
    let method = if totp::has_form(token) {
        let now_s = u64::try_from(now.seconds()).ok()?;
        two_factor.secret.is_right(token, now_s).then_some(Method::Totp)
    } else if backup::has_form(token) {
        // rule: backup-codes/ten-digits, backup-codes/lower-case
        let hash = hasher.hash(&user.id, token);
        backup::redeem(&mut two_factor.backup_codes, hash, now).then_some(Method::Backup)
    } else {
        // rule: codes/other-lengths, codes/other-forms
        None
    };
    if method.is_some() {
        // rule: two-factor/status-last-use
        two_factor.last_used = Some(now);
    }
    method
}

fn remember_device(state: &mut State, waiting: &Pending, now: Timestamp, changes: &mut Changes) {
    // rule: devices/registered, devices/device-of-login
    state.devices.change_or_start(&waiting.email, changes, |devices| {
        device::remember(devices, &waiting.device_id, &waiting.contexto.user_agent, now);
    });
}

fn answer(method: Method, trust_device: bool, tokens: &Value) -> Answer {
    // rule: verification/shape
    let body = json!({
        "verificado": true,
        "tokens": tokens,
        "metodo2FA": match method {
            // rule: verification/method-totp
            Method::Totp => "totp",
            // rule: verification/method-backup
            Method::Backup => "backup",
        },
        // rule: verification/new-device-true, verification/new-device-false
        "esDispositivoNuevo": !trust_device,
    });
    Answer::ok(json::write(&body))
}
