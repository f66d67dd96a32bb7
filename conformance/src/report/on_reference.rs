//! Where a failing answer differs from the reference's, in lines as `diff` writes them.

use serde_json::Value;

use crate::contract::excerpt::excerpts;
use crate::contract::violation::{Part, Want};
use crate::report::judged::fitted;
use crate::runner::on_reference::{Difference, OnReference};
use crate::runner::outcome::CaseOutcome;

/// The lines of at most `shown_max` differences, each of at most `chars` characters; none without a difference or a reference.
pub(super) fn lines(case: &CaseOutcome, shown_max: usize, chars: usize) -> Vec<String> {
    let Some((judged, reference)) = case.judged_index().zip(case.on_reference.as_ref()) else { return Vec::new() };
    let differs = |at: &usize| reference.steps.get(*at).is_some_and(|step| !step.differences.is_empty());
    // Where the judged answers are alike, an earlier one may differ.
    let Some(at) = Some(judged).filter(differs).or_else(|| (0..judged).find(differs)) else {
        return why_not(reference).into_iter().collect();
    };
    let earlier = case.exchanges.get(at).filter(|_| at != judged).map(|exchange| &exchange.sent);
    let asked = earlier.map_or_else(String::new, |sent| format!(", to the earlier {} {}", sent.method, sent.path));
    let all = &reference.steps[at].differences;
    // A target may hold other books and users: wrong parts come first.
    let is_first = |one: &&Difference| one.is_wrong || one.part == Part::Status;
    let mut differences: Vec<&Difference> = all.iter().filter(is_first).collect();
    differences.sort_by_key(|one| one.part != Part::Status);
    if differences.is_empty() {
        differences = all.iter().filter(|one| !is_of_content(one)).collect();
    }
    differences.retain(|one| !is_said(case, one));
    if differences.is_empty() || shown_max == 0 {
        return why_not(reference).into_iter().collect();
    }
    let left = differences.len().saturating_sub(shown_max);
    let more = if left > 0 { format!(" ({left} more: the html report)") } else { String::new() };
    let head = fitted(&format!("- yours, + the reference's{more}{asked}"), chars);
    let mut lines: Vec<String> = [head].into_iter().chain(why_not(reference)).collect();
    lines.extend(differences.iter().take(shown_max).flat_map(|one| difference(one, chars)));
    lines
}

/// Whether the difference may come from other books or users: an item of a list, or a count of items.
fn is_of_content(difference: &Difference) -> bool {
    const COUNTS: [&str; 3] = ["X-Total-Count", "X-Page-Count", "Link"];
    match &difference.part {
        Part::Body(pointer) => {
            pointer.split('/').any(|key| key.parse::<u32>().is_ok()) || pointer.contains("/paginacion/")
        }
        Part::Header(name) => COUNTS.iter().any(|count| name.eq_ignore_ascii_case(count)),
        Part::Status | Part::Described(_) => false,
    }
}

/// Whether the lines `want` and `got` show this difference already: a value was wanted there, by which the reference's, of another time and
/// other ids, says nothing more.
fn is_said(case: &CaseOutcome, difference: &Difference) -> bool {
    let is_value = |want: &Want| !matches!(want, Want::Described(_) | Want::OneOf(_) | Want::Present);
    case.mismatch.as_ref().is_some_and(|of| of.place.part == difference.part && is_value(&of.want))
}

fn why_not(reference: &OnReference) -> Option<String> {
    let why = reference.message.as_deref().unwrap_or_default();
    (!reference.holds).then(|| format!("the case does not hold on the reference either: {why}"))
}

/// `- Cache-Control: public` and `+ Cache-Control: no-cache`
fn difference(difference: &Difference, chars: usize) -> Vec<String> {
    let name = match &difference.part {
        Part::Status => "status".to_owned(),
        Part::Header(name) | Part::Described(name) => name.clone(),
        Part::Body(pointer) if pointer.is_empty() => "body".to_owned(),
        Part::Body(pointer) => pointer.clone(),
    };
    let is_header = matches!(difference.part, Part::Header(_));
    let text = |value: &Option<Value>| match value {
        Some(Value::String(text)) if is_header => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    // An excerpt ends in the length of the whole.
    const LENGTH_CHARS: usize = 30;
    let room = chars.saturating_sub(name.chars().count() + 4);
    let whole = [text(&difference.target), text(&difference.reference)];
    let [own, other] = if difference.target.is_some() && difference.reference.is_some() {
        excerpts(&whole[0], &whole[1], room.saturating_sub(LENGTH_CHARS).max(16))
    } else {
        whole.map(|text| fitted(&text, room))
    };
    let sides = [('-', difference.target.is_some(), own), ('+', difference.reference.is_some(), other)];
    let line = |(sign, is_there, text)| {
        if is_there { format!("{sign} {name}: {text}") } else { format!("{sign} (no {name})") }
    };
    sides.map(line).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_difference_is_two_lines_and_what_is_missing_is_said() {
        let between = |part, target, reference| difference(&Difference { part, target, reference, is_wrong: true }, 70);
        let header = between(Part::Header("Vary".to_owned()), Some(json!("*")), Some(json!("Origin")));
        assert_eq!(header, ["- Vary: *", "+ Vary: Origin"]);
        assert_eq!(between(Part::Body("/a/b".to_owned()), None, Some(json!("x"))), ["- (no /a/b)", r#"+ /a/b: "x""#]);
        assert_eq!(between(Part::Status, Some(json!(200)), Some(json!(404))), ["- status: 200", "+ status: 404"]);
    }
}
