//! Golden exchanges: whole requests and answers as reviewed text, one file a scene under `conformance/snapshots`.
//!
//! A scene renders what went over the wire, with every value that may differ from run to run shown as a relation that was
//! verified first (`<md5 of datos>`, `<id A + 1>`), never as a blank. The test `tests/snapshots.rs` records the scenes of the
//! reference with insta; the same files, built into the program, are what any other implementation is compared with: header
//! names in any case and order, JSON keys in any order, free texts, and the readings a scene allows.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};

use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::http::reply::Reply;

pub mod headers;
mod mask;
mod render;
mod step;

pub use headers::Kind;
pub use mask::Mask;
pub use step::Block;

static SNAPSHOTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/snapshots");

/// Whether a value may stand where nothing need stand.
type Passes = fn(&serde_json::Value) -> bool;

/// How one step of a scene is shown and judged.
#[derive(Debug, Clone)]
pub struct Shown {
    pub(crate) step: &'static str,
    pub(crate) status_rule: &'static str,
    pub(crate) body_rule: &'static str,
    pub(crate) masks: Vec<(&'static str, Mask)>,
    pub(crate) kind: Kind,
    pub(crate) free_keys: Vec<(&'static str, Passes)>,
}

impl Shown {
    /// A step, what kind of answer it brings, the rule its status obeys and the rule its body obeys.
    pub fn new(step: &'static str, kind: Kind, status_rule: &'static str, body_rule: &'static str) -> Self {
        Self { step, kind, status_rule, body_rule, masks: Vec::new(), free_keys: Vec::new() }
    }

    /// Shows the value at a JSON pointer as a relation, once it was verified.
    #[must_use]
    pub fn mask(mut self, pointer: &'static str, mask: Mask) -> Self {
        self.masks.push((pointer, mask));
        self
    }

    /// Shows the refusal's text as free.
    #[must_use]
    pub fn refusal(self) -> Self {
        self.mask("/error", Mask::Text)
    }

    /// A key another implementation may add here, when its value passes.
    #[must_use]
    pub fn free_key(mut self, pointer: &'static str, passes: Passes) -> Self {
        self.free_keys.push((pointer, passes));
        self
    }
}

/// A sequence of exchanges, rendered as it goes.
#[derive(Debug)]
pub struct Scene<'t, 'a> {
    cx: &'t CaseContext<'a>,
    name: &'static str,
    names: Vec<(String, String)>,
    bound: BTreeMap<&'static str, serde_json::Value>,
    blocks: Vec<(Block, Shown)>,
}

impl<'t, 'a> Scene<'t, 'a> {
    /// A scene; its name is its file's.
    pub fn new(cx: &'t CaseContext<'a>, name: &'static str) -> Self {
        let credentials = &cx.target().credentials;
        let names = [(&credentials.test_key, "<test key>"), (&credentials.admin_key, "<admin key>")];
        let names = names.map(|(value, label)| (value.clone(), label.to_owned())).to_vec();
        Self { cx, name, names, bound: BTreeMap::new(), blocks: Vec::new() }
    }

    /// From now on shows this value, wherever it stands in a text, as `<label>`.
    pub fn call(&mut self, value: impl Into<String>, label: &str) {
        self.names.push((value.into(), format!("<{label}>")));
    }

    /// Adds an exchange.
    ///
    /// # Errors
    /// [`CaseError::Hook`] when the target's time cannot be asked.
    pub fn add(&mut self, reply: &Reply, shown: Shown) -> CaseResult {
        let now_ms = self.cx.target_now()?;
        let block = render::block(
            reply.exchange(),
            reply.received(),
            &shown,
            &self.names,
            &self.cx.target().principal,
            &mut self.bound,
            now_ms,
        );
        self.blocks.push((block, shown));
        Ok(())
    }

    /// Compares the scene with its file; or only records it.
    ///
    /// # Errors
    /// [`CaseError::Mismatch`] at the first difference, [`CaseError::Broken`] when there is no such file.
    pub fn compare(self) -> CaseResult {
        if let Some(recorder) = &self.cx.session().recorder {
            let texts: Vec<_> = self.blocks.iter().map(|(block, _)| block.text()).collect();
            recorder.record(self.name, texts.join("\n"));
            return Ok(());
        }
        let Some(golden) = golden_text(self.name) else {
            return Err(CaseError::Broken(format!("there is no snapshot {}.snap", self.name)));
        };
        let golden = Block::parse_all(golden);
        for (index, (block, shown)) in self.blocks.iter().enumerate() {
            let Some(wanted) = golden.get(index).filter(|wanted| wanted.step == block.step) else {
                return Err(CaseError::Broken(format!("the snapshot {} has no step {}", self.name, block.step)));
            };
            if let Some(difference) = wanted.difference(block, shown) {
                return Err(self.mismatch(&difference, shown.step));
            }
        }
        Ok(())
    }

    fn mismatch(&self, difference: &step::Difference, step: &str) -> CaseError {
        let place = format!("step `{step}`, {}", difference.place);
        let rules = self.cx.client().rules();
        rules.mismatch(Some(difference.rule), place, &difference.want, &difference.got)
    }
}

/// The reviewed text of a scene, without insta's head.
fn golden_text(name: &str) -> Option<&'static str> {
    let file = SNAPSHOTS.get_file(format!("{name}.snap"))?.contents_utf8()?;
    let after_head = file.strip_prefix("---\n")?.split_once("\n---\n")?.1;
    Some(after_head)
}

/// The names of all recorded scenes.
pub fn recorded_scenes() -> Vec<String> {
    let stems = SNAPSHOTS
        .files()
        .filter(|file| file.path().extension().is_some_and(|ext| ext == "snap"))
        .filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned()));
    stems.collect()
}
