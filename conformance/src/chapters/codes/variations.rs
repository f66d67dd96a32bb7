//! Variations of the chapter codes.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "code-key-is-the-text" breaks "codes/key": "Codes are computed with the hexadecimal text of the secret instead of its bytes."
        => steps |s| s.two_factor.codes.key = |secret| secret.as_bytes().to_vec();
    "code-by-sha256" breaks "codes/algorithm": "Codes are computed with SHA256."
        => steps |s| s.two_factor.codes.mac = secrets::hmac_sha256;
    "code-step-of-60-seconds" breaks "codes/step": "A step of time-based codes lasts 60 seconds."
        => steps |s| s.two_factor.codes.step_seconds = 60;
    "code-loses-leading-zeros" breaks "codes/digits": "A code with leading zeros is refused."
        => steps |s| s.two_factor.codes.digits = |code| code.to_string();
    "code-of-previous-step-refused" breaks "codes/previous-step": "The code of the previous step is refused."
        => steps |s| s.two_factor.codes.steps = 0..=1;
    "code-of-next-step-refused" breaks "codes/next-step": "The code of the next step is refused."
        => steps |s| s.two_factor.codes.steps = -1..=0;
    "code-of-two-steps-ago-accepted" breaks "codes/too-old": "The code of two steps ago is accepted."
        => steps |s| s.two_factor.codes.steps = -2..=1;
    "code-of-two-steps-ahead-accepted" breaks "codes/too-early": "The code of two steps ahead is accepted."
        => steps |s| s.two_factor.codes.steps = -1..=2;
    "codes-of-5-digits-padded" breaks "codes/other-lengths": "A code of five digits is accepted with a zero before it."
        => request |request| respell_token(request, |token| if token.len() == 5 { format!("0{token}") } else { token.to_owned() });
    "codes-of-7-digits-cut" breaks "codes/other-lengths": "The first six digits of a longer code count."
        => request |request| respell_token(request, |token| token.get(..6).filter(|_| token.len() == 7).unwrap_or(token).to_owned());
    "odd-token-is-500" breaks "codes/other-forms": "A token in neither form of a code answers 500."
        => reply |request, reply| if is_wrong(request, reply, is_odd) { reply.status = 500 };
    "token-spaces-passed-over" breaks "codes/token-spaces": "Spaces in a code are skipped."
        => request |request| respell_token(request, |token| token.replace(' ', ""));
    "line-end-of-a-code-passed-over" breaks "codes/other-forms": "A line end after a code is ignored."
        => request |request| respell_token(request, |token| token.trim_end_matches('\n').to_owned());
    "codes-read-as-numbers" breaks "codes/other-lengths": "A code is read as a number: zeros before it make no difference."
        => request |request| respell_token(request, |token| token.strip_prefix('0').filter(|rest| rest.len() == 6).unwrap_or(token).to_owned());
    "tokens-of-other-types-are-500" breaks "codes/other-forms": "A token that is not a string answers 500."
        => reply |request, reply| if request.is("POST", "/auth/verify-2fa") && reply.status == 400 && !matches!(request.json_body()["token"], Value::Null | Value::String(_)) { reply.status = 500 };
    "codes-not-replayed" by "codes/replay": "A time-based code is accepted only once."
        => around |state, request, answer| {
            let email = pending_email(state, request).unwrap_or_default();
            let token = token_of(request).unwrap_or_default();
            let mut seen = request.clone();
            if state.past.has(&email, &token) {
                seen.edit(|sent| sent["token"] = json!("******"));
            }
            let reply = answer(state, &seen);
            if reply.json_body()["metodo2FA"] == "totp" {
                // The code that was accepted last, not all of them.
                state.past.notes.retain(|(name, _)| *name != email);
                state.past.note(&email, &token);
            }
            reply
        };
    "odd-tokens-spare-the-lockout" by "codes/other-forms-count": "A token in neither form of a code counts for its pending session, not for the lockout."
        => after |state, request, reply| if is_wrong(request, reply, is_odd) { state.attempts.pop(); };
    "odd-tokens-uncounted" by "codes/other-forms-count": "A token in neither form of a code does not count as a failed attempt."
        => after |state, request, reply| if is_wrong(request, reply, is_odd) { uncount(state, request) };
    "tokens-spelled-freely" by "codes/token-spelling": "A code may be sent as a JSON number."
        => request |request| if request.is("POST", "/auth/verify-2fa") { request.edit(spell_token) };
};

/// Whether a token has neither the length of a code nor that of a backup code.
fn is_odd(token: Option<&str>) -> bool {
    token.is_some_and(|token| !matches!(token.len(), 6 | 10))
}

fn spell_token(sent: &mut Value) {
    if let Value::Number(number) = &sent["token"] {
        sent["token"] = json!(format!("{:0>6}", number.to_string()));
    }
}
