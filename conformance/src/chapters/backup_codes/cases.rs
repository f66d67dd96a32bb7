//! Backup codes that two use at once, in lower case, and of digits alone.

use crate::chapters::pending::cases::one_succeeds;
use crate::chapters::prelude::*;

cases! { "backup-codes";
    /// If two pending sessions send one backup code at the same moment, exactly one is completed.
    one_code_lets_one_of_two_in judges ["backup-codes/single-use"] => |cx| {
        // Each round fails once, and three failures block a user: hence two users.
        for enrolled in [two_factor::enroll(cx)?, two_factor::enroll(cx)?] {
            for round in 0..3 {
                let code = enrolled.backup_code(round)?;
                let sessions = [two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?];
                let replies = concurrency::simultaneously(2, |index| two_factor::verify(cx, &sessions[index], code))?;
                one_succeeds(&replies)?;
            }
        }
        Ok(())
    };
    /// A backup code in lower case is refused, and accepted in upper case.
    a_code_in_lower_case_is_refused judges ["backup-codes/lower-case"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let codes = &enrolled.factor.backup_codes;
        let lettered: Vec<_> = codes.iter().filter(|code| code.to_lowercase() != **code).collect();
        let [code, other, ..] = lettered[..] else {
            let why = format!("fewer than two among {}", codes.join(", "));
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
    /// A backup code that happens to consist of digits only is accepted.
    a_code_of_ten_digits_is_accepted judges ["backup-codes/ten-digits"] => |cx| {
        // One issue in fourteen has such a code.
        const ISSUES_MAX: usize = 400;
        let mut enrolled = two_factor::enroll(cx)?;
        for _ in 0..ISSUES_MAX {
            let is_digits = |code: &&String| code.bytes().all(|byte| byte.is_ascii_digit());
            if let Some(code) = enrolled.factor.backup_codes.iter().find(is_digits) {
                return two_factor::judge_in_new_login(cx, &enrolled, code, 200);
            }
            enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
        }
        let why = format!("none of {ISSUES_MAX} issues had a code of digits alone");
        Err(CaseError::blocked("enabling two-factor until a backup code has digits alone", why))
    };
}
