//! The secret of a second factor: its letter case, and that enabling again ends the earlier one.

use crate::chapters::prelude::*;

cases! { "two-factor";
    /// The letters of the secret and of sessionId are lower case, or upper case.
    the_letter_case_of_hexadecimal_digits judges ["two-factor/hex-case"] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        let secret = two_factor::enable(cx, &tokens)?.secret;
        let session = two_factor::pending_session(cx, &user)?;
        for (what, text) in [("the secret", secret), ("a pending session", session)] {
            let has = |is_case: fn(&char) -> bool| text.chars().any(|c| is_case(&c));
            let readings = [("lower", !has(char::is_ascii_uppercase)), ("upper", !has(char::is_ascii_lowercase))];
            cx.observe_of(what, &readings, text.clone())?;
        }
        Ok(())
    };
    /// Enabling two-factor again makes codes of the earlier secret refused and those of the new one accepted.
    enabling_again_ends_the_earlier_secret judges ["two-factor/enable-again"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let step = totp_steps::current(cx)?;
        let earlier = enrolled.factor.code(step);
        let mut factor = two_factor::enable(cx, &enrolled.tokens)?;
        // Two random secrets may have a code in common; hardly the next one too.
        if (step - 2..=step + 3).any(|near| factor.code(near) == earlier) {
            factor = two_factor::enable(cx, &enrolled.tokens)?;
        }
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &session, &earlier, 400)?;
        two_factor::judge_check(cx, &session, &factor.code(totp_steps::current(cx)?), 200)
    };
}
