//! Gathers the values of one field and gives each distinct one a code; sorts them once all are there.

use std::cmp::Ordering;
use std::mem;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::cased_texts::CasedTexts;
use super::dictionary::{Dictionary, Keyed, hash};
use super::js_value::JsValue;
use super::key_order::{KeyOrder, KeyedText, KeyedTexts, TIED};
use super::texts::Texts;
use super::{compare, date, number, parallel, scratch};

/// From this many texts on, threads share the work.
const PARALLEL: usize = 1 << 16;

/// A distinct value. Its position in the order of arrival is its provisional code.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Null,
    Boolean(bool),
    Number(f64),
    /// The number of a text, and whether it belongs to a composite.
    Text(u32, bool),
}

#[derive(Debug, Default)]
pub(super) struct DictionaryBuilder {
    slots: Vec<Slot>,
    /// Codes of null, false and true.
    fixed: [Option<u32>; 3],
    /// The last number while numbers only ascend, as ids do: each is new then, and needs no look-up.
    ascending: Option<f64>,
    /// Codes by the bits of numbers; empty while numbers only ascend.
    numbers: HashMap<u64, u32>,
    pub(super) texts: Texts,
    by_text: HashTable<CodedText>,
    hasher: DefaultHashBuilder,
}

/// A text and its code. `start` and `form` give its bytes without another look-up.
#[derive(Debug, Clone, Copy)]
struct CodedText {
    hash: u32,
    code: u32,
    start: u32,
    /// Twice the length, and one more for a composite.
    form: u32,
}

impl DictionaryBuilder {
    /// Room for at most about this many distinct values.
    pub(super) fn new(values: usize) -> DictionaryBuilder {
        let slots = Vec::with_capacity(scratch::capacity::<Slot>(values));
        DictionaryBuilder { slots, texts: Texts::with_room(values, values * 8), ..DictionaryBuilder::default() }
    }

    /// The provisional code of a value.
    pub(super) fn code(&mut self, value: &JsValue<'_>) -> u32 {
        match value {
            JsValue::Null => self.fixed(0, Slot::Null),
            JsValue::Boolean(boolean) => self.fixed(1 + usize::from(*boolean), Slot::Boolean(*boolean)),
            JsValue::Number(number) => self.number(*number),
            JsValue::Text(text) => self.text(text, false),
            JsValue::Composite(text) => self.text(text, true),
        }
    }

    fn fixed(&mut self, place: usize, slot: Slot) -> u32 {
        *self.fixed[place].get_or_insert_with(|| {
            self.slots.push(slot);
            self.slots.len() as u32 - 1
        })
    }

    fn number(&mut self, number: f64) -> u32 {
        let next = self.slots.len() as u32;
        let mut code = next;
        if self.numbers.is_empty() && self.ascending.is_none_or(|highest| number > highest) {
            self.ascending = Some(number);
        } else {
            if self.numbers.is_empty() {
                let coded = |(code, slot): (u32, &Slot)| match slot {
                    Slot::Number(number) => Some((number.to_bits(), code)),
                    _ => None,
                };
                self.numbers = (0..).zip(&self.slots).filter_map(coded).collect();
            }
            code = *self.numbers.entry(number.to_bits()).or_insert(next);
        }
        if code == next {
            self.slots.push(Slot::Number(number));
        }
        code
    }

    fn text(&mut self, text: &str, composite: bool) -> u32 {
        let Self { slots, texts, by_text, hasher, .. } = self;
        let form = text.len() as u32 * 2 + u32::from(composite);
        let bytes = |coded: &CodedText| &texts.bytes()[coded.start as usize..][..text.len()];
        let is_same = |coded: &CodedText| coded.form == form && bytes(coded) == text.as_bytes();
        let hash = hash(hasher, composite, text.as_bytes()) as u32;
        // The table uses the first bits and the last.
        let spread = |hash: u32| u64::from(hash) << 32 | u64::from(hash);
        match by_text.entry(spread(hash), is_same, |coded| spread(coded.hash)) {
            Entry::Occupied(entry) => entry.get().code,
            Entry::Vacant(entry) => {
                let (code, start) = (slots.len() as u32, texts.bytes().len() as u32);
                entry.insert(CodedText { hash, code, start, form });
                slots.push(Slot::Text(texts.len() as u32, composite));
                texts.push(text);
                code
            }
        }
    }

    /// Returns the dictionary, and its code for each provisional one. Splits many texts over `threads` threads.
    pub(super) fn finish(self, threads: usize) -> (Dictionary, Vec<u32>) {
        let threads = if self.texts.len() < PARALLEL { 1 } else { threads };
        drop(self.by_text);
        let [codes, ranks] = [(); 2].map(|()| Vec::with_capacity(scratch::capacity::<u32>(self.slots.len())));
        let mut sorted = Sorted { codes, ranks, ..Sorted::default() };
        add_numerics(&self.slots, &mut sorted);
        add_texts(&self.slots, &self.texts, threads, &mut sorted);
        let plain_texts = sorted.texts.len();
        add_composites(&self.slots, &self.texts, &mut sorted);
        let Sorted { numbers, codes, ranks, tied, texts } = sorted;
        let mut new_codes = scratch::filled(0, codes.len());
        for (code, provisional) in (0..).zip(codes) {
            new_codes[provisional as usize] = code;
        }
        drop((self.slots, self.texts));
        let first = numbers.len() as u32;
        let hash_of = |number: usize| hash(&self.hasher, number >= plain_texts, texts.get(number).as_bytes());
        let index_texts = || {
            let mut by_text = HashTable::with_capacity(texts.len());
            for (code, number) in (first..).zip(0..texts.len()) {
                by_text.insert_unique(hash_of(number), code, |code| hash_of((code - first) as usize));
            }
            by_text
        };
        // rule: list/q-text-only
        let fold_and_convert = || {
            let cased = CasedTexts::new((0..plain_texts).map(|number| texts.get(number)), texts.size());
            let to_number = |text: &str| Some(number::to_number(text) + 0.0).filter(|number| !number.is_nan());
            let spelt = keyed(&texts, texts.len(), first, to_number);
            (cased, spelt, keyed(&texts, plain_texts, first, date::instant_ms))
        };
        let (by_text, (cased, spelt, instants)) = parallel::both(threads > 1, index_texts, fold_and_convert);
        let mut composites = Texts::default();
        (plain_texts..texts.len()).for_each(|number| composites.push(texts.get(number)));
        composites.shrink();
        let dictionary = Dictionary {
            fixed: self.fixed.map(|provisional| Some(new_codes[provisional? as usize])),
            spelt,
            instants,
            numbers: numbers.into_boxed_slice(),
            ranks: tied.then(|| ranks.into_boxed_slice()),
            texts: cased,
            composites,
            by_text,
            hasher: self.hasher,
        };
        (dictionary, new_codes)
    }
}

fn add_numerics(slots: &[Slot], sorted: &mut Sorted) {
    let numeric = |(code, slot): (u32, &Slot)| match slot {
        // rule: list/sort-null
        Slot::Null => Some((0.0, 0, code)),
        Slot::Boolean(boolean) => Some((f64::from(u8::from(*boolean)), 1, code)),
        Slot::Number(number) => Some((*number, 2, code)),
        Slot::Text(..) => None,
    };
    let mut numerics: Vec<(f64, u8, u32)> = scratch::collect(slots.len(), (0..).zip(slots).filter_map(numeric));
    // rule: list/sort-numbers
    numerics.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    for (number, _, code) in numerics {
        let tied = sorted.numbers.last() == Some(&number);
        sorted.numbers.push(number);
        sorted.push(code, tied);
    }
}

fn add_texts(slots: &[Slot], texts: &Texts, threads: usize, sorted: &mut Sorted) {
    let text_number = |slot: &Slot| if let Slot::Text(number, false) = slot { Some(*number) } else { None };
    let plain_texts = slots.iter().filter_map(text_number).map(|number| texts.get(number as usize));
    let by_bytes = differ_in_digits_alone(plain_texts);
    let share = slots.len().div_ceil(threads).max(1);
    let mut shares = parallel::each(threads, |thread| {
        let mut keyed = KeyedTexts::new(share, by_bytes);
        for code in (thread * share..slots.len()).take(share) {
            if let Some(number) = text_number(&slots[code]) {
                keyed.push(texts.get(number as usize), number, code as u32);
            }
        }
        keyed
    });
    let entries = shares.iter_mut().flat_map(|share| mem::take(&mut share.entries));
    let mut entries: Vec<KeyedText> = scratch::collect(slots.len(), entries);
    let order = KeyOrder { texts, share, keys: shares.into_iter().map(|share| share.keys).collect() };
    order.sort(&mut entries, threads);
    drop(order);
    // Each thread copies a share first: fetching texts from all over memory takes longer than copying the shares together.
    let share = entries.len().div_ceil(threads).max(1);
    let copies = parallel::each(threads, |thread| {
        let mut copy = Texts::with_room(entries.len(), texts.size());
        entries.iter().skip(thread * share).take(share).for_each(|entry| copy.push(texts.get(entry.number as usize)));
        copy
    });
    sorted.texts = copies.into_iter().reduce(|texts, others| texts.followed_by(&others)).unwrap_or_default();
    entries.iter().for_each(|entry| sorted.push(entry.code, entry.head == TIED));
}

fn add_composites(slots: &[Slot], texts: &Texts, sorted: &mut Sorted) {
    let composite = |(code, slot): (u32, &Slot)| match slot {
        Slot::Text(number, true) => Some((texts.get(*number as usize), code)),
        _ => None,
    };
    let mut composites: Vec<(&str, u32)> = (0..).zip(slots).filter_map(composite).collect();
    composites.sort_unstable_by(|left, right| compare::by_code_unit(left.0.chars(), right.0.chars()));
    for (text, code) in composites {
        sorted.texts.push(text);
        sorted.push(code, false);
    }
}

/// Provisional codes in the order of the values.
#[derive(Default)]
struct Sorted {
    numbers: Vec<f64>,
    codes: Vec<u32>,
    ranks: Vec<u32>,
    tied: bool,
    texts: Texts,
}

impl Sorted {
    /// Adds the next code; `tied` if its value has the rank of the last one.
    fn push(&mut self, code: u32, tied: bool) {
        self.tied |= tied;
        self.codes.push(code);
        self.ranks.push(self.ranks.last().map_or(0, |last| last + u32::from(!tied)));
    }
}

/// Whether texts differ only by digits in the same places, as dates do. The locale orders such texts as their bytes do.
fn differ_in_digits_alone<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    let alike = |(one, other): (u8, u8)| one == other || one.is_ascii_digit() && other.is_ascii_digit();
    texts.next().is_some_and(|first| {
        first.is_ascii() && texts.all(|text| text.len() == first.len() && text.bytes().zip(first.bytes()).all(alike))
    })
}

/// The codes of the first `count` texts, sorted by the keys that `read` finds in them, which are never NaN.
fn keyed<K: PartialOrd + Copy>(texts: &Texts, count: usize, first: u32, read: impl Fn(&str) -> Option<K>) -> Keyed<K> {
    let keyed = (first..).zip(0..count).filter_map(|(code, number)| Some((read(texts.get(number))?, code)));
    let mut keyed: Vec<(K, u32)> = scratch::collect(count, keyed);
    keyed.sort_unstable_by(|left, right| left.partial_cmp(right).unwrap_or(Ordering::Equal));
    Keyed::new(&keyed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collate;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_that_differ_in_digits_alone_are_ordered_by_their_bytes(form in "[ -~]{0,9}", digits in prop::collection::vec("[0-9]{9}", 2..9)) {
            let filled = |digits: &String| -> String {
                form.chars().zip(digits.chars()).map(|(form, digit)| if form.is_ascii_digit() { digit } else { form }).collect()
            };
            let mut texts: Vec<String> = digits.iter().map(filled).collect();
            prop_assert!(differ_in_digits_alone(texts.iter().map(String::as_str)));
            texts.sort();
            texts.dedup();
            prop_assert!(texts.is_sorted_by(|one, other| collate::compare(one, other).is_lt()));
        }
    }
}
