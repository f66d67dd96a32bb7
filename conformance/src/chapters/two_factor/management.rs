//! Switching the second factor on, its status, and regenerating backup codes. What that does to the codes is in the chapter backup-codes.

use crate::chapters::prelude::*;

cases! { "two-factor";
    /// Each route acts on the user of its credential, not on one named in the body, and leaves others as they were.
    each_route_acts_on_its_own_user judges ["two-factor/own-user"] => |cx| {
        let (other, others) = users::register_and_log_in(cx, "user")?;
        let (_, own) = users::register_and_log_in(cx, "user")?;
        // The key email may be refused: then nothing is done for any user.
        let named = json!({ "password": other.password, "email": other.email });
        let rounds = [("enable", false), ("enable", true), ("disable", true), ("regenerate-backup-codes", true)];
        let mut factor = None;
        for (nth, (route, was)) in rounds.into_iter().enumerate() {
            if was && factor.is_none() {
                factor = Some(two_factor::enable(cx, &others)?);
            }
            two_factor::enable(cx, &own)?;
            two_factor::manage_with(cx, route, &own, &named).send()?;
            let is = two_factor::status(cx, &others)?.at("/habilitado").unwrap_or_default();
            cx.check(is == json!(was), format!("the other user after {route}"), was, is)?;
            // Neither its secret nor its codes are others: one of them still lets it in.
            if let Some(factor) = &factor {
                let session = two_factor::pending_session(cx, &other)?;
                let status = two_factor::verify(cx, &session, factor.backup_code(nth)?)?.status();
                cx.check(status == 200, format!("a backup code of the other user after {route}"), 200, status)?;
            }
        }
        Ok(())
    };
    /// The letters of the secret and of a pending session are lower case, or upper.
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
    /// After enabling again the codes of the earlier secret are refused, those of the new one accepted.
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
