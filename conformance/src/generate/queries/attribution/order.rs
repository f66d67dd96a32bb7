//! Names the rule of `sort` or paging that a wrong page breaks: books in another order, or others of those that the filters keep. Never filters.

use serde_json::Value;

use super::{Answer, items, paging};
use libros_conformance_model::list::query::names;
use libros_conformance_model::list::sort::compare_by;

/// The rule that wrong or wrongly ordered books on the page break.
pub(super) fn broken_rule(answer: &Answer<'_>) -> Option<&'static str> {
    let kept = answer.kept();
    let (got, want) = (answer.items(), answer.unselected());
    let Some(shown) = identified(got, &kept) else {
        // Selected items identify no book: if they could come from the right books, `fields` is wrong, else the books are.
        let is_selected = got.len() == want.len() && got.iter().zip(&want).all(|(item, book)| is_part(item, book));
        return if is_selected { None } else { Some(selection_rule(answer)) };
    };
    if ids(&shown) == ids(&want.iter().collect::<Vec<_>>()) {
        return None;
    }
    let values = answer.values("sort");
    if let Some(inverted) = shown.windows(2).find_map(|pair| deciding(pair[0], pair[1], values)) {
        return Some(inverted.rule(values, &kept));
    }
    if let Some(rule) = lacking_field_rule(&shown, &kept, values).filter(|_| shown.len() != want.len()) {
        return Some(rule);
    }
    let mut slices = kept.windows(shown.len().max(1)).map(|slice| ids(&slice.iter().collect::<Vec<_>>()));
    let is_slice = shown.is_empty() || slices.any(|slice| slice == ids(&shown));
    if !is_slice && !values.is_empty() {
        return Some("list/order-sort-before-page");
    }
    // The first books, but another number of them: another limit.
    let is_start = kept.iter().zip(&shown).all(|(book, shown)| book["id"] == shown["id"]);
    let is_limit = is_start && !answer.has("page") && shown.len() != want.len();
    Some(if is_limit { paging::limit_rule(answer) } else { "paging/page-slice" })
}

fn ids<'a>(books: &[&'a Value]) -> Vec<&'a Value> {
    books.iter().map(|book| &book["id"]).collect()
}

/// The books that items identify by id; `None` if an item has no id.
fn identified<'a>(items: &[Value], kept: &'a [Value]) -> Option<Vec<&'a Value>> {
    items.iter().map(|item| kept.iter().find(|book| Some(&book["id"]) == item.get("id"))).collect()
}

/// Whether an item may be a selection of a book: their common fields are equal.
fn is_part(item: &Value, book: &Value) -> bool {
    let mut fields = item.as_object().into_iter().flatten();
    fields.all(|(name, field)| book.get(name).is_none_or(|own| own == field))
}

fn selection_rule(answer: &Answer<'_>) -> &'static str {
    let is_page = answer.items().len() != items(answer.want).len();
    match () {
        () if answer.has("sort") => "list/order-fields-last",
        () if is_page && !answer.has("page") => paging::limit_rule(answer),
        () => "paging/page-slice",
    }
}

/// The sort name that decides the order of two books.
struct Deciding<'a> {
    place: usize,
    name: String,
    fields: [Option<&'a Value>; 2],
}

fn deciding<'a>(first: &'a Value, second: &'a Value, values: &[String]) -> Option<Deciding<'a>> {
    for (place, name) in names(values).into_iter().enumerate() {
        match compare_by(first, second, std::slice::from_ref(&name)) {
            std::cmp::Ordering::Less => return None,
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => {
                let field = name.strip_prefix('-').unwrap_or(&name);
                return Some(Deciding { place, fields: [first.get(field), second.get(field)], name });
            }
        }
    }
    None
}

impl Deciding<'_> {
    fn rule(&self, values: &[String], kept: &[Value]) -> &'static str {
        let listed: Vec<&str> = values.iter().flat_map(|value| value.split(',')).collect();
        let before = listed.iter().take_while(|name| **name != self.name);
        let earlier = names(values).into_iter().take(self.place);
        let mut earlier = earlier.map(|name| name.trim_start_matches('-').to_owned());
        let lacks = |book: &Value, name: &str| book.get(name).is_none();
        match self.fields {
            _ if before.clone().any(|name| name.is_empty()) => "list/empty-names",
            _ if earlier.any(|name| kept.iter().any(|book| lacks(book, &name))) => "list/sort-missing",
            _ if self.place > 0 && values.len() > 1 => "list/sort-repeated",
            _ if self.place > 0 => "list/sort-several",
            _ if self.name.starts_with("--") => "list/empty-names",
            _ if self.name.starts_with('-') => "list/sort-descending",
            [Some(Value::Number(_)), Some(Value::Number(_))] => "list/sort-numbers",
            [Some(Value::String(_)), Some(Value::String(_))] => "list/sort-text-locale",
            _ => "list/sort-ascending",
        }
    }
}

fn lacking_field_rule(shown: &[&Value], kept: &[Value], values: &[String]) -> Option<&'static str> {
    let fields: Vec<String> = names(values).into_iter().map(|name| name.trim_start_matches('-').to_owned()).collect();
    let lacks = |book: &Value| fields.iter().any(|field| book.get(field).is_none());
    let has_lacking = kept.iter().any(&lacks);
    let is_known = fields.iter().all(|field| kept.iter().any(|book| book.get(field).is_some()));
    let rule = if is_known { "list/sort-missing" } else { "list/sort-unknown-field" };
    (has_lacking && !shown.iter().any(|book| lacks(book))).then_some(rule)
}
