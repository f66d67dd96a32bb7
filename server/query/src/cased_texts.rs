//! Texts folded for searches, with one bit for each capital: a text is stored once, and the original can be read back.

use super::bits::Bits;
use super::texts::Texts;

/// Texts by number, in the order given.
#[derive(Debug)]
pub(super) struct CasedTexts {
    pub(super) folded: Texts,
    /// Marks the bytes of `folded` where the original has a capital.
    capitals: Bits,
    /// The originals that `capitals` cannot give back (`İ` folds to two characters), by number, ascending.
    irregular: Vec<(u32, Box<str>)>,
}

impl CasedTexts {
    /// Keeps texts of about `size` bytes in all.
    pub(super) fn new<'a>(texts: impl ExactSizeIterator<Item = &'a str> + Clone, size: usize) -> CasedTexts {
        let mut folded = Texts::with_room(texts.len(), size);
        texts.clone().for_each(|text| folded.push_folded(text));
        folded.shrink();
        let (mut capitals, mut irregular) = (Bits::none(folded.size()), Vec::new());
        for (number, text) in texts.enumerate() {
            if !mark(text, folded.get(number), folded.start(number), &mut capitals) {
                irregular.push((number as u32, text.into()));
            }
        }
        CasedTexts { folded, capitals, irregular }
    }

    pub(super) fn len(&self) -> usize {
        self.folded.len()
    }

    /// The characters of the original text.
    pub(super) fn chars(&self, number: usize) -> impl Iterator<Item = char> {
        let irregular = self.irregular.binary_search_by_key(&(number as u32), |(number, _)| *number).ok();
        let irregular = irregular.map(|at| &*self.irregular[at].1);
        let (text, start) = (irregular.unwrap_or_else(|| self.folded.get(number)), self.folded.start(number));
        text.char_indices().map(move |(at, letter)| {
            let is_capital = irregular.is_none() && self.capitals.contains((start + at) as u32);
            if is_capital { capital(letter) } else { letter }
        })
    }
}

/// Marks the letters that folding changed; returns false if capitals there do not give the original back.
fn mark(text: &str, folded: &str, start: usize, capitals: &mut Bits) -> bool {
    let mut marks = |at: usize| {
        let letter = folded.floor_char_boundary(at);
        let [written, folded] = [text, folded].map(|text| text.get(letter..).and_then(|rest| rest.chars().next()));
        capitals.insert((start + letter) as u32);
        folded.is_some_and(|folded| written == Some(capital(folded)) && folded.len_utf8() == capital(folded).len_utf8())
    };
    let mut bytes = text.bytes().zip(folded.bytes()).enumerate();
    text.len() == folded.len() && bytes.all(|(at, (written, folded))| written == folded || marks(at))
}

/// The one capital of a letter, if it has just one.
fn capital(letter: char) -> char {
    let mut capitals = letter.to_uppercase();
    capitals.next().filter(|_| capitals.next().is_none()).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_read_as_they_were_written(written in prop::collection::vec("[a-cA-C0 ñÑßẞİKkΣσςǅΘϴ𐐀𐐨]{0,9}|\\PC{0,9}", 0..20)) {
            let texts = CasedTexts::new(written.iter().map(String::as_str), 0);
            for (number, text) in written.iter().enumerate() {
                prop_assert_eq!(&texts.chars(number).collect::<String>(), text);
                prop_assert_eq!(texts.folded.get(number), text.to_lowercase());
            }
        }
    }
}
