//! Points at the first difference of two texts that look alike: invisible characters, letter case, one digit of many.
//!
//! Says nothing about texts that differ visibly.

use crate::printable::{is_plain, spelled};

/// Shorter texts are compared by eye.
const PLAIN_CHARS: usize = 24;
const AROUND: usize = 12;

/// A line about the first place where they differ, if it is hard to see.
pub(super) fn first_difference(want: &str, got: &str) -> Option<String> {
    let (want, got): (Vec<char>, Vec<char>) = (want.chars().collect(), got.chars().collect());
    let at = want.iter().zip(&got).take_while(|(want, got)| want == got).count();
    let is_same = at == want.len() && at == got.len();
    let looks_alike = seen(&want) == seen(&got);
    // Texts with a long common beginning are meant to be equal.
    let is_hard_to_see = want.len().min(got.len()) > PLAIN_CHARS && at * 3 > want.len().min(got.len());
    if is_same || !looks_alike && !is_hard_to_see {
        return None;
    }
    let around = |text: &[char]| {
        let from = at.saturating_sub(AROUND);
        let to = text.len().min(at + AROUND);
        let cut = |is_cut: bool| if is_cut { "..." } else { "" };
        format!("{}{}{}", cut(from > 0), text[from..to].iter().collect::<String>(), cut(to < text.len()))
    };
    let (wanted, came) = (named(want.get(at)), named(got.get(at)));
    Some(format!("at character {}: want {wanted}, got {came}, in `{}` and `{}`", at + 1, around(&want), around(&got)))
}

/// A text as the eye sees it: without letter case, spaces and invisible characters.
fn seen(text: &[char]) -> String {
    let visible = text.iter().filter(|c| !c.is_whitespace() && is_plain(**c) && !matches!(c, '\u{300}'..='\u{36f}'));
    visible.flat_map(|c| c.to_lowercase()).collect()
}

fn named(c: Option<&char>) -> String {
    match c {
        None => "the end".to_owned(),
        Some(c) if c.is_ascii_graphic() => format!("`{c}`"),
        Some(c) => format!("`{}` (U+{:04X})", spelled(c.encode_utf8(&mut [0; 4])), u32::from(*c)),
    }
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn only_what_is_hard_to_see_is_reported() {
        assert_eq!(first_difference("100", "101"), None);
        assert_eq!(first_difference("same", "same"), None);
        assert_eq!(first_difference("a sentence that a rule asks for", "404 something else altogether"), None);
        let of_case = first_difference("no-cache", "No-Cache").unwrap();
        assert!(of_case.starts_with("at character 1: want `n`, got `N`"), "{of_case}");
        let of_space = first_difference("a b", "a\u{a0}b").unwrap();
        assert!(of_space.contains("(U+0020), got `\\xa0` (U+00A0)"), "{of_space}");
        let of_digest =
            first_difference("d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427f").unwrap();
        assert!(of_digest.starts_with("at character 32"), "{of_digest}");
        assert!(first_difference("text/plain", "text/plain ").unwrap().contains("got ` ` (U+0020)"));
    }
}
