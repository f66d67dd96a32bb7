//! Code checks: time-based codes, backup codes, the attempts of an e-mail and its lockout.

use super::super::clock::MINUTE_MS;
use super::super::secrets;
use super::super::state::{Attempt, BackupCode, State, TwoFactor};
use super::Exchange;

/// What a good code was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    Totp,
    Backup,
}

/// Checks a token against the record; a backup code that matches is used up.
pub(crate) fn check(exchange: &Exchange<'_>, record: &mut TwoFactor, token: &str) -> Option<Method> {
    if exchange.reads("codes-not-replayed") && record.last_code.as_deref() == Some(token) {
        return None;
    }
    let digits = token.bytes().all(|b| b.is_ascii_digit());
    let totp_form = match token.len() {
        6 => digits,
        5 => digits && exchange.on("codes-of-5-digits-padded"),
        7 => digits && exchange.on("codes-of-7-digits-cut"),
        _ => false,
    };
    if totp_form {
        let token = format!("{token:0>6}");
        let good = totp(exchange, &record.secret, &token[..6]);
        if good {
            record.last_code = Some(token);
        }
        return good.then_some(Method::Totp);
    }
    let token = if exchange.on("backup-codes-in-any-case") { token.to_uppercase() } else { token.to_owned() };
    let form = token.len() == 10 && token.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if !form || exchange.on("ten-digits-refused") && digits {
        return None;
    }
    let hash = secrets::hash(&token);
    let spent_all = exchange.on("backup-code-spends-all");
    let code = record
        .codes
        .iter_mut()
        .find(|code| code.hash == hash && (!code.used || exchange.on("backup-codes-reusable")))?;
    code.used = true;
    if spent_all {
        record.codes.iter_mut().for_each(|code| code.used = true);
    }
    Some(Method::Backup)
}

/// Whether the six digits are the code of the previous, the current or the next step.
fn totp(exchange: &Exchange<'_>, secret: &str, token: &str) -> bool {
    let step_s = exchange.pick("code-step-of-60-seconds", 60, 30);
    let now = exchange.now() / 1000 / step_s;
    let back = match () {
        () if exchange.on("code-of-previous-step-refused") => 0,
        () if exchange.on("code-of-two-steps-ago-accepted") => 2,
        () => 1,
    };
    let ahead = match () {
        () if exchange.on("code-of-next-step-refused") => 0,
        () if exchange.on("code-of-two-steps-ahead-accepted") => 2,
        () => 1,
    };
    (now - back..=now + ahead).any(|step| code(exchange, secret, step) == token)
}

/// RFC 4226 over the number of the step.
fn code(exchange: &Exchange<'_>, secret: &str, step: i64) -> String {
    let key = if exchange.on("code-key-is-the-text") {
        secret.as_bytes().to_vec()
    } else {
        hex::decode(secret).unwrap_or_default()
    };
    let message = step.to_be_bytes();
    let digest = if exchange.on("code-by-sha256") {
        secrets::hmac_sha256(&key, &message)
    } else {
        secrets::hmac_sha1(&key, &message)
    };
    let offset = usize::from(digest.last().copied().unwrap_or(0) & 0x0f);
    let word = digest.get(offset..offset + 4).unwrap_or(&[0; 4]);
    let number = word.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff;
    let number = number % 1_000_000;
    if exchange.on("code-loses-leading-zeros") { number.to_string() } else { format!("{number:06}") }
}

/// Issues backup codes: what is shown, and what is kept.
pub(crate) fn issue(exchange: &Exchange<'_>) -> (Vec<String>, Vec<BackupCode>) {
    let count = exchange.pick("backup-codes-are-7", 7, 8);
    let bytes = exchange.pick("backup-codes-of-8-characters", 4, 5);
    let shown: Vec<String> = (0..count).map(|_| secrets::random_hex(bytes).to_uppercase()).collect();
    let kept = shown.iter().map(|code| BackupCode { hash: secrets::hash(code), used: false }).collect();
    if exchange.on("backup-codes-shown-in-lower-case") {
        return (shown.iter().map(|code| code.to_lowercase()).collect(), kept);
    }
    (shown, kept)
}

/// Remembers a code check; at most 50 are kept for an e-mail.
pub(crate) fn remember(state: &mut State, email: &str, now: i64, good: bool) {
    state.attempts.push(Attempt { email: email.to_owned(), at: now, good });
    let of_email = state.attempts.iter().filter(|attempt| attempt.email == email).count();
    if of_email > 50
        && let Some(oldest) = state.attempts.iter().position(|attempt| attempt.email == email)
    {
        state.attempts.remove(oldest);
    }
}

/// Forgets the failures of a block that has ended: called where there is none now.
pub(crate) fn forget_ended_block(exchange: &Exchange<'_>, state: &mut State, email: &str) {
    if Failures::of(exchange, state, email).block_end(exchange).is_some() {
        state.attempts.retain(|attempt| attempt.email != email);
    }
}

/// Whether the e-mail is blocked: the third failure within 60 minutes blocks until 15 minutes after the last failure.
pub(crate) fn blocked(exchange: &Exchange<'_>, state: &State, email: &str, backup: bool) -> bool {
    if exchange.on("lockout-missing") || backup && exchange.on("lockout-spares-backup-codes") {
        return false;
    }
    let failures = Failures::of(exchange, state, email);
    if exchange.reads("failures-counted-at-every-check")
        && failures.within_window(failures.at.len(), exchange.now()).len() < failures.enough
    {
        return false;
    }
    failures.block_end(exchange).is_some_and(|end| exchange.now() < end)
}

/// The failures of an e-mail, oldest first, and how they block.
struct Failures {
    at: Vec<i64>,
    window: i64,
    enough: usize,
}

impl Failures {
    fn of(exchange: &Exchange<'_>, state: &State, email: &str) -> Self {
        let attempts = state.attempts.iter().filter(|attempt| !attempt.good);
        let own = attempts.filter(|attempt| attempt.email == email || exchange.on("lockout-of-everybody"));
        let window = match () {
            () if exchange.on("lockout-counts-forever") => i64::MAX,
            () if exchange.on("lockout-counts-90-minutes") => 90 * MINUTE_MS,
            () => 60 * MINUTE_MS,
        };
        let enough = match () {
            () if exchange.on("lockout-after-4-failures") => 4,
            () if exchange.on("lockout-after-2-failures") => 2,
            () => 3,
        };
        Self { at: own.map(|attempt| attempt.at).collect(), window, enough }
    }

    /// Those of the first `count` that are no older than the window at that time.
    fn within_window(&self, count: usize, now: i64) -> &[i64] {
        let known = &self.at[..count];
        let recent = known.iter().position(|at| now - at <= self.window).unwrap_or(count);
        &known[recent..]
    }

    /// When the latest block ends, or ended; `None` when there was none. One failure after the other is gone through.
    fn block_end(&self, exchange: &Exchange<'_>) -> Option<i64> {
        let minutes = match () {
            () if exchange.on("lockout-lasts-10-minutes") => 10,
            () if exchange.on("lockout-lasts-20-minutes") => 20,
            () => 15,
        };
        let mut end = None;
        for (index, at) in self.at.iter().enumerate() {
            let recent = self.within_window(index + 1, *at);
            let from = if exchange.on("lockout-from-first-failure") { recent[0] } else { *at };
            // A failure during a block, where there are such, prolongs it however many the hour holds.
            if recent.len() >= self.enough || end.is_some_and(|end| *at < end) {
                end = Some(from + minutes * MINUTE_MS);
            }
        }
        end
    }
}
