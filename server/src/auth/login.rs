//! `POST /auth/login`: the password opens either a session or a login that waits for its second factor.

use serde_json::{Value, json};

use super::fields::Fields;
use super::fingerprint::Fingerprint;
use super::password::PasswordHash;
use super::session::{self, Session};
use super::state::State;
use super::user::User;
use super::{Identity, PRINCIPAL_KEY, jwt};
use crate::catalogue::{Answer, Failure};
use crate::clock::Timestamp;
use crate::json;
use crate::message::Request;
use crate::store::Changes;
use crate::two_factor::device::{self, Traits};
use crate::two_factor::pending::Pending;
use crate::two_factor::record::TwoFactor;

/// What every answer with tokens says of their life, in seconds.
// rule: login/expires-in
const EXPIRES_IN_S: u32 = 3600;

impl Identity {
    /// Logs a user in.
    ///
    /// # Errors
    /// An unknown e-mail, a wrong password, an inactive user.
    pub(super) async fn login(&self, request: &Request) -> Result<Answer, Failure> {
        let mut fields = Fields::read(&request.body)?;
        // rule: login/field-missing
        let (Some(email), Some(password)) = (fields.text("email"), fields.text("password")) else {
            return Err(Failure::FieldInvalid("The fields email and password are required: texts"));
        };
        let checked = self.check_password(&email, password).await?;
        let now = self.context.clock.now();
        let random = self.context.entropy.bytes();
        self.transact(|state, changes| {
            let user = still_as_checked(state, &email, &checked)?;
            // rule: login/inactive
            if !user.is_active {
                return Err(Failure::UserInactive);
            }
            state.sweep(now, changes);
            match waits_for(state, &email, request, now) {
                Some(waiting) => Ok(ask_for_second_factor(state, &email, waiting, random, changes)),
                None => let_in(state, &email, random, now, changes),
            }
        })
        .await
    }

    /// Whether `password` is that of the user; the hash it was held against.
    ///
    /// # Errors
    /// An unknown e-mail, a wrong password.
    pub(crate) async fn check_password(&self, email: &str, password: String) -> Result<PasswordHash, Failure> {
        let hash = self
            .read(|state| state.users.record(email).map(|user| user.password_hash.clone()))
            // rule: login/email-unknown
            .ok_or(Failure::UserUnknown)?;
        // rule: login/password-wrong
        if self.is_password_right(password, hash.clone()).await? { Ok(hash) } else { Err(Failure::PasswordWrong) }
    }
}

/// The user as it was when the password was checked: while that was going on, another may have taken the e-mail.
pub(crate) fn still_as_checked<'a>(state: &'a State, email: &str, checked: &PasswordHash) -> Result<&'a User, Failure> {
    let user = state.users.record(email).ok_or(Failure::UserUnknown)?;
    if user.password_hash == *checked { Ok(user) } else { Err(Failure::PasswordWrong) }
}

/// What a login has to wait with; `None` when the password alone lets it in.
fn waits_for(state: &State, email: &str, request: &Request, now: Timestamp) -> Option<Pending> {
    state.users.record(email)?.two_factor()?;
    let device = Traits::of(&request.headers, request.peer);
    // rule: login/trusted-skips, devices/login-keeps-last-used, devices/per-user
    let devices = state.devices.record(email).map_or(&[][..], Vec::as_slice);
    if device::trusts(devices, &device.device_id, now) {
        return None;
    }
    Some(Pending::new(email.to_owned(), device, request.peer, now))
}

/// The first shape: tokens.
fn let_in(
    state: &mut State,
    email: &str,
    random: [u8; 32],
    now: Timestamp,
    changes: &mut Changes,
) -> Result<Answer, Failure> {
    let tokens = issue_tokens(state, email, random, now, changes)?;
    let user = state.users.record(email).ok_or(Failure::UserUnknown)?;
    // rule: login/first-shape, login/first-requires, login/principal-key
    let body = json!({
        "requiere2FA": false,
        (PRINCIPAL_KEY): description(user),
        "tokens": tokens,
    });
    // rule: login/success
    Ok(Answer::ok(json::write(&body)))
}

/// The user as an answer shows it.
fn description(user: &User) -> Value {
    // rule: login/user-shape, login/user-identity, login/user-role
    let mut shown = json!({ "id": user.id, "email": user.email });
    if let Some(nombre) = &user.nombre {
        shown["nombre"] = nombre.clone();
    }
    shown["role"] = user.role.clone();
    shown["permissions"] = json!(user.permissions.names());
    // rule: login/two-factor-disabled, login/two-factor-trusted
    shown["twoFactorEnabled"] = json!(user.two_factor().is_some());
    shown
}

/// A session and a JWT for the user, as an answer shows them.
///
/// # Errors
/// When there is no such user.
pub(crate) fn issue_tokens(
    state: &mut State,
    email: &str,
    random: [u8; 32],
    now: Timestamp,
    changes: &mut Changes,
) -> Result<Value, Failure> {
    let user = state.users.record(email).ok_or(Failure::UserUnknown)?;
    let jwt = jwt::issue(user, now);
    let token = session::new_token(random);
    // rule: sessions/distinct, sessions/record
    let session = Session::new(user.email.clone(), user.id.clone(), now);
    state.sessions.put(Fingerprint::of(token.as_bytes()), session, changes);
    // rule: login/tokens-shape, verification/tokens-shape
    Ok(json!({ "sessionToken": token, "jwtToken": jwt, "expiresIn": EXPIRES_IN_S }))
}

/// The second shape: a session id to come back with.
fn ask_for_second_factor(
    state: &mut State,
    email: &str,
    waiting: Pending,
    random: [u8; 32],
    changes: &mut Changes,
) -> Answer {
    // rule: login/second-session-id
    let session_id = session::new_token(random);
    let codes_left = state.users.record(email).and_then(User::two_factor).map_or(0, TwoFactor::codes_left);
    // rule: login/second-authenticator, login/second-backup-codes, login/second-no-backup-codes
    let methods: &[&str] = match codes_left {
        0 => &["authenticator"],
        _ => &["authenticator", "backup_codes"],
    };
    // rule: login/second-trusted
    let any_device = state.devices.record(email).is_some_and(|devices| !devices.is_empty());
    // rule: login/second-shape, login/second-requires, login/second-email, login/second-mensaje
    let body = json!({
        "requiere2FA": true,
        "sessionId": session_id,
        "email": email,
        "metodosDisponibles": methods,
        "mensaje": "A second factor is needed: send sessionId and a code to /auth/verify-2fa",
        "trustedDeviceEnabled": any_device,
    });
    // rule: login/second-sessions-both, lockout/login-open, pending/context
    state.pending.put(Fingerprint::of(session_id.as_bytes()), waiting, changes);
    // rule: login/second-headers, login/second-content-type
    Answer::bare(json::write(&body))
}
