//! Draws texts from the grammar in `vocabulary.toml`, and reads histories of all interfaces from them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use libros_conformance::generate::histories::{History, Step, StepRequest, Wait};
use libros_conformance::implementation::profile::Interface;
use proptest::prelude::*;
use proptest::strategy::Union;
use toml::{Table, Value};

/// Most steps of a history.
const STEPS_MAX: usize = 60;

const METHODS: [&str; 9] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

static GRAMMAR: LazyLock<Table> = LazyLock::new(|| include_str!("vocabulary.toml").parse().unwrap());

/// One of an entry's alternatives; shrinks towards the first.
pub(crate) fn drawn(entry: &str) -> BoxedStrategy<String> {
    let alternatives = GRAMMAR[entry].as_array().unwrap().iter().map(|alternative| match alternative {
        Value::Array(pair) => {
            (u32::try_from(pair[0].as_integer().unwrap()).unwrap(), filled(pair[1].as_str().unwrap()))
        }
        text => (1, filled(text.as_str().unwrap())),
    });
    Union::new_weighted(alternatives.collect()).boxed()
}

/// The text with each `«name»` drawn once.
fn filled(template: &'static str) -> BoxedStrategy<String> {
    let names: BTreeSet<&str> =
        template.split('«').filter_map(|rest| rest.split_once('»')).map(|(name, _)| name).collect();
    // An entry may name itself, so its strategy is made only when it is drawn.
    let texts: Vec<_> = names.iter().map(|name| Just(*name).prop_flat_map(drawn)).collect();
    let replaced = move |texts: Vec<String>| {
        let pairs = names.iter().zip(texts);
        pairs.fold(template.to_owned(), |text, (name, drawn)| text.replace(&format!("«{name}»"), &drawn))
    };
    texts.prop_map(replaced).boxed()
}

pub(crate) fn history() -> impl Strategy<Value = History> {
    prop::collection::vec(drawn("part"), 1..=50).prop_map(|parts| {
        let steps = parts.iter().flat_map(|part| part.split('→')).map(step);
        History(steps.take(STEPS_MAX).collect())
    })
}

fn step(text: &str) -> Step {
    let mut pieces = text.split('¦');
    let (method, path) = pieces.next().unwrap().split_once(' ').unwrap();
    if method == "wait" {
        return Step::Wait(Wait::Seconds(path.parse().unwrap()));
    }
    let mut request = StepRequest::new(METHODS.into_iter().find(|known| *known == method).unwrap(), path);
    for piece in pieces {
        match piece.split_at(1) {
            ("@", key) => request.interface = Interface::of_key(key).unwrap(),
            ("=", body) => request.body = Some(body.to_owned()),
            _ => request = piece.split_once(": ").into_iter().fold(request, |it, (name, value)| it.header(name, value)),
        }
    }
    Step::Send(request)
}
