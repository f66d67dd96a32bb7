//! Which cases draw their inputs. Draws nothing.

/// The cases that draw their inputs; what they catch counts apart.
pub const GENERATED_CASES: [&str; 5] = [
    "list::generated_queries_are_answered_as_by_a_naive_list",
    "list::generated_loose_queries_are_answered_as_by_a_naive_list",
    "sessions::sequences_with_waiting_follow_the_model",
    "sessions::sequences_without_waiting_follow_the_model",
    "two-factor::walks_follow_the_model",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::chapters::cases;

    /// The functions below a folder that call `each`, the search for a failing input.
    fn functions_that_draw(folder: &Path, into: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                functions_that_draw(&path, into);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for function in text.split("\nfn ").skip(1).filter(|function| function.contains(" each(cx, ")) {
                into.extend(function.split('(').next().map(str::to_owned));
            }
        }
    }

    #[test]
    fn the_generated_cases_are_those_that_draw_inputs() {
        let mut drawing = BTreeSet::new();
        functions_that_draw(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/chapters"), &mut drawing);
        let cases = cases::all().into_iter().filter(|case| drawing.contains(case.name));
        let found: BTreeSet<String> = cases.map(|case| case.id()).collect();
        assert_eq!(found, GENERATED_CASES.map(str::to_owned).into());
        assert_eq!(found.len(), drawing.len(), "a function that is no case draws inputs: {drawing:?}");
    }
}
