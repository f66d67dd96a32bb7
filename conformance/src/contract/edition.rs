//! The edition of suite and contract: runs are comparable only if both are the same.
//!
//! The digest covers the rule files alone: `cat seeds/rules/*.toml | sha256sum` gives the same.

use std::sync::LazyLock;

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
pub fn in_words() -> String {
    format!("suite {}, contract {}", suite(), &CONTRACT[..12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_rule_files_in_the_order_of_their_names() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../seeds/rules");
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        let text: Vec<u8> = paths.iter().flat_map(|path| std::fs::read(path).unwrap()).collect();
        assert_eq!(contract(), hex::encode(Sha256::digest(text)));
    }
}
