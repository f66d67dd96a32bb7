//! What the walks are made of, how they are drawn, and how they are told.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy};
use proptest::prop_oneof;
use proptest::sample::select;

/// How many devices a walk knows.
pub(super) const DEVICES: usize = 2;

/// One thing done. Sessions are counted from the latest, and any number means one of those there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Enable,
    Disable { right: bool },
    Regenerate { right: bool },
    Status,
    LogIn { device: usize },
    Verify { back: usize, token: Token, trust: bool },
    Remove { device: usize },
    Pass(Until),
}

/// What is sent as a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// That of the current step or, where it was sent already, of the next.
    Current,
    Wrong,
    WrongBackup,
    /// The first unused one of the issue that is good.
    Backup,
    /// The latest one that was accepted.
    UsedBackup,
    /// The latest one of an issue that was replaced.
    EarlierBackup,
}

/// How far the clock moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    Seconds(i64),
    /// Five seconds before the end of a session, counted from the latest, or after it.
    SessionEnds {
        back: usize,
        is_over: bool,
    },
    /// 15 minutes after the latest failure.
    BlockEnds {
        is_over: bool,
    },
    /// An hour after the earliest failure that still counts.
    FailureForgotten {
        is_over: bool,
    },
    /// 30 days after a device was last used.
    TrustEnds {
        device: usize,
        is_over: bool,
    },
}

/// Steps in a row.
#[derive(Debug, Clone)]
pub(super) struct Walk(pub(super) Vec<Step>);

/// The walks: most begin by enabling two-factor, and most steps are checks of codes.
pub(super) fn walks() -> impl Strategy<Value = Walk> {
    let steps = vec(steps(), 4..24);
    (proptest::bool::weighted(0.9), steps).prop_map(|(begins_enabled, mut steps)| {
        if begins_enabled {
            steps.insert(0, Step::Enable);
        }
        Walk(steps)
    })
}

fn steps() -> impl Strategy<Value = Step> {
    let device = || 0..DEVICES;
    prop_oneof![
        14 => verifications(),
        10 => device().prop_map(|device| Step::LogIn { device }),
        4 => spans().prop_map(Step::Pass),
        2 => Just(Step::Status),
        1 => Just(Step::Enable),
        1 => proptest::bool::ANY.prop_map(|right| Step::Disable { right }),
        1 => proptest::bool::weighted(0.8).prop_map(|right| Step::Regenerate { right }),
        1 => device().prop_map(|device| Step::Remove { device }),
    ]
}

fn verifications() -> impl Strategy<Value = Step> {
    let token = prop_oneof![
        4 => Just(Token::Current),
        4 => Just(Token::Backup),
        5 => Just(Token::Wrong),
        2 => Just(Token::WrongBackup),
        2 => Just(Token::UsedBackup),
        1 => Just(Token::EarlierBackup),
    ];
    let back = prop_oneof![4 => Just(0_usize), 1 => 1..4_usize];
    (back, token, proptest::bool::weighted(0.3)).prop_map(|(back, token, trust)| Step::Verify { back, token, trust })
}

fn spans() -> impl Strategy<Value = Until> {
    let is_over = || proptest::bool::ANY;
    prop_oneof![
        2 => select(vec![31_i64, 240, 1_200, 21_600]).prop_map(Until::Seconds),
        3 => (0..2_usize, is_over()).prop_map(|(back, is_over)| Until::SessionEnds { back, is_over }),
        3 => is_over().prop_map(|is_over| Until::BlockEnds { is_over }),
        2 => is_over().prop_map(|is_over| Until::FailureForgotten { is_over }),
        1 => (0..DEVICES, is_over()).prop_map(|(device, is_over)| Until::TrustEnds { device, is_over }),
    ]
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            let joint = if index == 0 { "" } else { "; " };
            write!(f, "{joint}{}. {step}", index + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let password = |right: &bool| if *right { "" } else { " with a wrong password" };
        match self {
            Self::Enable => f.write_str("enable"),
            Self::Disable { right } => write!(f, "disable{}", password(right)),
            Self::Regenerate { right } => write!(f, "regenerate{}", password(right)),
            Self::Status => f.write_str("ask for the status"),
            Self::LogIn { device } => write!(f, "log in from device {device}"),
            Self::Remove { device } => write!(f, "remove device {device}"),
            Self::Verify { back, token, trust } => {
                let trusting = if *trust { ", trusting the device" } else { "" };
                write!(f, "send {token} for {}{trusting}", session(*back))
            }
            Self::Pass(until) => write!(f, "wait {until}"),
        }
    }
}

fn session(back: usize) -> String {
    match back {
        0 => "the latest session".into(),
        1 => "the session before".into(),
        more => format!("the session {more} before the latest"),
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Current => "the current code",
            Self::Wrong => "a wrong code",
            Self::WrongBackup => "a wrong backup code",
            Self::Backup => "an unused backup code",
            Self::UsedBackup => "a used backup code",
            Self::EarlierBackup => "a replaced backup code",
        })
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edge = |is_over: &bool| if *is_over { "5 s after" } else { "5 s before" };
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::SessionEnds { back, is_over } => {
                write!(f, "until {} the end of {}", edge(is_over), session(*back))
            }
            Self::BlockEnds { is_over } => {
                write!(f, "until {} 15 minutes since the last failure", edge(is_over))
            }
            Self::FailureForgotten { is_over } => {
                write!(f, "until {} an hour since the first failure", edge(is_over))
            }
            Self::TrustEnds { device, is_over } => {
                write!(f, "until {} 30 days since device {device} was used", edge(is_over))
            }
        }
    }
}
