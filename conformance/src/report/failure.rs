//! One failure for a reader: the likely fault, the rule, wanted and received, the exchange, the reference's answer, the replay command.

use askama::Template;

use crate::contract::excerpt::{excerpt, excerpts};
use crate::contract::rule::Contract;
use crate::contract::violation::{Mismatch, Want};
use crate::report::color::Palette;
use crate::report::judged::{self, Line};
use crate::report::{difference, on_reference, program, timeline};
use crate::runner::cause::Cause;
use crate::runner::expected_failures::EXPIRED;
use crate::runner::outcome::CaseOutcome;

/// How much of a failure, and of lists beside it, is shown.
#[derive(Debug)]
pub(crate) struct Extent {
    value_chars: usize,
    line_chars: usize,
    /// Exchanges shown beside the one judged, where several show the failure together.
    compared: usize,
    moments: usize,
    differences: usize,
    has_source: bool,
    pub(super) cases: usize,
    pub(super) causes: usize,
    pub(super) rules: usize,
    is_traced: bool,
}

/// Characters that fit into a line of 80 columns behind its indent.
const LINE_CHARS: usize = 74;

impl Extent {
    /// Ever shorter extents, the first of half a screen for a failure; the report takes the first with which it fits on a screen.
    pub(crate) const SHORT: [Self; 5] = [
        Self { compared: 1, moments: 6, differences: 2, has_source: true, ..Self::short(200, 4, 8) },
        Self { moments: 4, differences: 1, ..Self::short(120, 3, 4) },
        Self::short(110, 2, 4),
        Self { line_chars: LINE_CHARS / 2, ..Self::short(44, 1, 2) },
        Self { line_chars: LINE_CHARS / 2, moments: 0, ..Self::short(44, 1, 2) },
    ];

    const fn short(value_chars: usize, named: usize, rules: usize) -> Self {
        let (line_chars, compared, moments, differences) = (LINE_CHARS, 0, 3, 0);
        let (cases, causes, has_source, is_traced) = (named, named, false, false);
        Self { value_chars, line_chars, compared, moments, differences, has_source, cases, causes, rules, is_traced }
    }

    /// Everything about a failure; with `is_traced` also all traffic.
    pub(crate) const fn long(is_traced: bool) -> Self {
        let own = Self::short(600, usize::MAX, usize::MAX);
        Self { line_chars: 300, compared: 3, moments: 12, differences: 8, has_source: true, is_traced, ..own }
    }
}

#[derive(Template)]
#[template(path = "report/failure.lines")]
pub(crate) struct Failure<'c> {
    /// The cause whose first case this is.
    pub(crate) cause: Option<&'c Cause>,
    pub(crate) details: Details<'c>,
}

impl Failure<'_> {
    fn likeness(&self) -> Option<String> {
        self.cause?.looks_like.as_ref().map(ToString::to_string)
    }
}

#[derive(Template)]
#[template(path = "report/details.lines")]
pub(crate) struct Details<'c> {
    pub(crate) case: &'c CaseOutcome,
    pub(crate) extent: &'c Extent,
    pub(crate) palette: Palette,
}

impl Details<'_> {
    fn place(&self, mismatch: &Mismatch) -> String {
        let which = match (self.case.judged_index(), self.case.exchanges.len()) {
            (Some(at), count) if count > 1 => {
                let hint = if self.extent.is_traced { "" } else { "; --trace shows all" };
                format!(" (request {} of {count}{hint})", at + 1)
            }
            _ => String::new(),
        };
        excerpt(&mismatch.place.to_string(), 0, self.extent.value_chars) + &which
    }

    fn want_and_got(&self, mismatch: &Mismatch) -> [String; 2] {
        excerpts(&mismatch.want.to_string(), &mismatch.got.to_string(), self.extent.value_chars)
    }

    fn difference(&self, mismatch: &Mismatch) -> Option<String> {
        // The wanted sentence describes answers and cannot be compared with one.
        let is_sentence = matches!(mismatch.want, Want::OneOf(_));
        difference::first_difference(&mismatch.want.to_string(), &mismatch.got.to_string()).filter(|_| !is_sentence)
    }

    /// That it was expected to fail, until a day that is over.
    fn expired(&self) -> Option<&str> {
        Some(self.case.message.as_deref()?.split_once(EXPIRED)?.0)
    }

    fn again(&self) -> Option<&String> {
        self.case.curl.as_ref().or(self.case.again.as_ref())
    }

    /// The judged exchange, shortened, or all exchanges whole.
    fn traffic(&self) -> Vec<Line> {
        let Self { case, extent, .. } = self;
        let Some((judged, exchange)) = case.judged_index().zip(case.judged_exchange()) else { return Vec::new() };
        let part = case.mismatch.as_ref().map(|mismatch| &mismatch.place.part);
        let shown = judged::lines(exchange, part, extent.line_chars);
        if !extent.is_traced {
            let compared = case.compared.iter().filter(|at| **at != judged).take(extent.compared);
            let compared = compared.filter_map(|at| case.exchanges.get(*at));
            return compared.flat_map(|other| judged::lines(other, None, extent.line_chars)).chain(shown).collect();
        }
        let mut lines = Vec::new();
        let mut wrong = shown.into_iter().filter(|line| line.is_wrong);
        for (index, other) in case.exchanges.iter().enumerate() {
            lines.extend(other.transcript().lines().map(Line::plain));
            if index == judged {
                lines.extend(wrong.by_ref());
            }
            lines.push(Line::plain(""));
        }
        lines
    }
}
