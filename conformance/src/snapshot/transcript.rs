//! A transcript of a case's exchanges, compared with the reviewed one.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use serde_json::Value;

use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::contract::violation::Mismatch;
use crate::http::reply::Reply;
use crate::http::request::Request;
use crate::snapshot::step::{Step, StepSpec};
use crate::snapshot::{render, reviewed};

#[derive(Debug)]
pub(crate) struct Transcript<'t, 'a> {
    cx: &'t CaseContext<'a>,
    name: &'static str,
    names: Vec<(String, String)>,
    bound: BTreeMap<&'static str, Value>,
    steps: Vec<(Step, StepSpec, u32)>,
}

impl<'t, 'a> Transcript<'t, 'a> {
    pub(crate) fn new(cx: &'t CaseContext<'a>, name: &'static str) -> Self {
        let credentials = &cx.target().credentials;
        let names = [(&credentials.test_key, "<test key>"), (&credentials.admin_key, "<admin key>")];
        let names = names.map(|(value, label)| (value.clone(), label.to_owned())).to_vec();
        Self { cx, name, names, bound: BTreeMap::new(), steps: Vec::new() }
    }

    /// Shows this value as `<label>` from now on, wherever a text contains it.
    pub(crate) fn call(&mut self, value: impl Into<String>, label: &str) {
        self.names.push((value.into(), format!("<{label}>")));
    }

    /// Remembers a value under a label, for masks to compare others with.
    pub(crate) fn know(&mut self, label: &'static str, value: Option<Value>) {
        self.bound.extend(value.map(|value| (label, value)));
    }

    pub(crate) fn send(&mut self, request: Request<'_>, spec: StepSpec) -> Result<Reply, CaseError> {
        let reply = request.send()?;
        self.add(&reply, spec)?;
        Ok(reply)
    }

    pub(crate) fn add(&mut self, reply: &Reply, spec: StepSpec) -> CaseResult {
        let now_ms = self.cx.target_now()?;
        let target = self.cx.target();
        let keys = [target.principal.as_str(), &target.client];
        let step = render::step(reply, &spec, &self.names, keys, &mut self.bound, now_ms);
        self.steps.push((step, spec, reply.exchange().number));
        Ok(())
    }

    /// Compares the transcript with its file, or records it.
    pub(crate) fn compare(self) -> CaseResult {
        if let Some(recorder) = &self.cx.session().recorder {
            let texts: Vec<_> = self.steps.iter().map(|(step, ..)| step.text()).collect();
            recorder.lock().unwrap_or_else(PoisonError::into_inner).insert(self.name.to_owned(), texts.join("\n"));
            return Ok(());
        }
        let none = || CaseError::Broken(format!("there is no snapshot {}.snap", self.name));
        let reviewed = reviewed::steps(self.name).ok_or_else(none)?;
        for (index, (step, spec, exchange)) in self.steps.iter().enumerate() {
            let Some(wanted) = reviewed.get(index).filter(|wanted| wanted.name == step.name) else {
                return Err(CaseError::Broken(format!("the snapshot {} has no step {}", self.name, step.name)));
            };
            if let Some(Mismatch { rule, place, want, got, .. }) = wanted.difference(step, spec) {
                let rules = self.cx.client().rules();
                return Err(rules.mismatch(Some(rule), place.in_step(spec.step), want, got).seen_in(*exchange));
            }
        }
        Ok(())
    }
}
