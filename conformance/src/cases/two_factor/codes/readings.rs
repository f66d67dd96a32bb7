//! What the documents leave open about codes: what counts as a failure, spelling, replay.

use serde_json::json;

use crate::cases;
use crate::cases::two_factor::codes::enrolled_with;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::http::reply::{Reply, reading};

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

fn whether_tokens_of_no_form_count(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    let session = t.pend(&enrolled.user)?;
    for token in ["sin-forma", "12345", "1234567"] {
        t.fail(&session, token)?;
    }
    let session = t.pend(&enrolled.user)?;
    let reply = t.verify(&session, &enrolled.factor.code(t.step()?))?;
    let readings =
        [("counts for both", reply.status() == 400), ("counts for the pending session alone", reply.status() == 200)];
    reading(t, "codes/other-forms-count", &readings, told(&reply))
}

fn converted(t: &Trial<'_>, reply: &Reply) -> Judged {
    let readings = [("invalid", reply.status() == 400), ("converted", reply.status() == 200)];
    reading(t, "codes/token-spelling", &readings, told(reply))
}

fn whether_codes_are_converted(t: &Trial<'_>) -> Judged {
    let (enrolled, step) = enrolled_with(t, |enrolled, step| !enrolled.factor.code(step).starts_with('0'))?;
    let code = enrolled.factor.code(step);
    let number: u32 = code.parse().map_err(|_| Stop::Broken("a code is not a number".into()))?;
    let session = t.pend(&enrolled.user)?;
    let body = json!({ "sessionId": session, "token": number });
    converted(t, &t.verification(&body).send()?)?;

    let enrolled = t.enroll()?;
    let code = enrolled.factor.code(t.step()?);
    let session = t.pend(&enrolled.user)?;
    converted(t, &t.verify(&session, &format!(" {code} "))?)
}

fn whether_a_code_may_be_used_twice(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    let code = enrolled.factor.code(t.step()?);
    t.log_in_with(&enrolled.user, &code)?;
    let session = t.pend(&enrolled.user)?;
    let reply = t.verify(&session, &code)?;
    let readings = [("accepted again", reply.status() == 200), ("refused, as RFC 6238 advises", reply.status() == 400)];
    reading(t, "codes/replay", &readings, told(&reply))
}
