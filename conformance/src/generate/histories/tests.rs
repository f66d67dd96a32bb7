//! Histories played on the model itself: by the letter and by every reading none differs, and a fault does.

use std::cell::{Cell, RefCell};

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::model::{Branch, Model, OPEN_CHOICES, OpenChoice};
use super::*;
use crate::contract::verdict::CaseResult;
use crate::contract::violation::Place;
use crate::generate::inputs::dice;
use crate::http::exchange::Received;
use crate::impostor::readings;

/// A service that takes some open choices, or refuses every code.
struct Simulated {
    model: Model,
    branch: RefCell<Option<Branch>>,
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

    fn send(&self, request: &StepRequest) -> CaseResult<Received> {
        let branch = self.branch.take().unwrap();
        let (branch, reply) = branch.after(&self.model, request, self.now_ms.get(), false).remove(0);
        self.branch.replace(Some(branch));
        let is_refused = self.refuses_codes && request.path == "/auth/verify-2fa";
        Ok(if is_refused { Received::new(400, Vec::new(), Vec::new(), false) } else { reply })
    }
}

struct ByStatus;

impl Judge for ByStatus {
    fn difference(&mut self, _: &StepRequest, want: Side<'_>, got: Side<'_>) -> Option<Difference> {
        let shown = |reply: &Received| (reply.status, reply.json().is_some_and(|body| body["requiere2FA"] == true));
        let [want, got] = [want.reply, got.reply].map(shown);
        (want != got).then(|| Difference { place: Place::STATUS, want: json!(want.0), got: json!(got.0) })
    }
}

fn played(taken: u32, refuses_codes: bool, number: u64) -> Played {
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, dice(number, "histories"));
    let history = two_factor().new_tree(&mut runner).unwrap().current();
    let model = Model::default();
    let branch = Branch::new(&model, true).taking(taken);
    let now_ms = Cell::new(1_800_000_000_000);
    let service = Simulated { model, branch: RefCell::new(Some(branch)), now_ms, refuses_codes };
    let name = |of: &str, n: u8| (format!("{of} {n}"), format!("es-{n}"));
    let people = vec![("ana@ejemplo.test".to_owned(), "clave".to_owned())];
    let names = Names { people, agents: vec![name("a", 1), name("b", 2)], ..Names::default() };
    play(&service, &names, &history, &mut ByStatus).unwrap()
}

#[test]
fn no_reading_fails_a_history() {
    for taken in (0..OPEN_CHOICES.len()).map(|at| 1 << at).chain([0, u32::MAX]) {
        for number in 0..15 {
            let played = played(taken, false, number);
            let shown: Vec<String> = played.log.iter().map(|done| done.sent.to_string()).collect();
            assert_eq!(played.difference, None, "{taken:b}, {number}: {shown:#?}");
        }
    }
}

#[test]
fn a_service_that_refuses_every_code_fails_some() {
    assert!((0..40).any(|number| played(0, true, number).difference.is_some()));
}

#[test]
fn every_reading_named_is_one_of_the_impostor() {
    for (_, _, choice) in &OPEN_CHOICES {
        if let OpenChoice::Reading(id) = choice {
            assert!(readings::find(id).is_some(), "{id}");
        }
    }
}
