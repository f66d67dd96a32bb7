//! Selects the cases of a run by patterns of case and rule ids, by chapters, and by skips.
//!
//! A pattern that matches nothing is an error, so that a typing slip never makes a run green. Hostile cases are taken only by name.

use glob::Pattern;
use strsim::levenshtein;

use crate::case::Case;
use crate::contract::renamed::{gone, present};
use crate::contract::rule::Contract;

#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Case or rule patterns (`*` stands for any text); none means every case.
    pub patterns: Vec<String>,
    pub chapters: Vec<String>,
    pub skips: Vec<String>,
}

impl Selection {
    pub fn select<'c>(&self, cases: &[&'c Case], contract: &Contract) -> Result<Vec<&'c Case>, String> {
        for chapter in &self.chapters {
            if !cases.iter().any(|case| case.chapter == chapter) {
                let mut known: Vec<_> = cases.iter().map(|case| case.chapter).collect();
                known.dedup();
                let hint = nearest(chapter, known.iter().map(|known| (*known).to_owned())).map_or_else(
                    || format!("; there are {}", known.join(", ")),
                    |near| format!("; did you mean `{near}`?"),
                );
                return Err(format!("no chapter is called `{chapter}`{hint}"));
            }
        }
        let patterns = matchers(&self.patterns, cases, contract)?;
        let skips = matchers(&self.skips, cases, contract)?;
        let takes = |case: &Case| {
            (!case.is_opt_in() || self.asks_for(case))
                && (self.chapters.is_empty() || self.chapters.iter().any(|chapter| chapter == case.chapter))
                && (patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, case)))
                && !skips.iter().any(|pattern| fits(pattern, case))
        };
        Ok(cases.iter().copied().filter(|case| takes(case)).collect())
    }

    /// Whether the case or its chapter is named; a pattern that begins with `*` names no case.
    fn asks_for(&self, case: &Case) -> bool {
        let names = |pattern: &String| {
            pattern == case.name || pattern.split([':', '/', '*']).next().is_some_and(|chapter| chapter == case.chapter)
        };
        self.chapters.iter().any(|chapter| chapter == case.chapter) || self.patterns.iter().any(names)
    }
}

fn matchers(patterns: &[String], cases: &[&Case], contract: &Contract) -> Result<Vec<Pattern>, String> {
    let mut matchers = Vec::new();
    for pattern in patterns {
        let pattern = present(pattern);
        let matcher = parse_pattern(pattern)?;
        if cases.iter().any(|case| fits(&matcher, case)) {
            matchers.push(matcher);
            continue;
        }
        let only_rules: Vec<_> = contract.rules().filter(|rule| matcher.matches(&rule.id)).collect();
        return Err(match only_rules.first() {
            Some(rule) => {
                let why = rule.hidden.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
                format!("`{pattern}` names {}, which no case judges{why}", rule.id)
            }
            None if let Some(why) = gone(pattern) => format!("`{pattern}` went: {why}"),
            None if pattern.ends_with(".toml") => {
                format!("`{pattern}` is no case and no rule; a profile is named with --profile")
            }
            None => format!("`{pattern}` matches no case and no rule{}", suggestion(pattern, cases, contract)),
        });
    }
    Ok(matchers)
}

/// A pattern, in which `*` stands for anything, slashes and colons included.
pub(crate) fn parse_pattern(text: &str) -> Result<Pattern, String> {
    Pattern::new(text).map_err(|error| format!("`{text}`: {}", error.msg))
}

fn fits(pattern: &Pattern, case: &Case) -> bool {
    pattern.matches(&case.id())
        || pattern.matches(case.chapter)
        || pattern.matches(case.name)
        || case.rules.iter().any(|rule| pattern.matches(rule))
}

/// The nearest id, for "did you mean".
pub fn suggestion(wrong: &str, cases: &[&Case], contract: &Contract) -> String {
    let respelled = wrong.replace('/', "::");
    if respelled != wrong
        && parse_pattern(&respelled).is_ok_and(|pattern| cases.iter().any(|case| fits(&pattern, case)))
    {
        return format!("; did you mean `{respelled}`?");
    }
    let ids = cases.iter().map(|case| case.id()).chain(contract.rules().map(|rule| rule.id.clone()));
    let chapters = cases.iter().map(|case| case.chapter.to_owned());
    let known: Vec<String> = ids.chain(chapters).collect();
    // A beginning counts as an id: `paging::limt`.
    let beginning = |id: &String| id.chars().take(wrong.chars().count() + 1).collect::<String>();
    let begun = || {
        let near = nearest(wrong, known.iter().map(beginning))?;
        known.iter().find(|id| beginning(id) == near).cloned()
    };
    match nearest(wrong, known.iter().cloned()).or_else(begun) {
        Some(id) => format!("; did you mean `{id}`?"),
        None => "; `list` and `rules` show what there is".into(),
    }
}

/// The nearest of these words, if it is near enough.
pub fn nearest(wrong: &str, known: impl Iterator<Item = String>) -> Option<String> {
    let (distance, word) = known.map(|word| (levenshtein(wrong, &word), word)).min()?;
    (distance * 3 <= wrong.len().max(3)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapters_taken(patterns: &[&str], chapters: &[&str]) -> Vec<&'static str> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let selection = Selection { patterns: owned(patterns), chapters: owned(chapters), skips: Vec::new() };
        let taken =
            selection.select(&crate::chapters::cases::all(), Contract::built_in()).expect("there are such cases");
        let mut taken: Vec<_> = taken.iter().map(|case| case.chapter).collect();
        taken.dedup();
        taken
    }

    #[test]
    fn hostile_cases_are_taken_only_by_name() {
        assert!(!chapters_taken(&[], &[]).contains(&"hostile"));
        assert!(!chapters_taken(&["*"], &[]).contains(&"hostile"));
        for pattern in ["hostile", "hostile::slow_head", "hostile/slow-head", "hostile::*", "slow_head"] {
            assert_eq!(chapters_taken(&[pattern], &[]), ["hostile"], "{pattern}");
        }
        assert_eq!(chapters_taken(&[], &["hostile"]), ["hostile"]);
        assert_eq!(chapters_taken(&["hostile", "blog"], &[]), ["hostile", "blog"]);
    }

    #[test]
    fn a_former_id_takes_what_stands_in_its_place() {
        assert_eq!(chapters_taken(&["registration::email_is_required"], &[]), ["registration"]);
    }
}
