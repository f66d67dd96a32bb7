//! Answers that must come before a deadline on the target's clock: one that came later proves nothing, and all is done anew.

use crate::case::Stop;
use crate::expect::Reply;
use crate::trial::Trial;

impl Trial<'_> {
    /// The last answer of an attempt, which says beside it by when (milliseconds since 1970, the target's time) it had to
    /// come. An attempt makes everything it needs, users included, since it may be repeated.
    ///
    /// # Errors
    /// Those of the attempt, and [`Stop::Blocked`] when every one was too slow.
    pub fn in_time(&self, attempt: impl Fn() -> Result<(Reply, i64), Stop>) -> Result<Reply, Stop> {
        const ATTEMPTS: usize = 4;
        for _ in 0..ATTEMPTS {
            let (reply, deadline_ms) = attempt()?;
            if self.target_now()? <= deadline_ms {
                return Ok(reply);
            }
        }
        Err(Stop::Blocked {
            step: "sending a request shortly before a limit".into(),
            why: format!("the answer came after the limit {ATTEMPTS} times: the target is too slow"),
        })
    }
}
