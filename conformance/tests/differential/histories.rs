//! Plays random histories on the reference and the model, compares reply by reply, and shrinks those that differ.

use std::collections::BTreeSet;

use libros_conformance::generate::histories::{Difference, History, Judge, Names, Played, Side, StepRequest, play};
use libros_conformance::generate::inputs::{dice, shrunk};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};

use super::Outcome;
use super::compare::Comparison;
use super::draw::history;
use super::reference::Reference;

/// Stops after this many differences.
const DIFFERENCES_MAX: usize = 6;

/// E-mails and passwords of histories, the two initial users first.
const PEOPLE: [(&str, &str); 7] = [
    ("admin@biblioteca.example", "Admin-de-prueba-1"),
    ("lectora@biblioteca.example", "Lectora-de-prueba-2"),
    ("ana@ejemplo.test", "una clave"),
    ("beto@ejemplo.test", "Clave-de-Beto-9"),
    ("carla@ejemplo.test", "ñandú 😀"),
    ("Ana@ejemplo.test", "otra clave"),
    ("no es un correo", "x"),
];

/// Compares whole replies, by the letter of the documents.
impl Judge for Comparison {
    fn takes_readings(&self) -> bool {
        false
    }

    fn difference(&mut self, request: &StepRequest, want: Side<'_>, got: Side<'_>) -> Option<Difference> {
        self.replies(request, got.reply, want.reply).err().map(|found| *found)
    }
}

pub(crate) fn run(histories: u64, seed: u64) -> Outcome {
    let reference = Reference::start();
    let mut outcome = Outcome::default();
    let mut known = BTreeSet::new();
    for number in 0..histories {
        let config = Config { failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, dice(seed, &format!("history {number}")));
        let mut tree = history().new_tree(&mut runner).unwrap();
        let first = played(&reference, &tree.current());
        outcome.count("histories", 1);
        outcome.count("steps", first.log.len() as u64);
        for done in &first.log {
            outcome.count(format!("replies of {}", done.got.status), 1);
            let is_verified = done.got.body.starts_with(br#"{"verificado":true"#);
            outcome.count("second factors accepted", u64::from(is_verified));
        }
        if first.difference.is_none() {
            continue;
        }
        let smaller = shrunk(&mut tree, |history| played(&reference, history).difference.is_some());
        let again = played(&reference, &smaller);
        // A difference that does not recur is a race: then the whole history is reported.
        let shown = if again.difference.is_some() { again } else { first };
        if known.insert(headline(&shown)) {
            outcome.differences.push(format!("history {number}\n{}", text(&reference, &shown)));
        }
        if outcome.differences.len() >= DIFFERENCES_MAX {
            break;
        }
    }
    outcome
}

fn played(reference: &Reference, history: &History) -> Played {
    reference.control.reset().unwrap();
    let people = PEOPLE.map(|(email, password)| (email.to_owned(), password.to_owned())).to_vec();
    play(reference, &Names { people, ..Names::default() }, history, &mut Comparison::default()).unwrap()
}

/// As `curl` lines, with the last replies.
fn text(reference: &Reference, played: &Played) -> String {
    let mut text = String::new();
    for done in &played.log {
        if done.waited_ms > 0 {
            text.push_str(&format!("# the clock {} s ahead\n", done.waited_ms / 1_000));
        }
        text.push_str(&format!("{}\n", reference.sent(&done.sent).curl()));
    }
    if let (Some(last), Some(Difference { place, want, got })) = (played.log.last(), &played.difference) {
        text.push_str(&reference.transcript([&last.sent, &last.asked], [&last.got, &last.want]));
        text.push_str(&format!("differs: {place}\n  reference {got}\n  model     {want}\n"));
    }
    text
}

/// The difference and its request, to report each only once.
fn headline(played: &Played) -> String {
    let place = played.difference.as_ref().map(|difference| difference.place.to_string()).unwrap_or_default();
    let sent = played.log.last().map(|done| format!("{} {}", done.template.method, done.template.path));
    format!("{place} of {}", sent.unwrap_or_default())
}
