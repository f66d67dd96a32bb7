//! What is refused: sessions that are none, tokens that are missing or wrong, other methods.

use crate::chapters::prelude::*;

cases! { "verification";
    /// A request without sessionId, or with one that is no text, is 400.
    without_a_session_id_it_is_refused judges ["verification/missing-session"];
    /// A sessionId that names no pending session is 400, whatever else it may name.
    an_unknown_session_id_is_refused judges ["verification/unknown-session"];
    /// A request without token, or with null, is 400; the current code in the same session is accepted.
    without_a_token_it_is_refused judges ["verification/missing-token"];
    /// Three requests without token block the checks of the e-mail, or do not.
    whether_a_missing_token_counts judges ["verification/missing-token-counts"];
    /// A wrong time-based code is 400 and brings no tokens.
    a_wrong_code_is_refused judges ["verification/invalid-code"];
    /// A wrong backup code is 400 and brings no tokens.
    a_wrong_backup_code_is_refused judges ["verification/invalid-code"];
    /// The codes of another user are 400 and bring no tokens.
    the_codes_of_another_user_are_refused judges ["verification/invalid-code"];
    /// GET, HEAD, PUT, PATCH and DELETE are 405.
    other_methods_are_405 judges ["verification/non-post-405"];
    /// They are, with a body that a POST would be accepted with, and with one that is not JSON.
    other_methods_are_405_whatever_the_body judges ["verification/non-post-405"];
    /// Any other method with malformed JSON as its body is 405, or 400.
    other_methods_are_405_before_the_body_is_read judges ["verification/method-before-body"];
}

fn without_a_session_id_it_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    // An open session, so that a target may not find none at all.
    two_factor::pending_session(cx, &enrolled.user)?;
    let code = enrolled.factor.backup_code(0)?;
    let ids = [json!(null), json!(5), json!(true), json!({}), json!([])];
    let bodies = ids.map(|id| json!({ "sessionId": id, "token": code }));
    for body in [json!({ "token": code })].iter().chain(&bodies) {
        two_factor::verification(cx, body).send()?.check().status(400)?;
    }
    Ok(())
}

fn an_unknown_session_id_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let code = enrolled.factor.backup_code(0)?;
    let shorter = session.get(1..).unwrap_or_default();
    let unknown = [
        "0123456789abcdef".repeat(4),
        "nada".into(),
        String::new(),
        shorter.to_owned(),
        enrolled.user.email.clone(),
        enrolled.tokens.session.clone(),
    ];
    for id in &unknown {
        two_factor::verify(cx, id, code)?.check().status(400)?;
    }
    let twin = two_factor::verify(cx, &session, enrolled.factor.backup_code(1)?)?;
    twin.prepared("verifying with the right session", 200).map(|_| ())
}

fn without_a_token_it_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    for body in [json!({ "sessionId": session }), json!({ "sessionId": session, "token": null })] {
        two_factor::verification(cx, &body).send()?.check().status(400)?;
    }
    let twin = two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))?;
    twin.prepared("verifying the current code", 200).map(|_| ())
}

fn whether_a_missing_token_counts(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    for _ in 0..3 {
        two_factor::verification(cx, &json!({ "sessionId": session })).send()?.prepared("sending no token", 400)?;
    }
    let status = two_factor::verify_anew(cx, &enrolled, enrolled.factor.backup_code(0)?)?.status();
    cx.observe(&[("counted", status == 400), ("not-counted", status == 200)], status)
}

/// A session of a new user refuses the token.
fn is_refused(cx: &CaseContext<'_>, session: &str, token: &str) -> CaseResult {
    two_factor::verify(cx, session, token)?.check().status(400)?.nothing_at("/tokens").map(drop)
}

fn a_wrong_code_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let step = totp_steps::current(cx)?;
    for nth in 0..2 {
        is_refused(cx, &session, &enrolled.factor.wrong_code(step, nth))?;
    }
    let twin = two_factor::verify(cx, &session, &enrolled.factor.code(step))?;
    twin.prepared("verifying the current code", 200).map(|_| ())
}

fn a_wrong_backup_code_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    // Of the right form, the second beyond the digits that are ever issued.
    for token in [enrolled.factor.wrong_backup_code(0), "ZYXWVUTSRQ".into()] {
        is_refused(cx, &session, &token)?;
    }
    let twin = two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?;
    twin.prepared("verifying a backup code", 200).map(|_| ())
}

fn the_codes_of_another_user_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, mut other) = (two_factor::enroll(cx)?, two_factor::enroll(cx)?);
    let step = totp_steps::current(cx)?;
    let accepted: Vec<_> = (step - 2..=step + 3).map(|near| enrolled.factor.code(near)).collect();
    // Two random secrets may have a code in common; hardly the next one too.
    if accepted.contains(&other.factor.code(step)) {
        other.factor = two_factor::enable(cx, &other.tokens)?;
    }
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    is_refused(cx, &session, &other.factor.code(step))?;
    is_refused(cx, &session, other.factor.backup_code(0)?)?;
    let twin = two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?;
    twin.prepared("verifying a backup code of one's own", 200).map(|_| ())
}

const METHODS: [&str; 5] = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];

fn other_methods_are_405(cx: &CaseContext<'_>) -> CaseResult {
    for method in METHODS {
        cx.request(method, "/auth/verify-2fa").send()?.check().status(405)?;
    }
    Ok(())
}

fn other_methods_are_405_whatever_the_body(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let right: Value = json!({ "sessionId": session, "token": enrolled.factor.backup_code(0)? });
    for method in ["PUT", "PATCH", "DELETE"] {
        let request = cx.request(method, "/auth/verify-2fa").device(&two_factor::laptop(cx));
        request.json(&right).send()?.check().status(405)?;
    }
    Ok(())
}

fn other_methods_are_405_before_the_body_is_read(cx: &CaseContext<'_>) -> CaseResult {
    for method in ["PUT", "PATCH", "DELETE"] {
        let reply = cx.request(method, "/auth/verify-2fa").json_text(b"{\"sessionId\":").send()?;
        cx.observe(&[("405", reply.is(405)), ("400", reply.is(400))], reply.summary())?;
    }
    Ok(())
}
