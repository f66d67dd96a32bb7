//! Cuts a long text to its beginning, and two texts to the surroundings of their first difference.

/// How many of ten shown characters precede the first difference.
const COMMON_OF_TEN: usize = 3;
/// About the length of the note that states the full length.
const NOTE_CHARS: usize = 24;

/// Cuts both to `chars` characters around the first difference; a cut text states its length.
pub fn excerpts(want: &str, got: &str, chars: usize) -> [String; 2] {
    let common = want.chars().zip(got.chars()).take_while(|(want, got)| want == got).count();
    [want, got].map(|text| excerpt(text, common.saturating_sub(chars * COMMON_OF_TEN / 10), chars))
}

/// Cuts a text to `chars` characters from the character `from` on, if that makes it shorter.
pub fn excerpt(text: &str, from: usize, chars: usize) -> String {
    let length = text.chars().count();
    if length <= chars + NOTE_CHARS {
        return text.to_owned();
    }
    // The end of a text is shown with as much before it as fits.
    let from = from.min(length - chars);
    let shown: String = text.chars().skip(from).take(chars).collect();
    let cut = |is_cut: bool| if is_cut { "..." } else { "" };
    format!("{}{shown}{} ({length} characters in all)", cut(from > 0), cut(from + chars < length))
}

/// Cuts a text to its first `chars` characters, with dots where it goes on.
pub fn beginning(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}...", &text[..cut]),
    }
}

#[cfg(test)]
mod tests {
    use super::excerpts;

    #[test]
    fn long_texts_are_cut_around_their_first_difference_and_ends_are_shown() {
        let text = |c: char| format!("{}{c}{}", "a".repeat(50), "b".repeat(50));
        let [want, got] = excerpts(&text('1'), &text('2'), 10);
        assert_eq!(want, "...aaa1bbbbbb... (101 characters in all)");
        assert_eq!(got, "...aaa2bbbbbb... (101 characters in all)");
        assert_eq!(excerpts("short", "shorn", 10), ["short", "shorn"]);
        let [want, got] = excerpts(&"x".repeat(34), &"x".repeat(35), 10);
        assert_eq!(want, "x".repeat(34), "no longer than with a note");
        assert_eq!(got, "...xxxxxxxxxx (35 characters in all)");
    }
}
