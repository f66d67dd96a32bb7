//! The order of texts by locale: English, which is the root collation, as `localeCompare` has it in a default Node.

use std::cmp::Ordering;
use std::sync::LazyLock;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use icu_locale_core::locale;

// rule: list/sort-locale-ties, list/sort-digits-in-text
static COLLATOR: LazyLock<CollatorBorrowed<'static>> = LazyLock::new(|| {
    Collator::try_new(locale!("en").into(), CollatorOptions::default())
        .expect("the collation data of English is compiled in")
});

/// Appends a text's sort key. Two texts compare as the bytes of their keys do; equal keys mean that neither comes first.
pub(super) fn write_key(text: &str, keys: &mut Vec<u8>) {
    let Ok(()) = COLLATOR.write_sort_key_to(text, keys);
}

/// The order of two texts: that of their sort keys.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    COLLATOR.compare(left, right)
}
