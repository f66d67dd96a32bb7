//! Histories played on the model itself: by the letter and by every reading none differs, and a fault does.

use std::cell::{Cell, RefCell};

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::model::{Course, Model, OPEN, Otherwise};
use super::*;
use crate::contract::verdict::CaseResult;
use crate::contract::violation::Place;
use crate::generate::inputs::dice;
use crate::http::exchange::Received;
use crate::impostor::readings;

/// A service that does some things otherwise, or refuses every code.
struct Simulated {
    model: Model,
    course: RefCell<Option<Course>>,
    now_ms: Cell<i64>,
    refuses_codes: bool,
}

impl Service for Simulated {
    fn now_ms(&self) -> CaseResult<i64> {
        self.now_ms.set(self.now_ms.get() + 3);
        Ok(self.now_ms.get())
    }

    fn advance(&self, span_ms: i64, _: i64) -> CaseResult {
        self.now_ms.set(self.now_ms.get() + span_ms);
        Ok(())
    }

    fn send(&self, ask: &Ask) -> CaseResult<Received> {
        let course = self.course.take().unwrap();
        let (course, reply) = course.followed(&self.model, ask, self.now_ms.get(), false).remove(0);
        self.course.replace(Some(course));
        let is_refused = self.refuses_codes && ask.path == "/auth/verify-2fa";
        Ok(if is_refused { Received::new(400, Vec::new(), Vec::new(), false) } else { reply })
    }
}

struct ByStatus;

impl Judge for ByStatus {
    fn difference(&mut self, _: &Ask, want: Side<'_>, got: Side<'_>) -> Option<Difference> {
        let shown = |reply: &Received| (reply.status, reply.json().is_some_and(|body| body["requiere2FA"] == true));
        let [want, got] = [want.reply, got.reply].map(shown);
        (want != got).then(|| Difference { place: Place::STATUS, want: json!(want.0), got: json!(got.0) })
    }
}

fn played(otherwise: u32, refuses_codes: bool, number: u64) -> Played {
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, dice(number, "histories"));
    let history = two_factor().new_tree(&mut runner).unwrap().current();
    let model = Model::default();
    let course = Course::new(&model, true).doing(otherwise);
    let now_ms = Cell::new(1_800_000_000_000);
    let service = Simulated { model, course: RefCell::new(Some(course)), now_ms, refuses_codes };
    let name = |of: &str, n: u8| (format!("{of} {n}"), format!("es-{n}"));
    let people = vec![("ana@ejemplo.test".to_owned(), "clave".to_owned())];
    let names = Names { people, agents: vec![name("a", 1), name("b", 2)], ..Names::default() };
    play(&service, &names, &history, &mut ByStatus).unwrap()
}

#[test]
fn no_reading_fails_a_history() {
    for otherwise in (0..OPEN.len()).map(|at| 1 << at).chain([0, u32::MAX]) {
        for number in 0..15 {
            let played = played(otherwise, false, number);
            let shown: Vec<String> = played.log.iter().map(|done| done.sent.to_string()).collect();
            assert_eq!(played.difference, None, "{otherwise:b}, {number}: {shown:#?}");
        }
    }
}

#[test]
fn a_service_that_refuses_every_code_fails_some() {
    assert!((0..40).any(|number| played(0, true, number).difference.is_some()));
}

#[test]
fn every_reading_named_is_one_of_the_impostor() {
    for (_, _, change) in &OPEN {
        if let Otherwise::Reading(id) = change {
            assert!(readings::find(id).is_some(), "{id}");
        }
    }
}
