//! The JWT of a verification, which names the user, and `trustDevice` of every type.

use crate::chapters::devices::cases::devices;
use crate::chapters::prelude::*;
use crate::fixture::tokens::claims;
use crate::fixture::two_factor::tokens_in;
use crate::invariants::form::same_in_any_order;

cases! { "verification";
    /// The JWT issued by a verification names the user in its payload as that of a login does.
    the_jwt_names_the_user judges ["tokens/payload-identity"] => |cx| {
        for role in ["user", "moderator", "admin"] {
            let enrolled = two_factor::enroll_as(cx, role)?;
            let earlier = claims(&enrolled.tokens.jwt)?;
            let reply = two_factor::verify_anew(cx, &enrolled, enrolled.backup_code(0)?)?;
            let payload = claims(&tokens_in(&reply)?.jwt)?;
            for name in ["email", "userId", "role", "permissions"] {
                let (want, got) = (&earlier[name], &payload[name]);
                let want_told = format!("the {name} of the first login's, {want}");
                reply.check().that(same_in_any_order(got, want), Place::body("/tokens/jwtToken"), want_told, got)?;
            }
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
}
