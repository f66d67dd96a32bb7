//! Many texts end to end in one run of memory, separated by the position of each end.

/// Texts by number, in the order they were added.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: String,
    ends: Vec<u32>,
}

/// Texts to search through. A byte that no UTF-8 text holds follows each, so that nothing is found across two.
#[derive(Debug, Default)]
pub(super) struct Folded {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

const PART: u8 = 0xff;

impl Texts {
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(offset(self.bytes.len()));
    }

    /// No texts, with room for as many and as long ones.
    pub(super) fn with_room_of(other: &Texts) -> Texts {
        Texts { bytes: String::with_capacity(other.bytes.len()), ends: Vec::with_capacity(other.ends.len()) }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }

    pub(super) fn get(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.bytes[start..self.ends[number] as usize]
    }
}

impl Folded {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Folded {
        let mut folded = Folded::default();
        texts.for_each(|text| folded.push(text));
        folded.shrink();
        folded
    }

    /// Adds a text in lower case.
    pub(super) fn push(&mut self, text: &str) {
        if text.is_ascii() {
            self.bytes.extend(text.bytes().map(|byte| byte.to_ascii_lowercase()));
        } else {
            self.bytes.extend_from_slice(fold(text).as_bytes());
        }
        self.bytes.push(PART);
        self.ends.push(offset(self.bytes.len()));
    }

    pub(super) fn get(&self, number: usize) -> &[u8] {
        &self.bytes[self.start(number)..self.ends[number] as usize]
    }

    /// All of them, each with what follows it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn start(&self, number: usize) -> usize {
        if number == 0 { 0 } else { self.ends[number - 1] as usize }
    }

    /// The numbers of the texts, from `from` on, in which `find` finds something; it gets bytes and says where in them.
    pub(super) fn search(&self, find: impl Fn(&[u8]) -> Option<usize>) -> Vec<u32> {
        let (mut found, mut next) = (Vec::new(), 0);
        while next < self.len() {
            let start = self.start(next);
            let Some(at) = find(&self.bytes[start..]) else {
                break;
            };
            let number = self.holding(offset(start + at), next);
            found.push(number as u32);
            next = number + 1;
        }
        found
    }

    /// The number of the text that holds the byte at `position`, which is not before `from`: a gallop, since it tends to be near.
    fn holding(&self, position: u32, from: usize) -> usize {
        let (mut low, mut step) = (from, 1);
        while low + step < self.len() && self.ends[low + step - 1] <= position {
            low += step;
            step *= 2;
        }
        let high = (low + step).min(self.len());
        low + self.ends[low..high].partition_point(|end| *end <= position)
    }

    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// A text in the letter case that searches compare in: `toLowerCase()`, full Unicode mapping without a locale.
pub(super) fn fold(text: &str) -> String {
    // rule: list/q-case, list/q-case-folding
    text.to_lowercase()
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("a segment's texts have less than 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_search_finds_each_text_that_holds_the_needle_once(texts in prop::collection::vec("[a-cA-C]{0,4}|ÑaÑ", 0..60), needle in "[a-c]{1,2}|ñ") {
            let mut folded = Folded::default();
            texts.iter().for_each(|text| folded.push(text));
            let found = folded.search(|bytes| memchr::memmem::find(bytes, needle.as_bytes()));
            let expected = (0..).zip(&texts).filter(|(_, text)| fold(text).contains(&needle)).map(|(number, _)| number);
            prop_assert_eq!(found, expected.collect::<Vec<u32>>());
        }
    }
}
