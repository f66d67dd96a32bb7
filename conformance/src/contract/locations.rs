//! Where everything stands, as `file:line` from the root of the repository: noted by `build.rs` when the program is built.

include!(concat!(env!("OUT_DIR"), "/locations.rs"));

fn of(table: &'static [(&str, &str)], id: &str) -> impl Iterator<Item = &'static str> {
    let start = table.partition_point(|(known, _)| *known < id);
    let rows = table[start..].iter();
    rows.take_while({
        let id = id.to_owned();
        move |(known, _)| *known == id
    })
    .map(|(_, place)| *place)
}

/// Where a rule is declared.
pub fn rule(id: &str) -> Option<&'static str> {
    of(RULES, id).next()
}

/// Where a case is declared; `id` is `chapter::name`.
pub fn case(id: &str) -> Option<&'static str> {
    of(CASES, id).next()
}

/// The function that judges a case, and where it stands; of a row the one that judges all rows of its table.
pub fn judge(id: &str) -> Option<(&'static str, &'static str)> {
    functions(JUDGES, id).next()
}

/// Where a fault of the impostor is declared, with what it changes.
pub fn fault(id: &str) -> Option<&'static str> {
    of(FAULTS, id).next()
}

/// Where a permitted reading of the impostor is declared, with what it changes.
pub fn reading(id: &str) -> Option<&'static str> {
    of(READINGS, id).next()
}

/// The functions that the effect of a fault names, and where they stand.
pub fn fault_effect(id: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    functions(FAULT_EFFECTS, id)
}

/// The functions that the effect of a permitted reading names, and where they stand.
pub fn reading_effect(id: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    functions(READING_EFFECTS, id)
}

fn functions(table: &'static [(&str, &str)], id: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    of(table, id).filter_map(|function| function.split_once(' '))
}

/// The lines of the reference server that decide a rule.
pub fn decisions(rule: &str) -> impl Iterator<Item = &'static str> {
    of(DECISIONS, rule)
}
