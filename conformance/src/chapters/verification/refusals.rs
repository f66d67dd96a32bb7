//! What is refused: sessions that are none, tokens that are missing or wrong, other methods.

use crate::chapters::prelude::*;

cases! { "verification";
    /// A request without sessionId, or with one that is no text, is 400.
    without_a_session_id_it_is_refused judges ["verification/missing-session"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        // An open session, so that a target may not find none at all.
        two_factor::pending_session(cx, &enrolled.user)?;
        let code = enrolled.backup_code(0)?;
        let ids = [json!(null), json!(5), json!(true), json!({}), json!([])];
        let bodies = ids.map(|id| json!({ "sessionId": id, "token": code }));
        let without = [json!({ "token": code })];
        each_answers(400, without.iter().chain(&bodies).map(|body| two_factor::verification(cx, body)))
    };
    /// A sessionId that names no pending session is 400, whatever else it may name.
    an_unknown_session_id_is_refused judges ["verification/unknown-session"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let code = enrolled.backup_code(0)?;
        let (shorter, made_up) = (session.get(1..).unwrap_or_default(), "0123456789abcdef".repeat(4));
        for id in [&made_up, "nada", "", shorter, &enrolled.user.email, &enrolled.tokens.session] {
            two_factor::judge_check(cx, id, code, 400)?;
        }
        two_factor::pass_check(cx, &session, enrolled.backup_code(1)?, "verifying with the right session")
    };
    /// A request without token, or with null, is 400; the current code in the same session is accepted.
    without_a_token_it_is_refused judges ["verification/missing-token"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let bodies = [json!({ "sessionId": session }), json!({ "sessionId": session, "token": null })];
        each_answers(400, bodies.iter().map(|body| two_factor::verification(cx, body)))?;
        two_factor::pass_check(cx, &session, &enrolled.code(cx)?, "verifying the current code")
    };
    /// Three requests without token block the checks of the e-mail, or do not.
    whether_a_missing_token_counts judges ["verification/missing-token-counts"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        for _ in 0..3 {
            two_factor::verification(cx, &json!({ "sessionId": session })).send()?.prepared("sending no token", 400)?;
        }
        let status = two_factor::verify_anew(cx, &enrolled, enrolled.backup_code(0)?)?.status();
        cx.observe(&[("counted", status == 400), ("not-counted", status == 200)], status)
    };
    /// A wrong time-based code is 400 and brings no tokens.
    a_wrong_code_is_refused judges ["verification/invalid-code"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let step = totp_steps::current(cx)?;
        for nth in 0..2 {
            is_refused(cx, &session, &enrolled.factor.wrong_code(step, nth))?;
        }
        two_factor::pass_check(cx, &session, &enrolled.factor.code(step), "verifying the current code")
    };
    /// A wrong backup code is 400 and brings no tokens.
    a_wrong_backup_code_is_refused judges ["verification/invalid-code"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        // Of the right form, the second beyond the digits that are ever issued.
        for token in [enrolled.factor.wrong_backup_code(0), "ZYXWVUTSRQ".into()] {
            is_refused(cx, &session, &token)?;
        }
        two_factor::pass_check(cx, &session, enrolled.backup_code(0)?, "verifying a backup code")
    };
    /// The codes of another user are 400 and bring no tokens.
    the_codes_of_another_user_are_refused judges ["verification/invalid-code"] => |cx| {
        let (enrolled, mut other) = (two_factor::enroll(cx)?, two_factor::enroll(cx)?);
        let step = totp_steps::current(cx)?;
        let accepted: Vec<_> = (step - 2..=step + 3).map(|near| enrolled.factor.code(near)).collect();
        // Two random secrets may have a code in common; hardly the next one too.
        if accepted.contains(&other.factor.code(step)) {
            other.factor = two_factor::enable(cx, &other.tokens)?;
        }
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        is_refused(cx, &session, &other.factor.code(step))?;
        is_refused(cx, &session, other.backup_code(0)?)?;
        two_factor::pass_check(cx, &session, enrolled.backup_code(0)?, "verifying a backup code of one's own")
    };
    /// GET, HEAD, PUT, PATCH and DELETE are 405.
    other_methods_are_405 judges ["verification/non-post-405"]
        => |cx| each_answers(405, METHODS.map(|method| cx.request(method, "/auth/verify-2fa")));
    /// They are, with a body that a POST would be accepted with, and with one that is not JSON.
    other_methods_are_405_whatever_the_body judges ["verification/non-post-405"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let right = json!({ "sessionId": session, "token": enrolled.backup_code(0)? });
        let request = |method| cx.request(method, "/auth/verify-2fa").device(&two_factor::laptop(cx)).json(&right);
        each_answers(405, ["PUT", "PATCH", "DELETE"].map(request))
    };
    /// Any other method with malformed JSON as its body is 405, or 400.
    other_methods_are_405_before_the_body_is_read judges ["verification/method-before-body"] => |cx| {
        for method in ["PUT", "PATCH", "DELETE"] {
            let reply = cx.request(method, "/auth/verify-2fa").json_text(b"{\"sessionId\":").send()?;
            cx.observe(&[("405", reply.is(405)), ("400", reply.is(400))], reply.summary())?;
        }
        Ok(())
    };
}

/// A session of a new user refuses the token.
fn is_refused(cx: &CaseContext<'_>, session: &str, token: &str) -> CaseResult {
    two_factor::verify(cx, session, token)?.check().status(400)?.nothing_at("/tokens").map(drop)
}

const METHODS: [&str; 5] = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
