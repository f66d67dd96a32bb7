//! Backup codes: how many, of what form, and what regenerating does to earlier ones. An accepted code is gone, also
//! when two use it at once; a code refused for another reason is not.

use crate::chapters::pending::cases::one_succeeds;
use crate::chapters::prelude::*;
use crate::fixture::two_factor::Factor;

cases! { "backup-codes";
    /// A code that was accepted is still refused a day later.
    a_used_code_is_refused_a_day_later judges ["backup-codes/single-use"] needs [Need::Clock] => |cx| {
        const DAY_S: f64 = 86_400.0;
        let enrolled = two_factor::enroll(cx)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(3)?)?;
        cx.advance(DAY_S)?;
        is_refused(cx, &enrolled, 3, 4)
    };
    /// Of two who use one code at the same moment, in sessions of their own, exactly one gets in.
    one_code_lets_one_of_two_in judges ["backup-codes/single-use"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        // Three rounds make three failures; the third cannot block anyone any more.
        for round in 0..3 {
            let code = enrolled.backup_code(round)?;
            let sessions = two_factor::two_pending_sessions(cx, &enrolled.user)?;
            let replies = concurrency::simultaneously(2, |index| two_factor::verify(cx, &sessions[index], code))?;
            one_succeeds(&replies)?;
        }
        Ok(())
    };
    /// A code sent for sessions that are unknown or completed is still accepted afterwards.
    a_code_for_a_session_that_is_none_stays_unused judges ["backup-codes/refused-stays-unused"] => |cx| {
        let enrolled = enrolled_by_jwt(cx)?;
        let code = enrolled.backup_code(0)?;
        two_factor::fail_check(cx, &"0".repeat(64), code)?;
        two_factor::judge_anew(cx, &enrolled, code, 200)?;

        let completed = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::pass_check(cx, &completed, enrolled.backup_code(1)?, "completing a session")?;
        let code = enrolled.backup_code(2)?;
        two_factor::fail_check(cx, &completed, code)?;
        two_factor::judge_anew(cx, &enrolled, code, 200)
    };
    /// A code sent for a session that expired is still accepted afterwards.
    a_code_for_an_expired_session_stays_unused judges ["backup-codes/refused-stays-unused"] needs [Need::Clock] => |cx| {
        const PAST_10_MINUTES_S: f64 = 602.0;
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        cx.advance(PAST_10_MINUTES_S)?;
        let code = enrolled.backup_code(0)?;
        two_factor::fail_check(cx, &session, code)?;
        two_factor::judge_anew(cx, &enrolled, code, 200)
    };
    /// A code sent while the e-mail is blocked is still accepted when the block is over.
    a_code_sent_while_blocked_stays_unused judges ["backup-codes/refused-stays-unused"] needs [Need::Clock] => |cx| {
        // Long enough also where the try itself prolongs the block.
        const PAST_15_MINUTES_S: f64 = 902.0;
        let enrolled = two_factor::enroll(cx)?;
        two_factor::fail_checks(cx, &enrolled, 3)?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        let code = enrolled.backup_code(0)?;
        two_factor::fail_check(cx, &session, code)?;
        cx.advance(PAST_15_MINUTES_S)?;
        two_factor::judge_anew(cx, &enrolled, code, 200)
    };
    /// A code in lower case is refused, the same in upper case accepted.
    a_code_in_lower_case_is_refused judges ["backup-codes/lower-case"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let codes = &enrolled.factor.backup_codes;
        let lettered: Vec<_> = codes.iter().filter(|code| code.to_lowercase() != **code).collect();
        let [code, other, ..] = lettered[..] else {
            let why = format!("there are none among {}", codes.join(", "));
            return Err(CaseError::blocked("finding two backup codes with capital letters", why));
        };
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &session, &code.to_lowercase(), 400)?;
        // One letter is enough.
        let letter = other.find(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
        let (head, tail) = other.split_at(letter + 1);
        let mixed = format!("{}{tail}", head.to_lowercase());
        two_factor::judge_check(cx, &session, &mixed, 400)?;
        two_factor::pass_check(cx, &session, code, "verifying the code in upper case")
    };
    /// A code that happens to have digits alone is accepted.
    a_code_of_ten_digits_is_accepted judges ["backup-codes/ten-digits"] => |cx| {
        // One issue in fourteen has such a code.
        const ISSUES_MAX: usize = 400;
        let mut enrolled = two_factor::enroll(cx)?;
        for _ in 0..ISSUES_MAX {
            let is_digits = |code: &&String| code.bytes().all(|byte| byte.is_ascii_digit());
            if let Some(code) = enrolled.factor.backup_codes.iter().find(is_digits) {
                return two_factor::judge_anew(cx, &enrolled, code, 200);
            }
            enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
        }
        let why = format!("none had in {ISSUES_MAX} issues");
        Err(CaseError::blocked("enabling two-factor until a backup code has digits alone", why))
    };
}

/// A used code is refused, and another accepted after it.
fn is_refused(cx: &CaseContext<'_>, enrolled: &Enrolled, used: usize, unused: usize) -> CaseResult {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::judge_check(cx, &session, enrolled.backup_code(used)?, 400)?;
    two_factor::pass_check(cx, &session, enrolled.backup_code(unused)?, "verifying an unused backup code")
}

/// As `enroll`, with the other credential that users have.
fn enrolled_by_jwt(cx: &CaseContext<'_>) -> CaseResult<Enrolled> {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    let reply = cx.post("/2fa/enable").jwt(&tokens.jwt).json(&json!({ "password": user.password })).send()?;
    let factor = Factor::parse(&reply.prepared("enabling two-factor", 200)?)?;
    Ok(Enrolled { user, tokens, factor })
}
