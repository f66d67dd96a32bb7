//! Draws inputs from the run's seed, tries them, and shrinks one that fails. Tries several at a time on an implementation far away.
//!
//! The same seed draws the same inputs for the same case in any run: `--seed` replays them. Never judges.

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sha2::{Digest as _, Sha256};

use crate::clock;
use crate::context::case_context::CaseContext;
use crate::http::reply::Reply;
use crate::http::request::Request;
use crate::mutex::locked;
use crate::verdict::{CaseError, CaseResult, NoAnswer};

const SHRINKS_MAX: usize = 300;

/// A smaller form that takes longer is the last one tried.
const SLOW: Duration = Duration::from_secs(3);

/// Whether a try is recorded: only the last one is, on the smallest failing input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    Forget,
    Record,
}

impl Show {
    /// Sends the request of a try. Errors: [`CaseError::NoAnswer`] when no answer comes that can be read.
    pub fn send(self, request: Request<'_>) -> Result<Reply, CaseError> {
        match self {
            Self::Forget => request.send_unrecorded(),
            Self::Record => request.send(),
        }
    }
}

/// Judges `draws` inputs. Judges the smallest failing one once more, recorded, and reports it.
/// Errors: what stopped the case; a mismatch names the input at its place.
pub fn each<S>(
    cx: &CaseContext<'_>,
    draws: u32,
    inputs: &S,
    judge: impl Fn(&S::Value, Show) -> CaseResult + Sync,
) -> CaseResult
where
    S: Strategy,
    S::Value: Display + Debug + Sync,
{
    locked(&cx.record).searches = true;
    let mut trees = trees(draws, inputs, dice(cx.seed(), cx.id()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| CaseError::Broken(format!("no inputs: {why}")))?;
    let values: Vec<S::Value> = trees.iter().map(ValueTree::current).collect();
    let is_over = AtomicBool::new(false);
    let stops = cx.in_lanes(values.len(), |place| {
        let stop = if is_over.load(Ordering::Relaxed) { None } else { judge(&values[place], Show::Forget).err() };
        is_over.fetch_or(stop.is_some(), Ordering::Relaxed);
        stop
    });
    let stops = stops.into_iter().enumerate().filter_map(|(place, stop)| Some((place, stop?)));
    // What stopped other inputs may follow from a failure of the implementation.
    let first = stops.min_by_key(|(_, stop)| !is_of_the_implementation(stop));
    let Some((place, first)) = first else { return Ok(()) };
    if !is_of_the_implementation(&first) {
        return Err(first);
    }
    // Smaller forms of a hanging input would hang as well, hundreds of times.
    let is_stuck = Cell::new(false);
    let fails = |input: &S::Value| {
        if is_stuck.get() {
            return false;
        }
        let begun = clock::stopwatch();
        let failure = judge(input, Show::Forget).err();
        let fails = failure.as_ref().is_some_and(is_of_the_implementation);
        is_stuck.set(begun.elapsed() > SLOW || failure.is_some() && !fails);
        fails
    };
    let input = shrunk(&mut trees[place], fails);
    match judge(&input, Show::Record) {
        Err(stop) if is_of_the_implementation(&stop) => Err(with_input(stop, &input)),
        // It no longer fails, or could not be judged: report the first failure.
        _ => Err(with_input(first, &values[place])),
    }
}

fn is_of_the_implementation(stop: &CaseError) -> bool {
    matches!(stop, CaseError::Mismatch(_) | CaseError::NoAnswer(_))
}

#[derive(Debug)]
pub struct Found<V> {
    pub input: V,
    pub drawn: u32,
}

pub fn smallest<S: Strategy>(
    draws: u32,
    inputs: &S,
    dice: TestRng,
    fails: impl Fn(&S::Value) -> bool,
) -> Result<Option<Found<S::Value>>, String> {
    for (drawn, tree) in (1..).zip(trees(draws, inputs, dice)) {
        let mut tree = tree?;
        if fails(&tree.current()) {
            let input = shrunk(&mut tree, &fails);
            return Ok(Some(Found { input, drawn }));
        }
    }
    Ok(None)
}

fn trees<S: Strategy>(draws: u32, inputs: &S, dice: TestRng) -> impl Iterator<Item = Result<S::Tree, String>> {
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, dice);
    (0..draws.max(1)).map(move |_| inputs.new_tree(&mut runner).map_err(|why| why.to_string()))
}

pub fn shrunk<T: ValueTree>(tree: &mut T, fails: impl Fn(&T::Value) -> bool) -> T::Value {
    let mut input = tree.current();
    let mut moves = tree.simplify();
    for _ in 0..SHRINKS_MAX {
        if !moves {
            break;
        }
        let smaller = tree.current();
        moves = if fails(&smaller) {
            input = smaller;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    input
}

fn with_input(stop: CaseError, input: &impl Display) -> CaseError {
    match stop {
        CaseError::Mismatch(mut mismatch) => {
            mismatch.place = mismatch.place.when(format_args!("of: {input}"));
            CaseError::Mismatch(mismatch)
        }
        CaseError::NoAnswer(none) => CaseError::NoAnswer(NoAnswer { why: format!("{none}, in: {input}"), ..none }),
        other => other,
    }
}

pub fn dice(seed: u64, name: &str) -> TestRng {
    let seed = format!("{seed} {name}");
    TestRng::from_seed(RngAlgorithm::ChaCha, &Sha256::digest(seed.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::context::session::Session;
    use crate::implementation::profile::{MINIMAL, Target};
    use crate::violation::Mismatch;

    fn context(session: &Session) -> CaseContext<'_> {
        CaseContext::new(session, Arc::new(()), "paging::numbers", &["paging/limit-maximum"], false)
    }

    fn session(seed: u64) -> Session {
        Session::new(Target::parse(MINIMAL).unwrap(), None, seed, 64, Duration::from_secs(1))
    }

    fn drawn(seed: u64) -> Vec<u32> {
        let session = session(seed);
        let seen = Mutex::new(Vec::new());
        let judge = |number: &u32, _| {
            seen.lock().unwrap().push(*number);
            Ok(())
        };
        each(&context(&session), 64, &(0_u32..1_000_000), judge).unwrap();
        seen.into_inner().unwrap()
    }

    #[test]
    fn a_seed_draws_the_same_inputs_again_and_another_draws_others() {
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert_eq!(drawn(1).len(), 64);
    }

    #[test]
    fn the_smallest_failing_input_is_reported_and_it_alone_is_recorded() {
        let session = session(1);
        let recorded = Mutex::new(Vec::new());
        let judge = |number: &u32, show| {
            if show == Show::Record {
                recorded.lock().unwrap().push(*number);
            }
            if *number < 1_000 {
                return Ok(());
            }
            Err(Mismatch::new("paging/limit-maximum", "number", "less than 1000", u64::from(*number)).into())
        };
        let Err(CaseError::Mismatch(mismatch)) = each(&context(&session), 64, &(0_u32..1_000_000), judge) else {
            panic!("no mismatch");
        };
        assert_eq!(mismatch.summary(), "number of: 1000: want less than 1000, got 1000");
        assert_eq!(recorded.into_inner().unwrap(), [1_000]);
    }

    #[test]
    fn a_failed_preparation_ends_the_search() {
        let session = session(1);
        let tries = AtomicUsize::new(0);
        let judge = |_: &u32, _| {
            tries.fetch_add(1, Ordering::Relaxed);
            Err(CaseError::Hook("gone".into()))
        };
        assert!(matches!(each(&context(&session), 64, &(0_u32..1_000_000), judge), Err(CaseError::Hook(_))));
        assert_eq!(tries.into_inner(), 1);
    }
}
