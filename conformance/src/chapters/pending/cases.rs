//! Sessions between the password and the second factor: two codes at the same moment.

use crate::chapters::prelude::*;

cases! { "pending";
    /// If two right codes are sent at the same moment for one pending session, exactly one completes it.
    a_session_is_completed_once_by_two_at_once judges ["pending/success-removes"] => |cx| {
        for enrolled in [two_factor::enroll(cx)?, two_factor::enroll(cx)?] {
            for round in 0..3 {
                let session = two_factor::pending_session(cx, &enrolled.user)?;
                let codes = [enrolled.backup_code(2 * round)?, enrolled.backup_code(2 * round + 1)?];
                let replies = concurrency::simultaneously(2, |index| two_factor::verify(cx, &session, codes[index]))?;
                one_succeeds(&replies)?;
            }
        }
        Ok(())
    };
}

/// Of two verifications sent at the same moment one succeeds.
pub(crate) fn one_succeeds(replies: &[Reply]) -> CaseResult {
    let mut statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    statuses.sort_unstable();
    let (is_one, got) = (statuses == [200, 400], format!("{statuses:?}"));
    replies[0].check().that(is_one, Place::STATUS.of("two at once"), "200 to one, 400 to the other", got).map(drop)
}
