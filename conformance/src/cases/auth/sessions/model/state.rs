//! The model: what the documents let one expect of users, sessions and tokens, and which rule is broken where it is not so.
//!
//! Knows no target: it is told what was done and when. Moments are spans, since a request takes time; what falls between
//! the two ends of a span is expected to go either way, and taken as it comes.

use crate::cases::auth::permissions::permission_sets::{ALL, MODERATOR, USER};
use crate::fixture::time::{HOUR_MS, MINUTE_MS, SECOND_MS, Span};

/// The roles users register with, and what each may do.
pub(super) const ROLES: [(&str, &str); 4] = [
    ("user", "permissions/role-user"),
    ("moderator", "permissions/role-moderator"),
    ("admin", "permissions/role-admin"),
    ("bibliotecaria", "permissions/role-other"),
];

const HALF_HOUR_MS: i64 = 30 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Whether a credential lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// It does.
    In,
    /// It does not.
    Out,
    /// Its end lies within the moment of the request.
    Either,
}

/// A user as registered: numbers into the tables of steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct User {
    pub(super) role: usize,
    pub(super) password: usize,
    /// Somebody tried to register its e-mail again.
    pub(super) is_contested: bool,
}

impl User {
    /// Whether it holds the permission a route takes.
    pub(super) fn holds(self, permission: Option<&str>) -> bool {
        let held = match ROLES[self.role].0 {
            "admin" => &ALL[..],
            "moderator" => MODERATOR,
            _ => USER,
        };
        permission.is_none_or(|permission| held.contains(&permission))
    }

    /// The rule that says what its role holds.
    pub(super) fn role_rule(self) -> &'static str {
        ROLES[self.role].1
    }
}

/// What has happened to a session since its login or last use, the latest such thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Since {
    Nothing,
    AnotherLogin,
    Denial,
    Patch,
}

/// What a session was used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Reading books.
    Reading,
    /// Something that ended in 404.
    Failing,
    /// Something under `/2fa` or `/auth`.
    Elsewhere,
}

#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) token: String,
    pub(super) user: usize,
    /// When it ends.
    pub(super) end: Span,
    created: Span,
    latest_use: Option<Use>,
    /// It was tried after its end.
    is_removed: bool,
    since: Since,
}

impl Session {
    /// A session of that user (a number into the users of the sequence) from a login at that moment.
    pub(super) fn new(token: String, user: usize, created: Span) -> Self {
        Self {
            token,
            user,
            end: later(created, HOUR_MS),
            created,
            latest_use: None,
            is_removed: false,
            since: Since::Nothing,
        }
    }

    /// Whether it is good at that moment, for who holds the permission.
    pub(super) fn expected(&self, at: Span, holds: bool) -> Expected {
        if !holds || self.is_removed || at.from > self.end.to {
            Expected::Out
        } else if at.to <= self.end.from {
            Expected::In
        } else {
            Expected::Either
        }
    }

    /// A request that looked at it, for that use, came out so at that moment.
    pub(super) fn tried(&mut self, at: Span, wanted: Use, holds: bool, is_in: bool) {
        if is_in {
            self.end = later(at, HALF_HOUR_MS);
            self.latest_use = Some(wanted);
            self.since = Since::Nothing;
        } else if holds || at.from > self.end.to {
            self.is_removed = true;
        } else {
            self.since = Since::Denial;
        }
    }

    /// A request with it that looks at no credential.
    pub(super) fn passed_by(&mut self) {
        self.since = Since::Patch;
    }

    /// Its user logged in once more.
    pub(super) fn joined_by_another(&mut self) {
        if self.since == Since::Nothing {
            self.since = Since::AnotherLogin;
        }
    }

    /// The rule that is broken where it is refused at that moment, although it is good.
    pub(super) fn wrongly_out(&self, at: Span) -> &'static str {
        let is_fresh = at.to - self.created.to < SECOND_MS;
        match (self.since, self.latest_use) {
            (Since::Denial, _) => "sessions/denied-keeps-expiry",
            (Since::Patch, _) => "sessions/unsupported-method-keeps-expiry",
            (Since::AnotherLogin, _) => "sessions/distinct",
            (Since::Nothing, Some(Use::Failing)) => "sessions/use-then-failure",
            (Since::Nothing, Some(Use::Elsewhere)) => "sessions/use-anywhere",
            (Since::Nothing, Some(Use::Reading)) => "sessions/use-extends",
            (Since::Nothing, None) if is_fresh => "sessions/accepted",
            (Since::Nothing, None) => "sessions/first-hour",
        }
    }

    /// The rule that is broken where it is let in at that moment, although it is over.
    pub(super) fn wrongly_in(&self, at: Span) -> &'static str {
        let is_in_first_hour = at.from < self.created.to + HOUR_MS;
        match (self.since, self.latest_use) {
            _ if self.is_removed => "sessions/removed",
            (Since::Denial, _) => "sessions/denied-keeps-expiry",
            (Since::Patch, _) => "sessions/unsupported-method-keeps-expiry",
            (_, Some(Use::Failing)) => "sessions/use-then-failure",
            (_, Some(Use::Elsewhere)) => "sessions/use-anywhere",
            (_, Some(Use::Reading)) if is_in_first_hour => "sessions/use-shortens",
            (_, Some(Use::Reading)) => "sessions/use-extends",
            (_, None) => "sessions/first-hour",
        }
    }
}

/// A JWT-style token.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) token: String,
    pub(super) user: usize,
    /// When it ends.
    pub(super) end: Span,
}

impl Token {
    /// A token of that user from a login at that moment; its times are in whole seconds.
    pub(super) fn new(token: String, user: usize, created: Span) -> Self {
        let second = |ms: i64| ms.div_euclid(SECOND_MS) * SECOND_MS;
        let issued = Span { from: second(created.from), to: second(created.to) };
        Self { token, user, end: later(issued, DAY_MS) }
    }

    /// Whether it is good at that moment, for who holds the permission.
    pub(super) fn expected(&self, at: Span, holds: bool) -> Expected {
        if !holds || at.from >= self.end.to {
            Expected::Out
        } else if at.to < self.end.from {
            Expected::In
        } else {
            Expected::Either
        }
    }

    /// The rule that is broken where it is refused at that moment, although it is good.
    pub(super) fn wrongly_out(&self, at: Span) -> &'static str {
        if at.to - (self.end.to - DAY_MS) < 2 * SECOND_MS { "tokens/accepted" } else { "tokens/day" }
    }
}

fn later(span: Span, by_ms: i64) -> Span {
    Span { from: span.from + by_ms, to: span.to + by_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Span {
        Span { from: ms, to: ms }
    }

    #[test]
    fn session_ends_an_hour_after_login_or_half_an_hour_after_use() {
        let mut session = Session::new(String::new(), 0, at(0));
        assert_eq!(session.expected(at(HOUR_MS), true), Expected::In);
        assert_eq!(session.expected(at(HOUR_MS + 1), true), Expected::Out);
        session.tried(at(MINUTE_MS), Use::Reading, true, true);
        assert_eq!(session.expected(at(31 * MINUTE_MS), true), Expected::In);
        assert_eq!(session.expected(at(31 * MINUTE_MS + 1), true), Expected::Out);
        assert_eq!(session.wrongly_in(at(31 * MINUTE_MS + 1)), "sessions/use-shortens");
    }

    #[test]
    fn denial_moves_nothing_and_a_late_try_removes() {
        let mut session = Session::new(String::new(), 0, at(0));
        session.tried(at(MINUTE_MS), Use::Reading, false, false);
        assert_eq!(session.end, at(HOUR_MS));
        assert_eq!(session.wrongly_out(at(HOUR_MS)), "sessions/denied-keeps-expiry");
        session.tried(at(2 * HOUR_MS), Use::Reading, true, false);
        assert_eq!(session.expected(at(0), true), Expected::Out);
        assert_eq!(session.wrongly_in(at(2 * HOUR_MS)), "sessions/removed");
    }

    #[test]
    fn what_falls_on_the_end_may_go_either_way() {
        let session = Session::new(String::new(), 0, Span { from: 0, to: 10 });
        let within = Span { from: HOUR_MS - 5, to: HOUR_MS + 5 };
        assert_eq!(session.expected(within, true), Expected::Either);
        let token = Token::new(String::new(), 0, at(1_999));
        assert_eq!(token.expected(at(DAY_MS + 999), true), Expected::In);
        assert_eq!(token.expected(at(DAY_MS + 1_000), true), Expected::Out);
    }
}
