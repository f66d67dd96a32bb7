//! The JWT of a verification, which names the user, `trustDevice` of every type, and the codes of another user.

use crate::chapters::devices::cases::devices;
use crate::chapters::prelude::*;
use crate::fixture::tokens::claims;
use crate::fixture::two_factor::tokens_in;
use crate::invariants::form::same_in_any_order;

cases! { "verification";
    /// The JWT issued by a verification names the user in its payload as that of a login does.
    the_jwt_names_the_user judges ["tokens/payload-identity"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let earlier = claims(&enrolled.tokens.jwt)?;
        let reply = two_factor::verify_anew(cx, &enrolled, enrolled.backup_code(0)?)?;
        let payload = claims(&tokens_in(&reply)?.jwt)?;
        for name in ["email", "userId", "role", "permissions"] {
            let (want, got) = (&earlier[name], &payload[name]);
            let want_told = format!("the {name} of the first login's, {want}");
            reply.check().that(same_in_any_order(got, want), Place::body("/tokens/jwtToken"), want_told, got)?;
        }
        Ok(())
    };
    /// A trustDevice that is not a boolean counts by its truthiness, as false, or is refused.
    whether_trust_device_of_another_type_counts judges ["verification/trust-other-type"] => |cx| {
        for (sent, is_truthy) in [(json!("si"), true), (json!(1), true), (json!(0), false)] {
            let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
            let body = json!({ "sessionId": session, "token": enrolled.backup_code(0)?, "trustDevice": sent });
            let reply = two_factor::verification(cx, &body).send()?;
            let is_accepted = reply.is(200);
            let is_registered = is_accepted && devices(cx, &enrolled.tokens)?.len() == 1;
            let (is_truth, is_false) = (is_accepted && is_registered == is_truthy, is_accepted && !is_registered);
            let readings = [("truthiness", is_truth), ("false", is_false), ("400", reply.is(400))];
            cx.observe(&readings, format!("status {} to {sent}, registered: {is_registered}", reply.status()))?;
        }
        Ok(())
    };
    /// A verification with the codes of another user is 400 and returns no tokens.
    the_codes_of_another_user_are_refused judges ["verification/invalid-code"] => |cx| {
        let (enrolled, mut other) = (two_factor::enroll(cx)?, two_factor::enroll(cx)?);
        let step = totp_steps::current(cx)?;
        let accepted: Vec<_> = (step - 2..=step + 3).map(|near| enrolled.factor.code(near)).collect();
        // Two random secrets may have a code in common; hardly the next one too.
        if accepted.contains(&other.factor.code(step)) {
            other.factor = two_factor::enable(cx, &other.tokens)?;
        }
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        for token in [&other.factor.code(step), other.backup_code(0)?] {
            two_factor::verify(cx, &session, token)?.check().status(400)?.nothing_at("/tokens")?;
        }
        two_factor::pass_check(cx, &session, enrolled.backup_code(0)?, "verifying a backup code of one's own")
    };
}
