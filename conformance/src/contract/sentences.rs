//! Splits a document into sections, sentences and table rows, numbered from 1. Knows no rule, and keeps no word.

use sha2::{Digest as _, Sha256};

const INTRODUCTION: &str = "introduction";

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) name: String,
    /// Sentences and rows in order, with single spaces; without the heads of tables.
    pub(crate) sentences: Vec<String>,
}

/// The sections of a Markdown document that have sentences.
pub(crate) fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut paragraph, mut is_table) = (String::new(), false);
    for line in text.lines().chain([""]) {
        let item = line.split_once(". ").filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let item = item.map(|(_, rest)| rest).or_else(|| line.strip_prefix("- "));
        let is_row = line.starts_with('|');
        let goes_on = !(line.trim().is_empty() || line.starts_with('#') || is_row || item.is_some());
        if !goes_on && let Some(section) = sections.last_mut() {
            section.sentences.extend(split(&std::mem::take(&mut paragraph)));
        }
        if let Some(name) = line.strip_prefix('#') {
            let name = name.trim_start_matches('#').trim();
            let name = if sections.is_empty() { INTRODUCTION } else { name };
            sections.push(Section { name: name.to_owned(), sentences: Vec::new() });
        } else if is_row {
            let is_rule = line.chars().all(|c| matches!(c, '|' | '-' | ' '));
            if is_table
                && !is_rule
                && let Some(section) = sections.last_mut()
            {
                section.sentences.push(spaced(line));
            }
        } else {
            paragraph.push_str(item.unwrap_or(line));
            paragraph.push(' ');
        }
        is_table = is_row;
    }
    sections.retain(|section| !section.sentences.is_empty());
    sections
}

pub(crate) fn digest(sentence: &str) -> String {
    hex::encode(&Sha256::digest(sentence)[..8])
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Splits at full stops before a capital letter, a path or code, outside of brackets and code.
fn split(paragraph: &str) -> Vec<String> {
    let text = spaced(paragraph);
    let (mut sentences, mut begin, mut depth, mut is_code) = (Vec::new(), 0, 0_usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '`' => is_code = !is_code,
            '(' if !is_code => depth += 1,
            ')' if !is_code => depth = depth.saturating_sub(1),
            '.' if !is_code && depth == 0 => {
                let next = text[at + 1..].strip_prefix(' ').and_then(|rest| rest.chars().next());
                if next.is_some_and(|next| next.is_uppercase() || matches!(next, '`' | '<' | '/')) {
                    sentences.push(text[begin..=at].to_owned());
                    begin = at + 2;
                }
            }
            _ => {}
        }
    }
    sentences.extend(Some(text[begin..].to_owned()).filter(|last| !last.is_empty()));
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_its_sentences_rows_and_items_by_section() {
        let text = "# Title\n\nOne (as 1. Two). `A. B` is\none. Three\n\n## Rules\n\n### Books\n\n| a | b |\n|---|---|\n|  x | y. Z |\n\
                    \n1. First. `Second`.\n2. Third: /a. /b too.\n";
        let section = |name: &str, sentences: &[&str]| Section {
            name: name.to_owned(),
            sentences: sentences.iter().map(|sentence| (*sentence).to_owned()).collect(),
        };
        let wanted = [
            section("introduction", &["One (as 1. Two).", "`A. B` is one.", "Three"]),
            section("Books", &["| x | y. Z |", "First.", "`Second`.", "Third: /a.", "/b too."]),
        ];
        assert_eq!(sections(text), wanted);
    }
}
