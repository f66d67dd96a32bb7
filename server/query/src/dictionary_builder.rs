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

/// A value as it came, its code provisional.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Null,
    Boolean(bool),
    Number(f64),
    /// The number of a text, and whether it is a composite's.
    Text(u32, bool),
}

#[derive(Debug, Default)]
pub(super) struct DictionaryBuilder {
    slots: Vec<Slot>,
    /// Codes of null, false and true.
    fixed: [Option<u32>; 3],
    /// The highest number, as long as each was above all before it, as ids are: nothing needs to be looked up then.
    ascending: Option<f64>,
    /// Codes by the bits of numbers, once one was not.
    numbers: HashMap<u64, u32>,
    pub(super) texts: Texts,
    by_text: HashTable<Known>,
    hasher: DefaultHashBuilder,
}

/// A text that has a code, with its place among all: comparing it needs no other look-up.
#[derive(Debug, Clone, Copy)]
struct Known {
    hash: u32,
    code: u32,
    start: u32,
    /// Twice its length, and one more for a composite's.
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
        let of = |known: &Known| &texts.bytes()[known.start as usize..][..text.len()];
        let is_it = |known: &Known| known.form == form && of(known) == text.as_bytes();
        let hash = hash(hasher, composite, text.as_bytes()) as u32;
        // The table uses the first bits and the last.
        let spread = |hash: u32| u64::from(hash) << 32 | u64::from(hash);
        match by_text.entry(spread(hash), is_it, |known| spread(known.hash)) {
            Entry::Occupied(entry) => entry.get().code,
            Entry::Vacant(entry) => {
                let (code, start) = (slots.len() as u32, texts.bytes().len() as u32);
                entry.insert(Known { hash, code, start, form });
                slots.push(Slot::Text(texts.len() as u32, composite));
                texts.push(text);
                code
            }
        }
    }

    /// The dictionary, and the code in it for each provisional one; many texts are split over this many threads.
    pub(super) fn finish(self, threads: usize) -> (Dictionary, Vec<u32>) {
        let threads = if self.texts.len() < PARALLEL { 1 } else { threads };
        drop(self.by_text);
        let [codes, ranks] = [(); 2].map(|()| Vec::with_capacity(scratch::capacity::<u32>(self.slots.len())));
        let mut sorted = Sorted { codes, ranks, ..Sorted::default() };
        add_numerics(&self.slots, &mut sorted);
        add_texts(&self.slots, &self.texts, threads, &mut sorted);
        let count = sorted.texts.len();
        add_composites(&self.slots, &self.texts, &mut sorted);
        let Sorted { numbers, codes, ranks, tied, texts } = sorted;
        let mut new_codes = scratch::filled(0, codes.len());
        for (code, old) in (0..).zip(codes) {
            new_codes[old as usize] = code;
        }
        drop((self.slots, self.texts));
        let first = numbers.len() as u32;
        let hash_of = |number: usize| hash(&self.hasher, number >= count, texts.get(number).as_bytes());
        let by_text = || {
            let mut by_text = HashTable::with_capacity(texts.len());
            for (code, number) in (first..).zip(0..texts.len()) {
                by_text.insert_unique(hash_of(number), code, |code| hash_of((code - first) as usize));
            }
            by_text
        };
        // rule: list/q-text-only
        let read = || {
            let cased = CasedTexts::new((0..count).map(|number| texts.get(number)), texts.size());
            let spelt = |text: &str| Some(number::to_number(text) + 0.0).filter(|number| !number.is_nan());
            (cased, keyed(&texts, texts.len(), first, spelt), keyed(&texts, count, first, date::instant_ms))
        };
        let (by_text, (cased, spelt, instants)) = parallel::both(threads > 1, by_text, read);
        let mut composites = Texts::default();
        (count..texts.len()).for_each(|number| composites.push(texts.get(number)));
        composites.shrink();
        let dictionary = Dictionary {
            fixed: self.fixed.map(|old| Some(new_codes[old? as usize])),
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
    let number = |slot: &Slot| if let Slot::Text(number, false) = slot { Some(*number) } else { None };
    let by_bytes = differ_in_digits_alone(slots.iter().filter_map(number).map(|number| texts.get(number as usize)));
    let share = slots.len().div_ceil(threads).max(1);
    let mut shares = parallel::each(threads, |at| {
        let mut keyed = KeyedTexts::new(share, by_bytes);
        let codes = (at * share..slots.len()).take(share);
        for (code, number) in codes.filter_map(|code| Some((code as u32, number(&slots[code])?))) {
            keyed.push(texts.get(number as usize), number, code);
        }
        keyed
    });
    let entries = shares.iter_mut().flat_map(|share| mem::take(&mut share.entries));
    let mut entries: Vec<KeyedText> = scratch::collect(slots.len(), entries);
    let order = KeyOrder { texts, share, keys: shares.into_iter().map(|share| share.keys).collect() };
    order.sort(&mut entries, threads);
    drop(order);
    // The texts lie anywhere in memory: fetching them takes longer than copying them again.
    let share = entries.len().div_ceil(threads).max(1);
    let copied = parallel::each(threads, |at| {
        let mut copy = Texts::with_room(entries.len(), texts.size());
        entries.iter().skip(at * share).take(share).for_each(|entry| copy.push(texts.get(entry.number as usize)));
        copy
    });
    sorted.texts = copied.into_iter().reduce(|texts, others| texts.followed_by(&others)).unwrap_or_default();
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
    /// Adds the next code; `tied` where its value ranks with the last one.
    fn push(&mut self, code: u32, tied: bool) {
        self.tied |= tied;
        self.codes.push(code);
        self.ranks.push(self.ranks.last().map_or(0, |last| last + u32::from(!tied)));
    }
}

/// Whether texts are the same but for digits in the same places, as dates are. The locale orders such texts as their bytes do.
fn differ_in_digits_alone<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    let alike = |(one, other): (u8, u8)| one == other || one.is_ascii_digit() && other.is_ascii_digit();
    texts.next().is_some_and(|first| {
        first.is_ascii() && texts.all(|text| text.len() == first.len() && text.bytes().zip(first.bytes()).all(alike))
    })
}

/// The codes of the first `count` texts by what `read` makes of them, which is never NaN.
fn keyed<K: PartialOrd + Copy>(texts: &Texts, count: usize, first: u32, read: impl Fn(&str) -> Option<K>) -> Keyed<K> {
    let read = (first..).zip(0..count).filter_map(|(code, number)| Some((read(texts.get(number))?, code)));
    let mut keyed: Vec<(K, u32)> = scratch::collect(count, read);
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
