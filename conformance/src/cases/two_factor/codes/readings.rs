//! What the documents leave open about codes: what counts as a failure, spelling, replay.

use serde_json::json;

use crate::cases;
use crate::cases::two_factor::codes::enrolled_with;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::http::reply::Reply;

cases! { "codes";
    /// Three tokens of no known form block the checks of the e-mail, or only end their session.
    whether_tokens_of_no_form_count judges ["codes/other-forms-count"];
    /// The current code as a JSON number, or with spaces: refused, or converted.
    whether_codes_are_converted judges ["codes/token-spelling"];
    /// A code that was accepted, sent again in its window: accepted, or refused.
    whether_a_code_may_be_used_twice judges ["codes/replay"];
}

fn told(reply: &Reply) -> String {
    format!("status {}", reply.status())
}

fn whether_tokens_of_no_form_count(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = cx.enroll()?;
    let session = cx.pending_session(&enrolled.user)?;
    for token in ["sin-forma", "12345", "1234567"] {
        cx.fail(&session, token)?;
    }
    let session = cx.pending_session(&enrolled.user)?;
    let reply = cx.verify(&session, &enrolled.factor.code(cx.step()?))?;
    let readings =
        [("counts for both", reply.status() == 400), ("counts for the pending session alone", reply.status() == 200)];
    cx.observe_rule("codes/other-forms-count", &readings, told(&reply))
}

fn converted(cx: &CaseContext<'_>, reply: &Reply) -> CaseResult {
    let readings = [("invalid", reply.status() == 400), ("converted", reply.status() == 200)];
    cx.observe_rule("codes/token-spelling", &readings, told(reply))
}

fn whether_codes_are_converted(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, step) = enrolled_with(cx, |enrolled, step| !enrolled.factor.code(step).starts_with('0'))?;
    let code = enrolled.factor.code(step);
    let number: u32 = code.parse().map_err(|_| CaseError::Broken("a code is not a number".into()))?;
    let session = cx.pending_session(&enrolled.user)?;
    let body = json!({ "sessionId": session, "token": number });
    converted(cx, &cx.verification(&body).send()?)?;

    let enrolled = cx.enroll()?;
    let code = enrolled.factor.code(cx.step()?);
    let session = cx.pending_session(&enrolled.user)?;
    converted(cx, &cx.verify(&session, &format!(" {code} "))?)
}

fn whether_a_code_may_be_used_twice(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = cx.enroll()?;
    let code = enrolled.factor.code(cx.step()?);
    cx.log_in_with(&enrolled.user, &code)?;
    let session = cx.pending_session(&enrolled.user)?;
    let reply = cx.verify(&session, &code)?;
    let readings = [("accepted again", reply.status() == 200), ("refused, as RFC 6238 advises", reply.status() == 400)];
    cx.observe_rule("codes/replay", &readings, told(&reply))
}
