//! Users with a second factor: enabling it, logging in up to the code, and the checks of codes.
//!
//! Sends no code twice for one user, so that a target may refuse what it has seen.

use serde_json::{Value, json};

use crate::case::Stop;
use crate::expect::{Reply, brief};
use crate::prepare::users::{MadeUser, Tokens};
use crate::request::Request;
use crate::totp;
use crate::trial::Trial;

/// What a target derives a device from, the peer address aside.
#[derive(Debug, Clone)]
pub struct Device {
    /// User-Agent.
    pub user_agent: String,
    /// Accept-Language.
    pub accept_language: String,
}

/// What enabling issued.
#[derive(Debug, Clone)]
pub struct Factor {
    /// The secret as answered.
    pub secret: String,
    /// The bytes it stands for.
    pub key: Vec<u8>,
    /// The backup codes as answered.
    pub backup_codes: Vec<String>,
}

impl Factor {
    /// Reads the answer to enabling.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when it has no secret of 20 bytes in hexadecimal digits.
    pub fn of(reply: &Reply) -> Result<Self, Stop> {
        let secret = reply.text_at("/secret");
        let key = hex::decode(&secret).unwrap_or_default();
        if key.len() != 20 {
            let why = format!("want 40 hexadecimal digits at /secret, got `{secret}`");
            return Err(blocked("enabling two-factor", why));
        }
        Ok(Self { secret, key, backup_codes: backup_codes_in(reply) })
    }

    /// The code of a step.
    pub fn code(&self, step: i64) -> String {
        totp::code(&self.key, step)
    }

    /// Six digits that are the code of no step near that one: another for each `nth`.
    pub fn wrong_code(&self, step: i64, nth: usize) -> String {
        let near: Vec<String> = (step - 10..=step + 10).map(|near| self.code(near)).collect();
        let candidates = (0..1_000_000).map(|number| format!("{:06}", (number * 7_919 + 13) % 1_000_000));
        candidates.filter(|code| !near.contains(code)).nth(nth).unwrap_or_default()
    }

    /// Ten characters that are none of the backup codes: others for each `nth`.
    pub fn wrong_backup_code(&self, nth: usize) -> String {
        let candidates = (0..).map(|number: u64| format!("{:010X}", 0xBA_DC0D_E000 + number));
        candidates.filter(|code| !self.backup_codes.contains(code)).nth(nth).unwrap_or_default()
    }

    /// A backup code, counted from 0.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when so many were not issued.
    pub fn backup_code(&self, index: usize) -> Result<&str, Stop> {
        let code = self.backup_codes.get(index).map(String::as_str);
        code.ok_or_else(|| {
            let why = format!("want a text at /backupCodes/{index}, got none");
            blocked("reading backup codes", why)
        })
    }
}

/// The texts of an answer's `backupCodes`.
pub fn backup_codes_in(reply: &Reply) -> Vec<String> {
    let codes = reply.at("/backupCodes");
    let texts = codes.as_ref().and_then(Value::as_array).into_iter().flatten();
    texts.filter_map(|code| code.as_str().map(str::to_owned)).collect()
}

/// A user with two-factor enabled.
#[derive(Debug, Clone)]
pub struct Enrolled {
    /// The user.
    pub user: MadeUser,
    /// Tokens issued before the second factor was enabled.
    pub tokens: Tokens,
    /// The second factor.
    pub factor: Factor,
}

impl Request<'_, '_> {
    /// Sends it from that device.
    #[must_use]
    pub fn device(self, device: &Device) -> Self {
        self.header("User-Agent", &device.user_agent).header("Accept-Language", &device.accept_language)
    }
}

impl Trial<'_> {
    /// The device of every login and verification that names no other. No other case has it: where a target mixes up the
    /// devices of users, only cases about that see it.
    pub fn laptop(&self) -> Device {
        let browser = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
        Device { user_agent: format!("{browser} {}", self.device_name()), accept_language: "es-CO,es;q=0.9".into() }
    }

    /// Another device of the case's own, which shares nothing with [`Self::laptop`].
    pub fn phone(&self) -> Device {
        let browser = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1";
        Device { user_agent: format!("{} {browser}", self.device_name()), accept_language: "de-DE,de;q=0.7".into() }
    }

    fn device_name(&self) -> String {
        format!("{}/{}", self.case().name, self.setting().nonce)
    }

    /// Registers a user, logs it in and enables two-factor.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when one of these fails.
    pub fn enroll(&self) -> Result<Enrolled, Stop> {
        self.enroll_as("user")
    }

    /// The same with a role.
    ///
    /// # Errors
    /// As [`Self::enroll`].
    pub fn enroll_as(&self, role: &str) -> Result<Enrolled, Stop> {
        let (user, tokens) = self.register_and_log_in(role)?;
        let factor = self.enable(&tokens)?;
        Ok(Enrolled { user, tokens, factor })
    }

    /// Enables two-factor, or replaces it.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when no secret comes.
    pub fn enable(&self, tokens: &Tokens) -> Result<Factor, Stop> {
        let reply = self.manage("POST", "enable", tokens).send()?;
        Factor::of(&reply.prepared("enabling two-factor", 200)?)
    }

    /// Disables two-factor.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target does not answer 200.
    pub fn disable(&self, tokens: &Tokens) -> Result<Reply, Stop> {
        let reply = self.manage("POST", "disable", tokens).send()?;
        reply.prepared("disabling two-factor", 200)
    }

    /// A request to a management route, named without `/2fa/`, with the right password in the body of a POST.
    pub fn manage(&self, method: &str, route: &str, tokens: &Tokens) -> Request<'_, '_> {
        let request = self.request(method, &format!("/2fa/{route}")).bearer(&tokens.session);
        if method == "POST" { request.json(&json!({ "password": crate::prepare::users::PASSWORD })) } else { request }
    }

    /// What a login from that device answers.
    ///
    /// # Errors
    /// [`Stop::Blocked`] unless that is 200.
    pub fn log_in_from(&self, user: &MadeUser, device: &Device) -> Result<Reply, Stop> {
        let body = json!({ "email": user.email, "password": user.password });
        let request = self.post("/auth/login").device(device).json(&body);
        request.send()?.prepared("logging in", 200)
    }

    /// Logs in from [`Self::laptop`] up to the code: the pending session's id.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target asks for no second factor.
    pub fn pend(&self, user: &MadeUser) -> Result<String, Stop> {
        self.pend_from(user, &self.laptop())
    }

    /// The same from another device.
    ///
    /// # Errors
    /// As [`Self::pend`].
    pub fn pend_from(&self, user: &MadeUser, device: &Device) -> Result<String, Stop> {
        pending_session(&self.log_in_from(user, device)?)
    }

    /// Sends a token for a pending session, from [`Self::laptop`], with nothing else in the body.
    ///
    /// # Errors
    /// [`Stop::NoAnswer`] when none comes.
    pub fn verify(&self, session: &str, token: &str) -> Result<Reply, Stop> {
        self.verification(&json!({ "sessionId": session, "token": token })).send()
    }

    /// The same with `trustDevice`.
    ///
    /// # Errors
    /// As [`Self::verify`].
    pub fn verify_trusting(&self, session: &str, token: &str, device: &Device) -> Result<Reply, Stop> {
        let body = json!({ "sessionId": session, "token": token, "trustDevice": true });
        self.post("/auth/verify-2fa").device(device).json(&body).send()
    }

    /// A verification from [`Self::laptop`] with that body.
    pub fn verification(&self, body: &Value) -> Request<'_, '_> {
        self.post("/auth/verify-2fa").device(&self.laptop()).json(body)
    }

    /// Logs in and sends a token that must be accepted; the tokens issued.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when it is not.
    pub fn log_in_with(&self, user: &MadeUser, token: &str) -> Result<Tokens, Stop> {
        let session = self.pend(user)?;
        tokens_in(&self.verify(&session, token)?)
    }

    /// Registers the device as trusted, by a login with that token.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the token is refused.
    pub fn trust(&self, user: &MadeUser, token: &str, device: &Device) -> Result<Tokens, Stop> {
        let session = self.pend_from(user, device)?;
        tokens_in(&self.verify_trusting(&session, token, device)?)
    }

    /// Sends a wrong token that must be refused.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when it is not.
    pub fn fail(&self, session: &str, token: &str) -> Result<(), Stop> {
        let reply = self.verify(session, token)?;
        reply.prepared("sending a wrong code", 400).map(|_| ())
    }

    /// Logs in once and fails so many checks with wrong time-based codes.
    ///
    /// # Errors
    /// As [`Self::fail`].
    pub fn fail_checks(&self, enrolled: &Enrolled, times: usize) -> Result<(), Stop> {
        let session = self.pend(&enrolled.user)?;
        let step = self.step()?;
        (0..times).try_for_each(|nth| self.fail(&session, &enrolled.factor.wrong_code(step, nth)))
    }
}

/// The session that the answer to a login opened.
///
/// # Errors
/// [`Stop::Blocked`] when there is none.
pub fn pending_session(reply: &Reply) -> Result<String, Stop> {
    let session = reply.text_at("/sessionId");
    if session.is_empty() {
        let why = format!("want a text at /sessionId, got {}", brief(&reply.received().text()));
        return Err(blocked("logging in up to the code", why));
    }
    Ok(session)
}

/// The tokens that a verification issued.
///
/// # Errors
/// [`Stop::Blocked`] when there are none.
pub fn tokens_in(reply: &Reply) -> Result<Tokens, Stop> {
    let reply = reply.clone().prepared("verifying a code", 200)?;
    let session = reply.text_at("/tokens/sessionToken");
    let jwt = reply.text_at("/tokens/jwtToken");
    if session.is_empty() || jwt.is_empty() {
        let why = format!("want two tokens, got {}", brief(&reply.received().text()));
        return Err(blocked("verifying a code", why));
    }
    Ok(Tokens { session, jwt })
}

fn blocked(step: &str, why: String) -> Stop {
    Stop::Blocked { step: step.into(), why }
}
