//! Measures whether generated queries alone find each fault in lists: tries each with many seeds. Sends nothing.

use serde_json::{Value, json};

use super::{in_parallel, is_listed};
use crate::generate::inputs::{Found, dice, smallest};
use crate::generate::queries::{Domain, MARKER, Query, differ_in, is_of_lists, naive_body, queries, sample_books};
use crate::impostor::faults::{self, Fault, Faults};

pub const PARAMETERS_MAX: usize = 3;

#[derive(Debug, Clone)]
pub struct Rate {
    pub fault: &'static Fault,
    pub seeds: usize,
    pub found: usize,
    /// How many of those shrank the query to [`PARAMETERS_MAX`] parameters, besides the marker of the books.
    pub small: usize,
    /// How many inputs it took, at the median of the seeds that found it.
    pub inputs_median: u32,
}

impl Rate {
    /// Whether 99 of 100 seeds found it and made it small.
    pub fn is_enough(&self) -> bool {
        100 * self.small >= 99 * self.seeds
    }
}

pub fn rates(seeds: u64, inputs: u32, jobs: usize) -> Vec<Rate> {
    let sets: Vec<Vec<Value>> = (1..=seeds).map(books).collect();
    let reached = faults::all().filter(|fault| is_of_lists(fault.rule()) && !is_listed("out_of_reach", fault));
    let mut done = in_parallel(reached, jobs, |fault| rate(fault, &sets, inputs));
    done.sort_by_key(|rate| (rate.small, rate.fault.rule(), rate.fault.id));
    done
}

fn rate(fault: &'static Fault, sets: &[Vec<Value>], inputs: u32) -> Rate {
    let faults = Faults::one(fault.id).unwrap_or_default();
    let finds = (1..).zip(sets).filter_map(|(seed, books)| find(seed, books, &faults, inputs));
    let finds: Vec<Found<Query>> = finds.collect();
    let mut drawn: Vec<u32> = finds.iter().map(|find| find.drawn).collect();
    drawn.sort_unstable();
    Rate {
        fault,
        seeds: sets.len(),
        found: finds.len(),
        small: finds.iter().filter(|find| find.input.count() <= PARAMETERS_MAX).count(),
        inputs_median: drawn.get(drawn.len() / 2).copied().unwrap_or_default(),
    }
}

/// Draws queries, of one type and then loose ones, until the faulty list differs from the naive one; shrinks that query.
fn find(seed: u64, books: &[Value], faults: &Faults, inputs: u32) -> Option<Found<Query>> {
    let all = [&strangers()[..], books].concat();
    [Domain::Agreed, Domain::Loose].into_iter().find_map(|domain| {
        let is_different = |ask: &Query| {
            let ask = ask.marked("uno");
            differ_in(domain, books, &ask, &naive_body(&all, &ask, &faults.steps.list)).is_some()
        };
        let queries = queries(domain, &mut dice(seed, "order of rates"));
        let found = smallest(inputs, &queries, dice(seed, "rates of generated queries"), is_different);
        // Only a strategy that filters can fail to draw.
        found.ok().flatten()
    })
}

fn books(seed: u64) -> Vec<Value> {
    let bodies = sample_books(&mut dice(seed, "books of rates"));
    let stored = |(id, mut book): (u64, Value)| {
        book[MARKER] = json!("uno");
        book["id"] = json!(id);
        book["fechaCreacion"] = json!("2026-01-01T00:00:00.000Z");
        book["creadoPor"] = json!("Admin Client");
        book
    };
    (6..).zip(bodies).map(stored).collect()
}

/// Books that belong to others and come first in the collection.
fn strangers() -> Vec<Value> {
    let stored = |id| json!({ "id": id, "titulo": format!("Otro {id}"), "autor": "Faro", "n": id, "fechaCreacion": "2024-01-01T00:00:00.000Z", "creadoPor": null });
    (1..=5).map(stored).collect()
}
