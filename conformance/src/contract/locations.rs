//! Source locations as `file:line` from the root of the repository: `build.rs` collects them. A table is sorted by id.

include!(concat!(env!("OUT_DIR"), "/locations.rs"));

type Table = &'static [(&'static str, &'static str)];

fn of(table: Table, id: &str) -> impl Iterator<Item = &'static str> {
    let start = table.partition_point(|(known, _)| *known < id);
    let end = table.partition_point(|(known, _)| *known <= id);
    table[start..end].iter().map(|(_, place)| *place)
}

pub fn rule(id: &str) -> Option<&'static str> {
    of(RULES, id).next()
}

pub fn case(id: &str) -> Option<&'static str> {
    of(CASES, id).next()
}

/// The function that judges a case and its location; of a row, the function of its table.
pub fn judge(id: &str) -> Option<(&'static str, &'static str)> {
    of(JUDGES, id).next()?.split_once(' ')
}

pub fn variation(id: &str) -> Option<&'static str> {
    of(VARIATIONS, id).next()
}

/// The functions in the effect of a fault or a permitted reading, and their locations.
pub fn effect(id: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    of(EFFECTS, id).filter_map(|function| function.split_once(' '))
}

pub fn decisions(rule: &str) -> impl Iterator<Item = &'static str> {
    of(DECISIONS, rule)
}
