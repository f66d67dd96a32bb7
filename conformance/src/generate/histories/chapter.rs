//! Plays the histories of a case on its target, and names the broken rule.

use serde_json::Value;

use super::memory::Names;
use super::play::{Difference, Done, Judge, Service, Side, play};
use super::step::{History, StepRequest};
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;
use crate::contract::violation::Place;
use crate::generate::inputs::Show;
use crate::http::exchange::Received;

/// How a chapter judges histories.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chapter {
    /// The parts of a reply that it judges.
    pub(crate) parts: fn(&StepRequest, Side<'_>) -> Vec<(Place, Value)>,
    /// As [`Judge::leaves_out`].
    pub(crate) leaves_out: fn(&StepRequest, &Received) -> bool,
    /// Whether a difference is permitted.
    pub(crate) overlooks: fn(&Difference) -> bool,
    /// The rule that the last of these replies breaks. Errors: a preparation failed.
    pub(crate) rule: fn(&CaseContext<'_>, &[Done], &Difference) -> CaseResult<&'static str>,
}

impl Judge for Chapter {
    fn leaves_out(&self, request: &StepRequest, foreseen: &Received) -> bool {
        (self.leaves_out)(request, foreseen)
    }

    fn difference(&mut self, request: &StepRequest, want: Side<'_>, got: Side<'_>) -> Option<Difference> {
        let [wanted, got] = [want, got].map(|side| (self.parts)(request, side));
        let of = |place: &Place| got.iter().find(|(known, _)| known == place).map(|(_, value)| value.clone());
        let found =
            wanted.into_iter().map(|(place, want)| Difference { got: of(&place).unwrap_or_default(), place, want });
        found.into_iter().find(|found| found.want != found.got && !(self.overlooks)(found))
    }
}

/// Plays a history on the target of a case. Errors: the mismatch, at the step that shows it, or what stopped the case.
pub(crate) fn follow(
    cx: &CaseContext<'_>,
    chapter: Chapter,
    names: &Names,
    history: &History,
    show: Show,
) -> CaseResult {
    let played = play(&OnTarget { cx, show }, names, history, &mut { chapter })?;
    let (Some(difference), Some(last)) = (played.difference, played.log.last()) else { return Ok(()) };
    let rule = (chapter.rule)(cx, &played.log, &difference)?;
    let Difference { place, want, got } = difference;
    // The whole history follows, shortened.
    let place = place.when(format_args!("at step {}, {},", last.step, last.template));
    cx.check_rule(rule, false, place, &want, &got)
}

struct OnTarget<'c, 'a> {
    cx: &'c CaseContext<'a>,
    show: Show,
}

impl Service for OnTarget<'_, '_> {
    fn now_ms(&self) -> CaseResult<i64> {
        self.cx.target_now()
    }

    fn advance(&self, span_ms: i64, slack_ms: i64) -> CaseResult {
        self.cx.advance_unmarked(span_ms, slack_ms).map(drop)
    }

    fn send(&self, request: &StepRequest) -> CaseResult<Received> {
        let mut http = self.cx.request_at(request.interface, request.method, &request.path);
        for (name, value) in &request.headers {
            http = http.header(name, value);
        }
        if let Some(body) = &request.body {
            http = http.body_of_type(None, body.as_bytes());
        }
        Ok(self.show.send(http)?.received().clone())
    }
}
