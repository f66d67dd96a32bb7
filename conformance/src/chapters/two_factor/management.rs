//! The letter case of a secret and of a pending session.

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
}
