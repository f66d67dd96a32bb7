//! The faults, each one realistic error of an implementer, and the effects of those that are on. The model knows none.
//!
//! Their tables are in the folders of the chapters; only this file imports them. `tests/structure` checks that they reach no case.

use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::state::State;
use libros_conformance_model::steps::Steps;
use libros_conformance_model::{answer, initial};

use super::effect::record::{RecordChange, change_record};
use super::effect::{Effect, Kind, Variation};
use super::readings;
use super::world::{Answer, Shared, World};
use crate::chapters::variations;

pub type Fault = Variation;

type Around = fn(&mut Shared, &Request, &Answer<'_>) -> Reply;
type Record = (&'static [&'static str], RecordChange);

pub fn all() -> impl Iterator<Item = &'static Fault> {
    variations::all().filter(|variation| variation.kind == Kind::Fault)
}

pub fn find(id: &str) -> Option<&'static Fault> {
    all().find(|fault| fault.id == id)
}

/// The active faults, permitted readings and habits, by what they change; normally none.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    pub steps: Steps,
    starts: Vec<fn(&mut State)>,
    requests: Vec<fn(&mut Request)>,
    replies: Vec<fn(&Request, &mut Reply)>,
    records: Vec<Record>,
    arounds: Vec<Around>,
    race: Option<fn(&World, &Request, &Answer<'_>) -> Reply>,
    pub(super) replica: Option<fn(&mut Shared, &mut State, &Request, &Answer<'_>) -> Reply>,
}

impl Faults {
    pub fn none() -> Self {
        Self::default()
    }

    pub fn one(id: &str) -> Option<Self> {
        Self::none().with(id)
    }

    pub fn with(self, id: &str) -> Option<Self> {
        Some(self.having(find(id)?.effects))
    }

    pub fn reading(self, ids: &[impl AsRef<str>]) -> Self {
        let readings = ids.iter().filter_map(|id| readings::find(id.as_ref()));
        readings.fold(self, |faults, reading| faults.having(reading.effects))
    }

    pub(crate) fn having(mut self, effects: &[Effect]) -> Self {
        for effect in effects {
            match *effect {
                Effect::Steps(replace) => replace(&mut self.steps),
                Effect::Start(change) => self.starts.push(change),
                Effect::Request(change) => self.requests.push(change),
                Effect::Reply(change) => self.replies.push(change),
                Effect::Record(methods, change) => self.records.push((methods, change)),
                Effect::Around(around) => self.arounds.push(around),
                Effect::Race(race) => self.race = Some(race),
                Effect::Replica(replica) => self.replica = Some(replica),
            }
        }
        self
    }

    pub(crate) fn start(&self) -> State {
        let mut state = initial::state(&self.steps);
        self.starts.iter().for_each(|change| change(&mut state));
        state
    }

    /// The request with the changes of all effects, as the model sees it.
    pub(crate) fn misread(&self, request: &Request) -> Request {
        let mut request = request.clone();
        self.requests.iter().for_each(|change| change(&mut request));
        request
    }

    pub(crate) fn answer(&self, world: &World, request: &Request, is_second: bool) -> Reply {
        let answer = |state: &mut Shared, request: &Request| self.around(&self.arounds, state, request);
        match (self.race, self.replica.filter(|_| is_second)) {
            (Some(race), _) => race(world, request, &answer),
            (None, Some(replica)) => replica(&mut world.lock(), &mut world.second(), request, &answer),
            (None, None) => answer(&mut world.lock(), request),
        }
    }

    pub(crate) fn finish(&self, request: &Request, reply: &mut Reply) {
        self.replies.iter().for_each(|change| change(request, reply));
    }

    /// The first of the functions is the innermost.
    fn around(&self, arounds: &[Around], state: &mut Shared, request: &Request) -> Reply {
        match arounds.split_last() {
            Some((around, inner)) => around(state, request, &|state, request| self.around(inner, state, request)),
            None => self.recorded(&self.records, state, request),
        }
    }

    fn recorded(&self, records: &[Record], state: &mut Shared, request: &Request) -> Reply {
        match records.split_last() {
            Some(((methods, change), inner)) if methods.contains(&request.method.as_str()) => {
                change_record(state, request, &|state, request| self.recorded(inner, state, request), *change)
            }
            Some((_, inner)) => self.recorded(inner, state, request),
            None => answer(&self.steps, &mut state.model, request),
        }
    }
}
