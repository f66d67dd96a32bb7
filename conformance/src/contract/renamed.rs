//! Former ids and their replacements, so that lists and scripts that name them still work. Read once from `seeds/renamed.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct Former {
    #[serde(flatten)]
    renamed: BTreeMap<String, String>,
    /// Former ids without a replacement, and the reason.
    gone: BTreeMap<String, String>,
}

static FORMER: LazyLock<Former> = LazyLock::new(|| {
    let text = include_str!("../../../seeds/renamed.toml");
    toml::from_str(text).unwrap_or_else(|why| panic!("the former ids built into this program cannot be read: {why}"))
});

/// The replacement of an id; the id itself if it is current.
#[must_use]
pub fn present(id: &str) -> &str {
    FORMER.renamed.get(id).map_or(id, String::as_str)
}

/// Why an id went without a replacement; `None` for any other.
#[must_use]
pub fn gone(id: &str) -> Option<&'static str> {
    FORMER.gone.get(id).map(String::as_str)
}

/// A sentence for each id that was replaced.
pub fn renamings<'i>(ids: impl Iterator<Item = &'i String>) -> Vec<String> {
    let went = ids.filter_map(|id| Some((id, FORMER.renamed.get(id)?)));
    went.map(|(id, present)| format!("`{id}` is called `{present}` now")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters::cases;
    use crate::contract::rule::Contract;

    #[test]
    fn an_id_that_went_is_not_in_use_and_its_replacement_exists() {
        let (contract, cases) = (Contract::built_in(), cases::all());
        let exists = |id: &str| contract.rule(id).is_some() || cases.iter().any(|case| case.id() == id);
        assert!(!FORMER.renamed.is_empty() && !FORMER.gone.is_empty());
        for former in FORMER.gone.keys() {
            assert!(!exists(former), "{former} is in use");
            assert!(gone(present(former)).is_some() && gone("paging/limit-maximum").is_none());
        }
        for (former, now) in &FORMER.renamed {
            assert!(!exists(former), "{former} is in use");
            assert!(exists(now), "{now}, in the place of {former}, does not exist");
            assert_eq!(present(former), now);
        }
        assert_eq!(present("paging/limit-maximum"), "paging/limit-maximum");
    }
}
