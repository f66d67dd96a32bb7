//! Many texts end to end in one run of memory, separated by the position of each end; and searches through them.

use memchr::memmem::Finder;

use super::bits::Bits;
use super::scratch;

/// Texts by number, in the order they were added.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: String,
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn with_room(count: usize, size: usize) -> Texts {
        let [size, count] = [scratch::capacity::<u8>(size), scratch::capacity::<u32>(count)];
        Texts { bytes: String::with_capacity(size), ends: Vec::with_capacity(count) }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(offset(self.bytes.len()));
    }

    /// Adds a text in the letter case that searches compare in.
    pub(super) fn push_folded(&mut self, text: &str) {
        if text.is_ascii() {
            let start = self.bytes.len();
            self.push(text);
            self.bytes[start..].make_ascii_lowercase();
        } else {
            self.push(&fold(text));
        }
    }

    pub(super) fn followed_by(mut self, others: &Texts) -> Texts {
        let start = offset(self.bytes.len());
        self.bytes.push_str(&others.bytes);
        self.ends.extend(others.ends.iter().map(|end| start + end));
        self
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }

    pub(super) fn start(&self, number: usize) -> usize {
        if number == 0 { 0 } else { self.ends[number - 1] as usize }
    }

    pub(super) fn get(&self, number: usize) -> &str {
        &self.bytes[self.start(number)..self.ends[number] as usize]
    }

    /// The numbers of the texts that match, for a search that is not empty.
    pub(super) fn search(&self, finder: &Finder<'_>) -> Vec<u32> {
        let (mut found, mut next, mut from) = (Vec::new(), 0, 0);
        while let Some(at) = finder.find(&self.bytes()[from..]) {
            let start = from + at;
            next = self.holding(offset(start), next);
            // A later match in this text would cross its end, too.
            from = self.ends[next] as usize;
            if start + finder.needle().len() <= from {
                found.push(next as u32);
            }
        }
        found
    }

    /// The numbers of the texts in which one of the searches is found; keeps one bit a text, however many searches there are.
    pub(super) fn search_any(&self, finders: &[Finder<'_>]) -> Vec<u32> {
        if let [finder] = finders {
            return self.search(finder);
        }
        let mut found = Bits::none(self.len());
        finders.iter().flat_map(|finder| self.search(finder)).for_each(|number| found.insert(number));
        found.rows().collect()
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

/// Whether a text matches.
pub(super) fn finds(finders: &[Finder<'_>], text: &str) -> bool {
    finders.iter().any(|finder| finder.find(text.as_bytes()).is_some())
}

/// A text in the letter case that searches compare in: `toLowerCase()`, full Unicode mapping without a locale.
pub(super) fn fold(text: &str) -> String {
    // rule: list/q-case, list/q-case-folding
    text.to_lowercase()
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("a segment's texts have less than 4 GiB")
}
