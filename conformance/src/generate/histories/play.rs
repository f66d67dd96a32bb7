//! Plays a history on an implementation and on the model, until their replies differ.

use serde_json::Value;

use super::memory::{Memory, Names};
use super::model::{Branch, Model, without_texts};
use super::step::{History, Step, StepRequest, Wait};
use crate::contract::verdict::CaseResult;
use crate::contract::violation::Place;
use crate::fixture::time::SECOND_MS;
use crate::http::exchange::Received;

/// Skips a step if the model would reply differently this much earlier or later.
const EDGE_MS: i64 = 6 * SECOND_MS;
/// A slower request ends the history: the model's times are off by as much, and twice that must not exceed `EDGE_MS`.
const SLOW_MS: i64 = 3 * SECOND_MS;
/// How far before or after an end a wait stops.
const MARGIN_MS: i64 = 10 * SECOND_MS;
/// How much longer than asked a wait may take beside other histories: a wait for an end, and any other.
const SLACK_MS: (i64, i64) = (3 * SECOND_MS, 60 * SECOND_MS);
/// Ends a history with more branches than this: too much is open to judge.
const BRANCHES_MAX: usize = 48;

/// The implementation that a history is played on.
pub trait Service {
    /// Its time, in milliseconds since 1970.
    fn now_ms(&self) -> CaseResult<i64>;
    /// Moves its clock ahead by `span_ms`, and by `slack_ms` more at most.
    fn advance(&self, span_ms: i64, slack_ms: i64) -> CaseResult;
    fn send(&self, request: &StepRequest) -> CaseResult<Received>;
}

/// A reply of the model or of the implementation, and the values that it returned in earlier replies.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    pub reply: &'a Received,
    pub memory: &'a Memory,
}

/// The first difference of two replies: the model wants, the implementation got.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub place: Place,
    pub want: Value,
    pub got: Value,
}

pub trait Judge {
    /// Whether to follow every accepted reading, or only the strictest.
    fn takes_readings(&self) -> bool {
        true
    }
    /// Whether the documents leave the reply to this request open; the second argument is the model's reply.
    fn leaves_out(&self, _: &StepRequest, _: &Received) -> bool {
        false
    }
    fn difference(&mut self, request: &StepRequest, want: Side<'_>, got: Side<'_>) -> Option<Difference>;
}

/// A request that was sent.
#[derive(Debug, Clone)]
pub struct Done {
    /// The number of its step, from 1.
    pub step: usize,
    pub template: StepRequest,
    /// The template, filled in for the implementation.
    pub sent: StepRequest,
    /// The template, filled in for the model.
    pub asked: StepRequest,
    /// The model's reply.
    pub want: Received,
    /// The implementation's reply.
    pub got: Received,
    /// In milliseconds since 1970 on the implementation's clock.
    pub at_ms: i64,
    /// How far the clock was moved before it.
    pub waited_ms: i64,
}

impl Done {
    pub fn is_refused_as(&self, text: &str) -> bool {
        let error = self.want.json().map(|body| &body["error"]);
        error.is_some_and(|error| *error == text || error["mensaje"] == text)
    }
}

#[derive(Debug, Default)]
pub struct Played {
    /// The last one shows the difference.
    pub log: Vec<Done>,
    pub difference: Option<Difference>,
}

/// Plays steps until replies differ, or a reply takes too long to compare times. Errors: those of the service.
pub fn play(service: &dyn Service, names: &Names, history: &History, judge: &mut dyn Judge) -> CaseResult<Played> {
    let model = Model::default();
    let first = Branch::new(&model, judge.takes_readings());
    let mut game =
        Game { service, names, model: &model, memory: first.memory.clone(), branches: vec![first], waited_ms: 0 };
    let mut played = Played::default();
    for (index, step) in history.0.iter().enumerate() {
        match step {
            Step::Wait(wait) => game.wait(*wait)?,
            Step::Send(template) => {
                let Some((mut done, difference)) = game.send(template, judge)? else { continue };
                done.step = index + 1;
                played.log.push(done);
                played.difference = difference;
                if played.difference.is_some() || game.branches.is_empty() {
                    break;
                }
            }
        }
    }
    Ok(played)
}

struct Game<'a> {
    service: &'a dyn Service,
    names: &'a Names,
    model: &'a Model,
    memory: Memory,
    /// The branches that explain every reply so far; the first is the plainest.
    branches: Vec<Branch>,
    waited_ms: i64,
}

impl Game<'_> {
    fn wait(&mut self, wait: Wait) -> CaseResult {
        let now = self.service.now_ms()?;
        let (near_end_ms, anywhere_ms) = SLACK_MS;
        let slack_ms = if matches!(wait, Wait::Seconds(_)) { anywhere_ms } else { near_end_ms };
        let moment = match wait {
            Wait::Seconds(seconds) => Some(now + seconds * SECOND_MS),
            Wait::Until { end, back, is_over } => {
                let end = self.branches.first().and_then(|branch| self.model.end(branch, end, back, now));
                end.map(|end| end + if is_over { MARGIN_MS } else { -MARGIN_MS })
            }
        };
        if let Some(span_ms) = moment.map(|moment| moment - now).filter(|span_ms| *span_ms > 0) {
            self.service.advance(span_ms, slack_ms)?;
            self.waited_ms += span_ms;
        }
        Ok(())
    }

    fn send(
        &mut self,
        template: &StepRequest,
        judge: &mut dyn Judge,
    ) -> CaseResult<Option<(Done, Option<Difference>)>> {
        let before = self.service.now_ms()?;
        let filled = |memory: &Memory| memory.filled(template, self.names, before);
        let asked: Option<Vec<StepRequest>> = self.branches.iter().map(|branch| filled(&branch.memory)).collect();
        let (Some(sent), Some(asked)) = (filled(&self.memory), asked) else { return Ok(None) };
        let is_open = |(branch, request): (&Branch, &StepRequest)| {
            let [early, late] = [-EDGE_MS, EDGE_MS].map(|shift| branch.foreseen(self.model, request, before + shift));
            let shown = |reply: &Received| (reply.status, without_texts(reply));
            shown(&early) != shown(&late) || judge.leaves_out(request, &late)
        };
        if self.branches.iter().zip(&asked).any(is_open) {
            return Ok(None);
        }
        let got = self.service.send(&sent)?;
        let at_ms = self.service.now_ms()?;
        let mut done = None;
        let mut difference = None;
        for (branch, request) in std::mem::take(&mut self.branches).into_iter().zip(asked) {
            for (mut branch, want) in branch.after(self.model, &request, at_ms, judge.takes_readings()) {
                let sides = [(&want, &branch.memory), (&got, &self.memory)];
                let [of_model, of_target] = sides.map(|(reply, memory)| Side { reply, memory });
                let found = judge.difference(&request, of_model, of_target);
                let is_permitted = found.is_none();
                if done.is_none() || is_permitted && self.branches.is_empty() {
                    done = Some((request.clone(), want.clone()));
                    difference = found;
                }
                if is_permitted {
                    branch.memory.learn(&request, &want, at_ms);
                    self.branches.push(branch);
                }
            }
        }
        let Some((asked, want)) = done else { return Ok(None) };
        if at_ms - before > SLOW_MS || self.branches.len() > BRANCHES_MAX {
            self.branches.clear();
            difference = None;
        }
        self.memory.learn(&sent, &got, at_ms);
        let waited_ms = std::mem::take(&mut self.waited_ms);
        let template = template.clone();
        Ok(Some((Done { step: 0, template, sent, asked, want, got, at_ms, waited_ms }, difference)))
    }
}
