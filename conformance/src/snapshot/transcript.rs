//! A transcript of a case's exchanges, compared with the reviewed one.

use serde_json::Value;

use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::contract::violation::Mismatch;
use crate::fixture::books;
use crate::http::reply::Reply;
use crate::http::request::Request;
use crate::mutex::locked;
use crate::snapshot::mask::Bound;
use crate::snapshot::step::Step;
use crate::snapshot::step_spec::{StepSpec, difference};
use crate::snapshot::{render, reviewed};

#[derive(Debug)]
pub(crate) struct Transcript<'t, 'a> {
    cx: &'t CaseContext<'a>,
    began_ms: i64,
    names: Vec<(String, String)>,
    bound: Bound,
    steps: Vec<Step>,
}

impl<'t, 'a> Transcript<'t, 'a> {
    /// The transcript of a case has the name of the case.
    pub(crate) fn new(cx: &'t CaseContext<'a>) -> CaseResult<Self> {
        let credentials = &cx.target().credentials;
        let names = [(&credentials.test_key, "<test key>"), (&credentials.admin_key, "<admin key>")];
        let names = names.map(|(value, label)| (value.clone(), label.to_owned())).to_vec();
        Ok(Self { cx, began_ms: cx.target_now()?, names, bound: Bound::new(), steps: Vec::new() })
    }

    /// From now on shows this value as `<label>` in every text, and sends it in the place of `<label>`.
    pub(crate) fn call(&mut self, value: impl Into<String>, label: &str) {
        let value = value.into();
        self.names.extend((!value.is_empty()).then(|| (value, format!("<{label}>"))));
    }

    /// Remembers a value under a label, for masks to compare others with.
    pub(crate) fn know(&mut self, label: &str, value: Option<Value>) {
        self.bound.extend(value.map(|value| (label.to_owned(), value)));
    }

    /// Sends the requests of the reviewed text and compares or records the answers. `learn` gets each answer by the name of its step.
    pub(crate) fn play(mut self, learn: impl Fn(&mut Self, &str, &Reply) -> CaseResult) -> CaseResult {
        let none = || CaseError::Broken(format!("there is no snapshot {}.snap", self.cx.name()));
        for (step, spec) in reviewed::played(self.cx.name()).ok_or_else(none)? {
            let reply = books::adopt(self.cx, self.request(step).send()?);
            learn(&mut self, &step.name, &reply)?;
            self.add(&reply, step, spec)?;
        }
        self.record();
        Ok(())
    }

    /// The request of a reviewed step, with values in the place of their names.
    fn request(&self, step: &Step) -> Request<'t> {
        let named =
            |text: &str| self.names.iter().fold(text.to_owned(), |text, (value, name)| text.replace(name, value));
        let (method, path) = step.target();
        let mut lines = step.request.iter().skip(1);
        let headers = lines.by_ref().take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(": "));
        let request = self.cx.request_at(step.interface(), method, &named(path));
        let request = headers.fold(request, |request, (name, value)| request.header(name, &named(value)));
        let body: Vec<&str> = lines.map(String::as_str).collect();
        if body.is_empty() {
            return request;
        }
        let body = named(&body.join("\n"));
        let json = serde_json::from_str::<Value>(&body).map(|json| json.to_string());
        request.body_of_type(None, json.unwrap_or(body).as_bytes())
    }

    fn add(&mut self, reply: &Reply, reviewed: &'static Step, spec: &'static StepSpec) -> CaseResult {
        let during = self.began_ms..=self.cx.target_now()?;
        let target = self.cx.target();
        let keys = [target.principal.as_str(), &target.client];
        let step = render::step(reply, reviewed, spec, &self.names, keys, &mut self.bound, &during);
        if self.cx.session().recorder.is_none()
            && let Some(Mismatch { rule, place, want, got, .. }) = difference(reviewed, &step)
        {
            let broken = self.cx.client().rules.mismatch(Some(rule), place.in_step(&reviewed.name), want, got);
            return Err(broken.seen_in(&[reply.exchange().number]));
        }
        self.steps.push(step);
        Ok(())
    }

    /// Records it, where transcripts are recorded.
    fn record(self) {
        if let Some(recorder) = &self.cx.session().recorder {
            let texts: Vec<_> = self.steps.iter().map(Step::text).collect();
            locked(recorder).insert(self.cx.name().to_owned(), texts.join("\n"));
        }
    }
}
