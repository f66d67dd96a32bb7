//! Gathers the values of one field and gives each distinct one a code; sorts them once all are there.

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::dictionary::{Dictionary, Keyed, hash};
use super::js_value::JsValue;
use super::texts::{Folded, Texts};
use super::{collate, compare, date, number};

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
    texts: Texts,
    by_text: HashTable<Known>,
    hasher: DefaultHashBuilder,
}

/// A text that has a code, with its place among all: comparing it needs no other look-up.
#[derive(Debug, Clone, Copy)]
struct Known {
    code: u32,
    start: u32,
    length: u32,
    composite: bool,
}

impl DictionaryBuilder {
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
        let of = |known: &Known| &texts.bytes()[known.start as usize..][..known.length as usize];
        let is_it = |known: &Known| known.composite == composite && of(known) == text.as_bytes();
        let rehash = |known: &Known| hash(hasher, known.composite, of(known));
        match by_text.entry(hash(hasher, composite, text.as_bytes()), is_it, rehash) {
            Entry::Occupied(entry) => entry.get().code,
            Entry::Vacant(entry) => {
                let (code, start) = (slots.len() as u32, texts.bytes().len() as u32);
                entry.insert(Known { code, start, length: text.len() as u32, composite });
                slots.push(Slot::Text(texts.len() as u32, composite));
                texts.push(text);
                code
            }
        }
    }

    /// The dictionary, and the code in it for each provisional one.
    pub(super) fn finish(self) -> (Dictionary, Vec<u32>) {
        let mut sorted = Sorted::with_room_for(self.slots.len());
        self.add_numerics(&mut sorted);
        self.add_texts(&mut sorted);
        let text_count = sorted.codes.len() - sorted.numbers.len();
        self.add_composites(&mut sorted);
        let Sorted { numbers, codes, ranks, tied } = sorted;
        let mut new_codes = vec![0; codes.len()];
        for (code, old) in (0..).zip(&codes) {
            new_codes[*old as usize] = code;
        }
        drop(self.by_text);
        let first = numbers.len() as u32;
        let (mut texts, mut folded) = (Texts::with_room_of(&self.texts), Folded::default());
        let mut by_text = HashTable::with_capacity(self.texts.len());
        let hash_of = |text: &str, composite| hash(&self.hasher, composite, text.as_bytes());
        for (number, old) in codes[numbers.len()..].iter().enumerate() {
            if let Slot::Text(at, composite) = self.slots[*old as usize] {
                let text = self.texts.get(at as usize);
                texts.push(text);
                by_text.insert_unique(hash_of(text, composite), first + number as u32, |code| {
                    let number = (code - first) as usize;
                    hash_of(texts.get(number), number >= text_count)
                });
                // rule: list/q-text-only
                if number < text_count {
                    folded.push(text);
                }
            }
        }
        folded.shrink();
        let dictionary = Dictionary {
            null: self.fixed[0].map(|old| new_codes[old as usize]),
            no: self.fixed[1].map(|old| new_codes[old as usize]),
            yes: self.fixed[2].map(|old| new_codes[old as usize]),
            spelt: spelt(&texts, first),
            instants: instants(&texts, text_count, first),
            numbers: numbers.into_boxed_slice(),
            ranks: tied.then(|| ranks.into_boxed_slice()),
            texts,
            folded,
            by_text,
            hasher: self.hasher,
        };
        (dictionary, new_codes)
    }

    fn add_numerics(&self, sorted: &mut Sorted) {
        let numeric = |(code, slot): (u32, &Slot)| match slot {
            // rule: list/sort-null
            Slot::Null => Some((0.0, 0, code)),
            Slot::Boolean(boolean) => Some((f64::from(u8::from(*boolean)), 1, code)),
            Slot::Number(number) => Some((*number, 2, code)),
            Slot::Text(..) => None,
        };
        let mut numerics: Vec<(f64, u8, u32)> = (0..).zip(&self.slots).filter_map(numeric).collect();
        // rule: list/sort-numbers
        numerics.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        for (number, _, code) in numerics {
            let tied = sorted.numbers.last() == Some(&number);
            sorted.numbers.push(number);
            sorted.push(code, tied);
        }
    }

    fn add_texts(&self, sorted: &mut Sorted) {
        let number = |slot: &Slot| if let Slot::Text(number, false) = slot { Some(*number as usize) } else { None };
        let by_bytes =
            differ_in_digits_alone(self.slots.iter().filter_map(number).map(|number| self.texts.get(number)));
        let mut keys = Vec::new();
        let mut keyed: Vec<(u64, u32, u32, u32, u32)> = Vec::new();
        for (code, slot) in (0..).zip(&self.slots) {
            if let Slot::Text(number, false) = slot {
                let start = keys.len();
                let text = self.texts.get(*number as usize);
                if by_bytes {
                    keys.extend_from_slice(text.as_bytes());
                } else {
                    // rule: list/sort-text-locale
                    collate::write_key(text, &mut keys);
                }
                let end = u32::try_from(keys.len()).expect("a segment's sort keys have less than 4 GiB");
                keyed.push((collate::head(&keys[start..]), start as u32, end, *number, code));
            }
        }
        let key = |entry: &(u64, u32, u32, u32, u32)| &keys[entry.1 as usize..entry.2 as usize];
        // Texts that the locale ranks alike take codes in the order of their bytes.
        keyed.sort_unstable_by(|left, right| {
            // rule: list/sort-text-locale
            let by_key = left.0.cmp(&right.0).then_with(|| key(left).cmp(key(right)));
            by_key.then_with(|| self.texts.get(left.3 as usize).cmp(self.texts.get(right.3 as usize)))
        });
        for (at, entry) in keyed.iter().enumerate() {
            let tied = at > 0 && key(&keyed[at - 1]) == key(entry);
            sorted.push(entry.4, tied);
        }
    }

    fn add_composites(&self, sorted: &mut Sorted) {
        let composite = |(code, slot): (u32, &Slot)| match slot {
            Slot::Text(number, true) => Some((self.texts.get(*number as usize), code)),
            _ => None,
        };
        let mut composites: Vec<(&str, u32)> = (0..).zip(&self.slots).filter_map(composite).collect();
        composites.sort_unstable_by(|left, right| compare::by_code_unit(left.0, right.0));
        for (_, code) in composites {
            sorted.push(code, false);
        }
    }
}

/// Provisional codes in the order of the values.
struct Sorted {
    numbers: Vec<f64>,
    codes: Vec<u32>,
    ranks: Vec<u32>,
    tied: bool,
}

impl Sorted {
    fn with_room_for(count: usize) -> Sorted {
        Sorted { numbers: Vec::new(), codes: Vec::with_capacity(count), ranks: Vec::with_capacity(count), tied: false }
    }

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

fn spelt(texts: &Texts, first: u32) -> Keyed<f64> {
    let numbers =
        (first..).zip(0..texts.len()).map(|(code, number)| (number::to_number(texts.get(number)) + 0.0, code));
    let mut spelt: Vec<(f64, u32)> = numbers.filter(|(number, _)| !number.is_nan()).collect();
    spelt.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    Keyed::new(&spelt)
}

fn instants(texts: &Texts, count: usize, first: u32) -> Keyed<i64> {
    let dated = (first..).zip(0..count).filter_map(|(code, number)| Some((date::instant_ms(texts.get(number))?, code)));
    let mut instants: Vec<(i64, u32)> = dated.collect();
    instants.sort_unstable();
    Keyed::new(&instants)
}

#[cfg(test)]
mod tests {
    use super::*;
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
            prop_assert!(texts.is_sorted_by(|one, other| collate::key(one) < collate::key(other)));
        }

        #[test]
        fn numbers_have_one_code_each_whatever_their_order(numbers in prop::collection::vec(0..9u32, 0..30)) {
            let mut builder = DictionaryBuilder::default();
            let mut first: Vec<u32> = Vec::new();
            for number in numbers {
                let code = builder.code(&JsValue::Number(number.into()));
                if code as usize == first.len() {
                    prop_assert!(!first.contains(&number));
                    first.push(number);
                }
                prop_assert_eq!(first[code as usize], number);
            }
        }
    }
}
