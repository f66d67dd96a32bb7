//! How far a target goes: the largest measure of something that it still takes. Never judges.

use crate::case::Stop;

/// The largest measure from 1 to `most`, a power of two, that is taken: doubled until one is not, then halved between.
/// 0 when not even 1 is.
///
/// # Errors
/// Those of `takes`.
pub fn largest(most: usize, mut takes: impl FnMut(usize) -> Result<bool, Stop>) -> Result<usize, Stop> {
    let mut taken = 0;
    let mut refused = 1;
    while refused <= most && takes(refused)? {
        taken = refused;
        refused *= 2;
    }
    if refused > most {
        return Ok(taken);
    }
    while refused - taken > 1 {
        let middle = taken.midpoint(refused);
        if takes(middle)? {
            taken = middle;
        } else {
            refused = middle;
        }
    }
    Ok(taken)
}

/// What [`largest`] came to, for a reader.
pub fn bound(what: &str, largest: usize, most: usize) -> String {
    if largest == most { format!("{what}: {most} and more") } else { format!("{what}: at most {largest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_found_wherever_it_is() {
        for bound in 0..=70 {
            let found = largest(64, |measure| Ok(measure <= bound));
            assert_eq!(found.ok(), Some(bound.min(64)));
        }
    }

    #[test]
    fn what_has_no_end_within_reach_is_told_so() {
        assert_eq!(bound("levels", 64, 64), "levels: 64 and more");
        assert_eq!(bound("levels", 3, 64), "levels: at most 3");
    }
}
