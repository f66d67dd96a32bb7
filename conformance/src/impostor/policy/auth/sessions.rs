//! Login and the session tokens it issues. The default is right.

use super::{Access, Rights};
use crate::impostor::model::accounts::session;
use crate::impostor::model::records::User;

/// What happens at a login.
#[derive(Clone, Debug)]
pub(crate) struct LoginPolicy {
    pub(crate) access: Access,
    pub(crate) wrong_passwords: WrongPasswords,
    /// Whether the second factor is asked for, by whether it is enabled and whether the device is trusted.
    pub(crate) asks_second_factor: fn(bool, bool) -> bool,
    /// What twoFactorEnabled says.
    pub(crate) told_enabled: fn(&User) -> bool,
    /// The id of a new pending login, by that of an earlier one.
    pub(crate) pending_id: fn(Option<&str>) -> String,
    pub(crate) ends_earlier_pending: bool,
    pub(crate) second_shape: SecondShape,
}

impl Default for LoginPolicy {
    fn default() -> Self {
        Self {
            access: Access::default(),
            wrong_passwords: WrongPasswords::default(),
            asks_second_factor: |enabled, trusted| enabled && !trusted,
            told_enabled: |user| user.two_factor.as_ref().is_some_and(|record| record.enabled),
            pending_id: session::new_token,
            ends_earlier_pending: false,
            second_shape: SecondShape::default(),
        }
    }
}

/// What wrong passwords do to their e-mail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum WrongPasswords {
    #[default]
    Nothing,
    /// The third one blocks it.
    Block,
    /// From the tenth on it must wait.
    Wait,
}

/// The headers of the answer that asks for the second factor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum SecondShape {
    #[default]
    ContentTypeAlone,
    EveryGroup,
}

/// What session tokens are and may.
#[derive(Clone, Debug)]
pub(crate) struct SessionPolicy {
    /// A new token, by an earlier one of the user.
    pub(crate) token: fn(Option<&str>) -> String,
    pub(crate) ends_earlier: bool,
    /// Whether a session opens what it may, by the User-Agent of its login and that of its use.
    pub(crate) follows: fn(&str, &str) -> bool,
    pub(crate) first_minutes: i64,
    /// When a session ends, by when it ended before, the time of its use and the path.
    pub(crate) end_after_use: fn(i64, i64, &str) -> i64,
    /// Whether the use of one extends all of its user.
    pub(crate) use_extends_all: bool,
    /// Whether the id of a pending login is one, too.
    pub(crate) takes_pending: bool,
    pub(crate) expired: Expired,
    pub(crate) rights: Rights,
    pub(crate) denied: Denied,
}

impl Default for SessionPolicy {
    fn default() -> Self {
        Self {
            token: session::new_token,
            ends_earlier: false,
            follows: |_, _| true,
            first_minutes: 60,
            end_after_use: session::end_after_use,
            use_extends_all: false,
            takes_pending: false,
            expired: Expired::default(),
            rights: Rights::OfUser,
            denied: Denied::default(),
        }
    }
}

/// What the use of an expired session comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Expired {
    #[default]
    Removed,
    /// Removed, and all others of the user with it.
    RemovedWithOthers,
    /// Refused, and alive again.
    Revived,
    LetIn,
}

/// What a use that lacks the permission does to the session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Denied {
    #[default]
    LeavesIt,
    Extends,
    Removes,
}
