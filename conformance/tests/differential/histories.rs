//! Plays random histories on the reference and the model, compares reply by reply, and shrinks those that differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use libros_conformance::generate::histories::{Ask, Difference, Done, History, Judge, Names, Played, Side, play};
use libros_conformance::generate::inputs::{dice, shrunk};
use libros_conformance::http::exchange::Received;
use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::{Config, TestRunner};

use super::compare::Comparison;
use super::draw::history;
use super::pairing::Pairing;
use super::reference::Reference;

/// Stops after this many differences.
const DIFFERENCES_MAX: usize = 6;

/// Tries of simpler steps before steps are left out.
const SHRINKS_MAX: usize = 150;

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

/// The results of all histories.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    histories: u64,
    steps: usize,
    /// Replies by status.
    statuses: BTreeMap<u16, u64>,
    /// Replies that accepted a second factor.
    verified: u64,
    pub(crate) differences: Vec<String>,
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { histories, steps, statuses, verified, differences } = self;
        let statuses: Vec<_> = statuses.iter().map(|(status, count)| format!("{count} x {status}")).collect();
        let statuses = statuses.join(", ");
        let differences = differences.len();
        write!(
            f,
            "{histories} histories of {steps} steps played ({statuses}; {verified} second factors accepted): {differences} differences"
        )
    }
}

impl Outcome {
    fn count(&mut self, played: &Played) {
        self.histories += 1;
        self.steps += played.log.len();
        for Done { got, .. } in &played.log {
            *self.statuses.entry(got.status).or_default() += 1;
            self.verified += u64::from(got.body.starts_with(br#"{"verificado":true"#));
        }
    }
}

/// Compares whole replies, by the letter of the documents.
#[derive(Default)]
struct Whole(Pairing);

impl Judge for Whole {
    fn takes_readings(&self) -> bool {
        false
    }

    fn leaves_out(&self, _: &Ask, _: &Received) -> bool {
        false
    }

    fn difference(&mut self, ask: &Ask, want: Side<'_>, got: Side<'_>) -> Option<Difference> {
        Comparison { pairing: &mut self.0, is_head: ask.method == "HEAD" }
            .replies(got.reply, want.reply)
            .err()
            .map(|found| *found)
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
        let played = played(&reference, &tree.current());
        outcome.count(&played);
        if played.difference.is_none() {
            continue;
        }
        let smaller = smaller(&reference, &mut tree);
        let again = self::played(&reference, &smaller);
        // A difference that does not recur is a race: then the whole history is reported.
        let shown = if again.difference.is_some() { again } else { played };
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
    reference.reset();
    let people = PEOPLE.map(|(email, password)| (email.to_owned(), password.to_owned())).to_vec();
    let names = Names { people, ..Names::default() };
    play(&reference.caller(), &names, history, &mut Whole::default()).unwrap()
}

/// A smaller history that still differs: simplifies steps, then leaves them out.
fn smaller(reference: &Reference, tree: &mut impl ValueTree<Value = History>) -> History {
    let differs = |history: &History| played(reference, history).difference.is_some();
    let mut best = shrunk(tree, SHRINKS_MAX, differs);
    let mut size = best.0.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < best.0.len() {
            let mut candidate = best.clone();
            candidate.0.drain(at..(at + size).min(best.0.len()));
            if differs(&candidate) {
                best = candidate;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    best
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
    if let Some(last) = played.log.last() {
        let left = reference.transcript(&last.sent, &last.got);
        let right = reference.transcript(&last.asked, &last.want);
        text.push_str(&format!("reference:\n{left}model:\n{right}"));
    }
    if let Some(Difference { place, want, got }) = &played.difference {
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
