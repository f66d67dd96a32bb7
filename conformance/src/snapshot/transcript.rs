//! A transcript of a case's exchanges, compared with the reviewed one of its name.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};

use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::http::reply::Reply;
use crate::snapshot::render;
use crate::snapshot::step::{Difference, Step};
use crate::snapshot::step_spec::StepSpec;

static SNAPSHOTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/snapshots");

/// A sequence of exchanges, rendered as it goes.
#[derive(Debug)]
pub(crate) struct Transcript<'t, 'a> {
    cx: &'t CaseContext<'a>,
    name: &'static str,
    names: Vec<(String, String)>,
    bound: BTreeMap<&'static str, serde_json::Value>,
    /// Each with the number of its exchange.
    steps: Vec<(Step, StepSpec, u32)>,
}

impl<'t, 'a> Transcript<'t, 'a> {
    /// A transcript; its name is its file's.
    pub(crate) fn new(cx: &'t CaseContext<'a>, name: &'static str) -> Self {
        let credentials = &cx.target().credentials;
        let names = [(&credentials.test_key, "<test key>"), (&credentials.admin_key, "<admin key>")];
        let names = names.map(|(value, label)| (value.clone(), label.to_owned())).to_vec();
        Self { cx, name, names, bound: BTreeMap::new(), steps: Vec::new() }
    }

    /// From now on shows this value, wherever it stands in a text, as `<label>`.
    pub(crate) fn call(&mut self, value: impl Into<String>, label: &str) {
        self.names.push((value.into(), format!("<{label}>")));
    }

    /// Adds an exchange.
    pub(crate) fn add(&mut self, reply: &Reply, spec: StepSpec) -> CaseResult {
        let now_ms = self.cx.target_now()?;
        let step = render::step(
            reply.exchange(),
            reply.received(),
            &spec,
            &self.names,
            &self.cx.target().principal,
            &mut self.bound,
            now_ms,
        );
        self.steps.push((step, spec, reply.exchange().number));
        Ok(())
    }

    /// Compares the transcript with its file; or only records it.
    pub(crate) fn compare(self) -> CaseResult {
        if let Some(recorder) = &self.cx.session().recorder {
            let texts: Vec<_> = self.steps.iter().map(|(step, ..)| step.text()).collect();
            recorder.record(self.name, texts.join("\n"));
            return Ok(());
        }
        let Some(reviewed) = reviewed_text(self.name) else {
            return Err(CaseError::Broken(format!("there is no snapshot {}.snap", self.name)));
        };
        let reviewed = Step::parse_all(reviewed);
        for (index, (step, spec, exchange)) in self.steps.iter().enumerate() {
            let Some(wanted) = reviewed.get(index).filter(|wanted| wanted.name == step.name) else {
                return Err(CaseError::Broken(format!("the snapshot {} has no step {}", self.name, step.name)));
            };
            if let Some(difference) = wanted.difference(step, spec) {
                return Err(self.mismatch(&difference, spec.step).seen_in(*exchange));
            }
        }
        Ok(())
    }

    fn mismatch(&self, difference: &Difference, step: &str) -> CaseError {
        let place = format!("step `{step}`, {}", difference.place);
        let rules = self.cx.client().rules();
        rules.mismatch(Some(difference.rule), place, &difference.want, &difference.got)
    }
}

/// The reviewed text of a transcript, without insta's head.
fn reviewed_text(name: &str) -> Option<&'static str> {
    let file = SNAPSHOTS.get_file(format!("{name}.snap"))?.contents_utf8()?;
    let after_head = file.strip_prefix("---\n")?.split_once("\n---\n")?.1;
    Some(after_head)
}

/// The names of all recorded transcripts.
pub fn recorded_transcripts() -> Vec<String> {
    let stems = SNAPSHOTS
        .files()
        .filter(|file| file.path().extension().is_some_and(|ext| ext == "snap"))
        .filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned()));
    stems.collect()
}
