//! All faults and permitted readings, chapter by chapter. A variation is declared once, in the chapter whose rule it breaks or is permitted by.

use crate::impostor::effect::Variation;

/// The tables of all chapters.
const TABLES: &[&[Variation]] = &[
    super::api_keys::variations::VARIATIONS,
    super::backup_codes::variations::VARIATIONS,
    super::blog::variations::VARIATIONS,
    super::books::variations::stamps::VARIATIONS,
    super::books::variations::fields::VARIATIONS,
    super::books::variations::operations::VARIATIONS,
    super::books::variations::paths::VARIATIONS,
    super::codes::variations::VARIATIONS,
    super::conditional::variations::VARIATIONS,
    super::consistency::variations::VARIATIONS,
    super::credentials::variations::VARIATIONS,
    super::devices::variations::VARIATIONS,
    super::errors::variations::VARIATIONS,
    super::graphql::variations::VARIATIONS,
    super::graphql_reduced::variations::VARIATIONS,
    super::headers::variations::VARIATIONS,
    super::list::variations::values::VARIATIONS,
    super::list::variations::search::VARIATIONS,
    super::list::variations::equality::VARIATIONS,
    super::list::variations::bounds::VARIATIONS,
    super::list::variations::order::VARIATIONS,
    super::lockout::variations::VARIATIONS,
    super::login::variations::VARIATIONS,
    super::paging::variations::VARIATIONS,
    super::pending::variations::VARIATIONS,
    super::permissions::variations::VARIATIONS,
    super::posts::variations::VARIATIONS,
    super::registration::variations::VARIATIONS,
    super::routing::variations::VARIATIONS,
    super::sessions::variations::VARIATIONS,
    super::signup::variations::VARIATIONS,
    super::storage::variations::VARIATIONS,
    super::tokens::variations::VARIATIONS,
    super::two_factor::variations::VARIATIONS,
    super::users::variations::VARIATIONS,
    super::verification::variations::VARIATIONS,
    super::versioning::variations::VARIATIONS,
];

/// Every fault and every permitted reading.
pub fn all() -> impl Iterator<Item = &'static Variation> {
    TABLES.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::contract::rule::Contract;
    use crate::impostor::effect::Kind;
    use crate::impostor::faults;

    #[test]
    fn ids_are_unique() {
        let ids: BTreeSet<_> = all().map(|row| row.id).collect();
        assert_eq!(ids.len(), all().count());
    }

    #[test]
    fn every_variation_is_of_rules_that_exist_in_the_folder_of_its_chapter_and_says_what_it_does() {
        for table in TABLES {
            let chapter = table[0].rule().split('/').next();
            for row in table.iter() {
                let unknown = row.rules.iter().find(|rule| Contract::built_in().rule(rule).is_none());
                assert!(unknown.is_none(), "{}: seeds/rules does not declare {unknown:?}", row.id);
                let is_at_home = row.rules.is_empty() || row.rule().split('/').next() == chapter;
                assert!(is_at_home, "{} stands in the folder of {chapter:?}", row.id);
                assert!(row.text.ends_with('.'), "{}", row.id);
                assert!(row.kind != Kind::Habit, "{} names no rule and no silence", row.id);
            }
        }
    }

    #[test]
    fn every_judged_rule_can_be_broken() {
        let broken: BTreeSet<_> = faults::all().flat_map(|fault| fault.rules).collect();
        let whole: Vec<_> = Contract::built_in()
            .rules()
            .filter(|rule| rule.is_judged())
            .map(|rule| rule.id.as_str())
            .filter(|id| !broken.contains(id))
            .collect();
        assert!(whole.is_empty(), "no fault breaks {whole:?}: declare one in the folder of its chapter");
    }
}
