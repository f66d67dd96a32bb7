//! Names headers that most answers share, so that a snapshot need not repeat them.
//!
//! Only shortens and restores; [`crate::snapshot::headers`] says what a header must be.

use std::collections::BTreeMap;

use crate::snapshot::headers::HEADERS;

pub(super) const FILE: &str = "common_headers";
const PURPOSE: &str = "\
Headers that most answers of the catalogue share. A step of another snapshot that says `(common headers)` has all of these but
those it names behind `without`, and those it shows with a value of its own; behind `only` it names the few that it has.
";
const NAMED: &str = "(common headers";
const WITHOUT: &str = ", without ";
const ONLY: &str = ", only ";
/// With fewer common headers, naming them takes as many lines.
const SHARED_MIN: usize = 2;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct CommonHeaders(BTreeMap<String, String>);

impl CommonHeaders {
    /// For each header the most frequent value, if at least a quarter of the steps have it.
    pub(super) fn most_frequent<'s>(steps: impl Iterator<Item = &'s BTreeMap<String, String>> + Clone) -> Self {
        let total = steps.clone().count();
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (name, value) in steps.flatten() {
            *counts.entry((name, value)).or_default() += 1;
        }
        let mut common: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for ((name, value), count) in counts.into_iter().filter(|(_, count)| count * 4 >= total) {
            let most = common.entry(name).or_insert((count, value));
            *most = (*most).max((count, value));
        }
        Self(common.into_iter().map(|(name, (_, value))| (name.to_owned(), value.to_owned())).collect())
    }

    pub(super) fn text(&self) -> String {
        let lines = in_order(&self.0).map(|(name, value)| format!("< {name}: {value}\n"));
        format!("{PURPOSE}\n{}", lines.collect::<String>())
    }

    pub(super) fn parse(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.strip_prefix("< ")?.split_once(": "));
        Self(lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// Header lines of an answer; names the common ones where that is shorter.
    pub(super) fn shortened(&self, headers: &BTreeMap<String, String>) -> Vec<String> {
        let is_shared = |name: &str| headers.get(name).is_some_and(|value| self.0.get(name) == Some(value));

        let common = || in_order(&self.0).map(|(name, _)| name);
        let shared: Vec<&str> = common().filter(|name| is_shared(name)).collect();
        let missing: Vec<&str> = common().filter(|name| !headers.contains_key(*name)).collect();
        let line = |(name, value): (&str, &str)| format!("{name}: {value}");
        if shared.len() < SHARED_MIN {
            return in_order(headers).map(line).collect();
        }
        let which = match missing.len() {
            0 => String::new(),
            count if count > shared.len() => format!("{ONLY}{}", shared.join(", ")),
            _ => format!("{WITHOUT}{}", missing.join(", ")),
        };
        let own = in_order(headers).filter(|(name, _)| !is_shared(name)).map(line);
        [format!("{NAMED}{which})")].into_iter().chain(own).collect()
    }

    /// Adds the common headers if the line names them; `false` for any other line.
    pub(super) fn expand(&self, line: &str, headers: &mut BTreeMap<String, String>) -> bool {
        let Some(rest) = line.strip_prefix(NAMED).and_then(|rest| rest.strip_suffix(')')) else {
            return false;
        };
        let names = |mark: &str| rest.strip_prefix(mark).map(|names| names.split(", ").collect::<Vec<_>>());
        let (only, without) = (names(ONLY), names(WITHOUT).unwrap_or_default());
        let is_meant = |name: &str| only.as_ref().map_or(!without.contains(&name), |only| only.contains(&name));
        let kept = self.0.iter().filter(|(name, _)| is_meant(name));
        headers.extend(kept.map(|(name, value)| (name.clone(), value.clone())));
        true
    }
}

fn in_order(headers: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    HEADERS.iter().filter_map(|(name, _)| Some((*name, headers.get(*name)?.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&str, &str)]) -> BTreeMap<String, String> {
        lines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_is_shortened_is_restored() {
        let common = CommonHeaders(headers(&[
            ("X-Frame-Options", "DENY"),
            ("Pragma", "no-cache"),
            ("Expires", "0"),
            ("X-API-Version", "1.0.0"),
            ("Referrer-Policy", "origin"),
            ("X-API-Build", "b"),
        ]));
        assert_eq!(CommonHeaders::parse(&common.text()), common);
        let own = headers(&[("X-Frame-Options", "DENY"), ("X-API-Version", "2"), ("Expires", "0"), ("ETag", "t")]);
        let few = headers(&[("X-API-Version", "1.0.0"), ("Expires", "0"), ("ETag", "t")]);
        let alike = headers(&[("X-Frame-Options", "DENY"), ("X-API-Version", "1.0.0"), ("Expires", "0")]);
        for (whole, lines) in [(own, 3), (alike, 1), (few, 2), (headers(&[("ETag", "t")]), 1), (headers(&[]), 0)] {
            let shortened = common.shortened(&whole);
            assert_eq!(shortened.len(), lines, "{shortened:?}");
            let mut restored = BTreeMap::new();
            for line in &shortened {
                if !common.expand(line, &mut restored) {
                    let (name, value) = line.split_once(": ").unwrap();
                    restored.insert(name.to_owned(), value.to_owned());
                }
            }
            assert_eq!(restored, whole);
        }
    }
}
