//! The order of texts by locale: English, which is the root collation, as `localeCompare` has it in a default Node.

use std::sync::LazyLock;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use icu_locale_core::locale;

// rule: list/sort-locale-ties, list/sort-digits-in-text
static COLLATOR: LazyLock<CollatorBorrowed<'static>> = LazyLock::new(|| {
    Collator::try_new(locale!("en").into(), CollatorOptions::default())
        .expect("the collation data of English is compiled in")
});

/// A text's place in the locale's order: two texts compare as the bytes of their keys do, equal keys meaning neither first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CollationKey {
    /// The first eight bytes, most significant first; shorter keys end in zeros. Decides most comparisons.
    head: u64,
    bytes: Box<[u8]>,
}

impl CollationKey {
    pub(super) fn of(text: &str) -> CollationKey {
        let mut bytes = Vec::with_capacity(2 * text.len() + 8);
        let Ok(()) = COLLATOR.write_sort_key_to(text, &mut bytes);
        let mut head = [0; 8];
        let shown = bytes.len().min(head.len());
        head[..shown].copy_from_slice(&bytes[..shown]);
        CollationKey { head: u64::from_be_bytes(head), bytes: bytes.into_boxed_slice() }
    }

    /// A number that orders as the keys do, as far as eight bytes tell.
    pub(super) fn head(&self) -> u64 {
        self.head
    }
}
