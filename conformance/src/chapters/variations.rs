//! All faults and permitted readings, chapter by chapter. A variation is declared once, in the chapter whose rule it breaks or is permitted by.

use crate::impostor::effect::Variation;

/// Each chapter, with the files of its variations where they are several.
macro_rules! tables {
    ($($chapter:ident $(: $($file:ident)+)?;)+) => { &[$(tables!(@ $chapter $($($file)+)?),)+] };
    (@ $chapter:ident) => { &[super::$chapter::variations::VARIATIONS] };
    (@ $chapter:ident $($file:ident)+) => { &[$(super::$chapter::variations::$file::VARIATIONS,)+] };
}

const TABLES: &[&[&[Variation]]] = tables! {
    api_keys; backup_codes; blog; books: stamps fields operations paths; codes; conditional; consistency; credentials; devices;
    errors; graphql; graphql_reduced; headers; list: values search equality bounds order; lockout; login; paging; pending;
    permissions; posts; registration; routing; sessions; signup; storage; tokens; two_factor; users; verification; versioning;
};

/// Every fault and every permitted reading.
pub fn all() -> impl Iterator<Item = &'static Variation> {
    TABLES.iter().copied().flatten().copied().flatten()
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
        for table in TABLES.iter().copied().flatten() {
            let chapter = table[0].chapter();
            for row in table.iter() {
                let unknown = row.rules.iter().find(|rule| Contract::built_in().rule(rule).is_none());
                assert!(unknown.is_none(), "{}: seeds/rules does not declare {unknown:?}", row.id);
                let is_at_home = row.rules.is_empty() || row.chapter() == chapter;
                assert!(is_at_home, "{} stands in the folder of {chapter}", row.id);
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
