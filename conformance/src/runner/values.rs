//! What a text says besides values that differ from case to case. Pure.

/// A text in which every word with a digit is one and the same: ids, tokens and times differ from case to case.
pub(super) fn without_values(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "-_.@".contains(c);
    let mut outline = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if is_part(c) {
            word.push(c);
            continue;
        }
        // Statuses are short and tell failures apart.
        let is_value = word.len() > 3 && word.chars().any(|c| c.is_ascii_digit());
        outline.push_str(if is_value { "#" } else { &word });
        outline.push(c);
        word.clear();
    }
    outline
}
