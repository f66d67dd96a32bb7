//! What the sequences are made of, how they are drawn, and how they are told.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::Strategy;
use proptest::prop_oneof;
use proptest::sample::select;
use proptest::strategy::Union;

use super::state::{ROLES, Use};

/// How many users a sequence knows.
pub(super) const USERS: usize = 2;

/// The passwords users register and try.
pub(super) const PASSWORDS: [&str; 2] = ["Una-clave-larga-2026!", "Otra-clave-larga-2026!"];

/// One thing done. Sessions and tokens are counted from the latest, and any number means one of those there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Register { user: usize, role: usize, password: usize },
    LogIn { user: usize, password: usize },
    UseSession { back: usize, route: Route },
    UseToken { back: usize, route: Route },
    Pass(Until),
}

/// How far the clock moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    Minutes(i64),
    /// A second before the end of a session.
    SessionEnds(usize),
    /// A second after it.
    SessionEnded(usize),
    TokenEnds(usize),
    TokenEnded(usize),
}

/// Something to ask that changes nothing but the session used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    List,
    ReadUnknown,
    ReplaceUnknown,
    DeleteUnknown,
    ListKeys,
    Status,
    Patch,
}

impl Route {
    /// The permission it takes; none where any credential will do, or none is looked at.
    pub(super) fn permission(self) -> Option<&'static str> {
        match self {
            Self::List | Self::ReadUnknown => Some("read:libros"),
            Self::ReplaceUnknown => Some("write:libros"),
            Self::DeleteUnknown => Some("delete:libros"),
            Self::ListKeys => Some("manage:api_keys"),
            Self::Status | Self::Patch => None,
        }
    }

    /// What a session is used for by asking it.
    pub(super) fn wanted(self) -> Use {
        match self {
            Self::List | Self::Patch => Use::Reading,
            Self::ReadUnknown | Self::ReplaceUnknown | Self::DeleteUnknown => Use::Failing,
            Self::ListKeys | Self::Status => Use::Elsewhere,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::List => "list books",
            Self::ReadUnknown => "read an unknown book",
            Self::ReplaceUnknown => "replace an unknown book",
            Self::DeleteUnknown => "delete an unknown book",
            Self::ListKeys => "list keys",
            Self::Status => "ask for the two-factor status",
            Self::Patch => "PATCH",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Sequence(pub(super) Vec<Step>);

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            let joint = if index == 0 { "" } else { "; " };
            write!(f, "{joint}({}) {step}", index + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |user: &usize| if *user == 0 { "A" } else { "B" };
        let nth = |back: &usize| match back {
            0 => "latest".to_owned(),
            back => format!("latest but {back}"),
        };
        match self {
            Self::Register { user, role, password } => {
                let role = ROLES[*role].0;
                write!(f, "register {} as {role}, password {password}", name(user))
            }
            Self::LogIn { user, password } => {
                write!(f, "log in {}, password {password}", name(user))
            }
            Self::UseSession { back, route } => {
                write!(f, "{} with the {} session", route.words(), nth(back))
            }
            Self::UseToken { back, route } => {
                write!(f, "{} with the {} JWT", route.words(), nth(back))
            }
            Self::Pass(Until::Minutes(minutes)) => write!(f, "let {minutes} min pass"),
            Self::Pass(Until::SessionEnds(back)) => {
                write!(f, "go to 1 s before the {} session ends", nth(back))
            }
            Self::Pass(Until::SessionEnded(back)) => {
                write!(f, "go to 1 s after the {} session ends", nth(back))
            }
            Self::Pass(Until::TokenEnds(back)) => {
                write!(f, "go to 1 s before the {} JWT ends", nth(back))
            }
            Self::Pass(Until::TokenEnded(back)) => {
                write!(f, "go to 1 s after the {} JWT ends", nth(back))
            }
        }
    }
}

fn route() -> impl Strategy<Value = Route> {
    select(vec![
        Route::List,
        Route::ReadUnknown,
        Route::ReplaceUnknown,
        Route::DeleteUnknown,
        Route::ListKeys,
        Route::Status,
        Route::Patch,
    ])
}

fn until() -> impl Strategy<Value = Until> {
    const BACK: usize = 2;
    prop_oneof![
        4 => (1_i64..=70).prop_map(Until::Minutes),
        4 => (0..BACK).prop_map(Until::SessionEnds),
        4 => (0..BACK).prop_map(Until::SessionEnded),
        1 => (0..BACK).prop_map(Until::TokenEnds),
        1 => (0..BACK).prop_map(Until::TokenEnded),
    ]
}

fn step(moves_the_clock: bool) -> impl Strategy<Value = Step> {
    const BACK: usize = 3;
    let register = (0..USERS, 0..ROLES.len(), 0..PASSWORDS.len()).prop_map(|(user, role, password)| Step::Register {
        user,
        role,
        password,
    });
    let log_in = (0..USERS, 0..PASSWORDS.len()).prop_map(|(user, password)| Step::LogIn { user, password });
    let use_session = (0..BACK, route()).prop_map(|(back, route)| Step::UseSession { back, route });
    let use_token = (0..BACK, route()).prop_map(|(back, route)| Step::UseToken { back, route });
    let mut steps = vec![(2, register.boxed()), (3, log_in.boxed()), (9, use_session.boxed()), (2, use_token.boxed())];
    if moves_the_clock {
        steps.push((6, until().prop_map(Step::Pass).boxed()));
    }
    Union::new_weighted(steps)
}

/// Sequences that begin with a user who is logged in, so that few of their steps are idle.
pub(super) fn sequences(moves_the_clock: bool) -> impl Strategy<Value = Sequence> {
    const STEPS_MAX: usize = 40;
    let start = (0..ROLES.len()).prop_map(|role| {
        let register = Step::Register { user: 0, role, password: 0 };
        [register, Step::LogIn { user: 0, password: 0 }]
    });
    let rest = vec(step(moves_the_clock), 1..=STEPS_MAX);
    (start, rest).prop_map(|(start, rest)| Sequence(start.into_iter().chain(rest).collect()))
}
