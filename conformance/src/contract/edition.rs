//! The edition of suite and contract: runs are comparable only if both are the same.
//!
//! The digest covers the rule files alone: `cat seeds/rules/*.toml | sha256sum` gives the same.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::contract::rule::RULE_FILES;

static CONTRACT: LazyLock<String> = LazyLock::new(|| {
    let mut files: Vec<_> =
        RULE_FILES.files().filter(|file| file.path().extension().is_some_and(|e| e == "toml")).collect();
    files.sort_by_key(|file| file.path());
    let digest = files.into_iter().fold(Sha256::new(), |digest, file| digest.chain_update(file.contents()));
    hex::encode(digest.finalize())
});

pub fn suite() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// SHA-256 of the rule files in the order of their names.
pub fn contract() -> &'static str {
    &CONTRACT
}

/// The suite's version and the first digits of the contract's digest.
pub fn label() -> String {
    format!("suite {}, contract {}", suite(), &CONTRACT[..12])
}

static SINCE: LazyLock<Since> = LazyLock::new(|| {
    let text = include_str!("../../../seeds/since.toml");
    Since::parse(text).unwrap_or_else(|why| panic!("the versions built into this program cannot be read: {why}"))
});

/// The versions of the contract, and the rules that each later one added; those of `first` are not listed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Since {
    first: String,
    later: BTreeMap<String, Vec<String>>,
}

impl Since {
    pub fn built_in() -> &'static Self {
        &SINCE
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let since: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for version in since.later.keys().chain([&since.first]) {
            numbers(version).ok_or_else(|| format!("`{version}` is not a version of the form 1.2.3"))?;
        }
        Ok(since)
    }

    pub fn versions(&self) -> Vec<&str> {
        let mut versions: Vec<&str> = self.later.keys().chain([&self.first]).map(String::as_str).collect();
        versions.sort_by_key(|version| numbers(version));
        versions
    }

    pub fn later_than(&self, version: &str) -> Result<Vec<&str>, String> {
        if !self.versions().contains(&version) {
            return Err(format!("there is no contract {version}; there are {}", self.versions().join(", ")));
        }
        let later = self.later.iter().filter(|(came, _)| numbers(came) > numbers(version));
        Ok(later.flat_map(|(_, rules)| rules).map(String::as_str).collect())
    }
}

fn numbers(version: &str) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = version.split('.').map(|number| number.parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::rule::Contract;

    #[test]
    fn the_digest_is_that_of_the_rule_files_in_the_order_of_their_names() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../seeds/rules");
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        let text: Vec<u8> = paths.iter().flat_map(|path| std::fs::read(path).unwrap()).collect();
        assert_eq!(contract(), hex::encode(Sha256::digest(text)));
    }

    #[test]
    fn what_came_after_a_version_is_later_in_the_order_of_numbers() {
        let since = Since::parse("first = '0.1.0'\n[later]\n'0.10.0' = ['a/ten']\n'0.2.0' = ['a/two']").unwrap();
        assert_eq!(since.versions(), ["0.1.0", "0.2.0", "0.10.0"]);
        assert_eq!(since.later_than("0.1.0").unwrap(), ["a/ten", "a/two"]);
        assert_eq!(since.later_than("0.2.0").unwrap(), ["a/ten"]);
        assert_eq!(since.later_than("0.10.0").unwrap(), Vec::<&str>::new());
        assert!(since.later_than("0.3.0").unwrap_err().contains("there are 0.1.0, 0.2.0, 0.10.0"));
        assert!(Since::parse("first = 'one'\n[later]").is_err());
    }

    #[test]
    fn listed_rules_exist_and_no_version_is_to_come() {
        let since = Since::built_in();
        for rule in since.later_than(&since.first).unwrap() {
            assert!(Contract::built_in().rule(rule).is_some(), "{rule} is listed and not declared");
        }
        let newest = since.versions().last().copied().and_then(numbers);
        assert!(newest <= numbers(suite()), "a list of a version that the suite has not reached");
    }
}
