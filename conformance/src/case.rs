//! A case: a named judgement of some rules, and the reasons for which it can stop early.

use std::sync::Arc;

use crate::context::session::Session;
use crate::http::client::Judge;
use crate::implementation::profile::Interface;

pub(crate) use crate::context::case_context::CaseContext;
pub(crate) use crate::contract::verdict::{CaseError, CaseResult};

#[derive(Debug)]
pub struct Case {
    pub chapter: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    /// The rules it judges. A mismatch of any other is an error of the suite. A probe judges none.
    pub rules: &'static [&'static str],
    pub needs: &'static [Need],
    pub judge: fn(&CaseContext<'_>) -> CaseResult,
}

impl Case {
    pub fn id(&self) -> String {
        format!("{}::{}", self.chapter, self.name)
    }

    pub fn context<'a>(&self, session: &'a Session, judge: Arc<dyn Judge>) -> CaseContext<'a> {
        CaseContext::new(session, judge, &self.id(), self.rules, self.needs.contains(&Need::UsersAtOnce))
            .sharing_clock(self.shares_clock())
    }

    /// The interface that it needs; the catalogue if it needs none.
    pub(crate) fn interface(&self) -> Interface {
        let needed = self.needs.iter().find_map(|need| if let Need::Interface(one) = need { Some(*one) } else { None });
        needed.unwrap_or(Interface::Catalogue)
    }

    pub fn is_alone(&self) -> bool {
        self.needs.iter().any(|need| !matches!(need, Need::Interface(_) | Need::Time))
    }

    pub fn shares_clock(&self) -> bool {
        let is_of_clock = |need: &Need| matches!(need, Need::Clock | Need::Time);
        self.needs.iter().any(is_of_clock)
            && self.needs.iter().all(|need| is_of_clock(need) || matches!(need, Need::Interface(_)))
    }

    /// Whether it is about a demonstration interface alone, which keeps no sessions.
    pub(crate) fn is_demo(&self) -> bool {
        self.interface() != Interface::Catalogue
    }

    pub fn is_opt_in(&self) -> bool {
        self.needs.contains(&Need::Asked)
    }
}

/// What a case requires. If it is missing, the case is skipped, with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Clock,
    /// The clock moves for no other case meanwhile. A case that waits a second or two waits for them if there is no control clock.
    Time,
    Reset,
    /// No other user of the implementation while the case runs.
    Exclusive,
    /// No other case beside it: its requests keep the implementation from answering.
    Alone,
    /// Creates users of the demonstration interfaces at the same moment; no other case creates any meanwhile.
    UsersAtOnce,
    /// Registers a user without an e-mail, which other lookups of users may find: runs last, and a reset follows.
    Nameless,
    /// The suite may kill and restart the implementation; the case runs last.
    Restart,
    /// Runs only if the case or its chapter is named: a probe, which judges no rule.
    Asked,
    Interface(Interface),
}

/// Declares the cases of a file: its table first, the functions below it. A case is the expression behind `=>`, or the function named by
/// `by`, called with the row's data.
///
/// ```ignore
/// cases! { "headers";
///     /// A session lives for one hour.
///     session_lives_an_hour judges ["sessions/first-hour"] needs [Need::Clock] => |cx| lives(cx, 3_600);
///     /// A generated list.
///     a_list_is_as_generated judges ["list/equal-keeps"] and [queries::RULES] => |cx| { ... };
///     /// X-Total-Count is the total of the body.
///     total_count_is_the_total judges ["headers/total-count"] by repeats("X-Total-Count", "total");
/// }
/// fn repeats(cx: &CaseContext<'_>, name: &str, key: &str) -> CaseResult { ... }
/// ```
macro_rules! cases {
    ($chapter:literal; $(
        $(#[doc = $about:literal])+
        $name:ident judges [$($rule:literal),* $(,)?] $(and [$more:path])? $(needs [$($need:expr),+ $(,)?])?
            $(by $runner:ident($($argument:expr),* $(,)?))? $(=> |$cx:ident| $judge:expr)? ;
    )+) => {
        pub(crate) const CASES: &[$crate::case::Case] = &[$($crate::case::Case {
            chapter: $chapter,
            name: stringify!($name),
            about: concat!($($about),+),
            rules: {
                const OWN: &[&str] = &[$($rule),*];
                // The list that the row names, or else the empty one.
                const MORE: &[&[&str]] = &[$(&$more,)? &[]];
                &$crate::case::joined::<{ OWN.len() + MORE[0].len() }>(OWN, MORE[0])
            },
            needs: &[$($($need),+)?],
            judge: $(|cx| $runner(cx, $($argument),*))? $(|$cx| $judge)?,
        }),+];
    };
}
pub(crate) use cases;

/// The rules of a row and of the list it names, joined at compile time.
pub(crate) const fn joined<const N: usize>(own: &[&'static str], more: &[&'static str]) -> [&'static str; N] {
    let mut rules = [""; N];
    let mut index = 0;
    while index < N {
        rules[index] = if index < own.len() { own[index] } else { more[index - own.len()] };
        index += 1;
    }
    rules
}
