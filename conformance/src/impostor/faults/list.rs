//! Faults that break rules of the chapter list.

use std::cmp::Ordering;

use libros_conformance_model::js;
use libros_conformance_model::list::compare::{compare_units, loosely_equal};
use libros_conformance_model::list::converted::Converted;
use libros_conformance_model::list::filter::{
    equals, has_equal_field, has_truth, is_equality_filter, is_prefixed, is_within, own_text, wanted_truth,
};
use libros_conformance_model::list::names::names;
use libros_conformance_model::list::selected;
use libros_conformance_model::list::sort::sort;
use libros_conformance_model::list::steps::{ListSteps, Stage};
use libros_conformance_model::list::value::{boolean, convert_all, iso_date, number};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::impostor::effect::prelude::*;

/// The fields of the documents' table of books.
const BOOK_FIELDS: [&str; 8] =
    ["id", "titulo", "autor", "fechaPublicacion", "fechaCreacion", "fechaActualizacion", "creadoPor", "actualizadoPor"];

/// Names that every object of JavaScript has.
const INHERITED: [&str; 4] = ["constructor", "hasOwnProperty", "toString", "valueOf"];

pub(crate) const FAULTS: &[Variation] = variations! {
    "repeated-last-wins" breaks "list/repeated": "Of a repeated parameter only the last value counts."
        => steps |s| s.list.convert_all = |values, steps| convert_all(&values[values.len() - 1..], steps);
    "repeated-first-wins" breaks "list/repeated": "Of a repeated parameter only the first value counts."
        => steps |s| s.list.convert_all = |values, steps| convert_all(&values[..1], steps);
    "repeated-not-converted" breaks "list/repeated": "Values of a repeated parameter stay texts, so true no longer matches a boolean."
        => steps |s| s.list.convert_all = texts_if_repeated;
    "comma-list-not-split" breaks "list/comma-list": "A value with a comma is taken as one text."
        => steps |s| s.list.split = |text| vec![text];
    "comma-list-first-only" breaks "list/comma-list": "Of a comma list only the first item counts."
        => steps |s| s.list.split = |text| text.split(',').take(1).collect();
    "comma-list-splits-once" breaks "list/comma-list": "A comma list is split at its first comma only."
        => steps |s| s.list.split = |text| text.splitn(2, ',').collect();
    "list-must-match-whole" breaks "list/comma-list": "A field must equal all items of a list instead of any."
        => steps |s| s.list.equals = |field, value, steps| match value {
            Converted::List(items) => items.iter().all(|item| equals(field, item, steps)),
            _ => equals(field, value, steps),
        };
    "list-items-not-converted" breaks "list/comma-list-converts": "Items of a comma list stay texts, so true no longer matches a boolean."
        => steps |s| s.list.convert_item = |item, _| Converted::Text(item.to_owned());
    "numbers-stay-text" breaks "list/convert-number" and "list/loose-number-text-forms": "Numeric texts are not converted: 5 no longer equals the text 5.0."
        => steps |s| s.list.number = |_| None;
    "decimals-stay-text" breaks "list/convert-number": "Only whole numbers are converted, 1.5 stays a text."
        => steps |s| s.list.number = |text| number(text).filter(|number| number.fract() == 0.0);
    "negative-numbers-stay-text" breaks "list/convert-number": "A minus sign keeps a number from being converted."
        => steps |s| s.list.number = |text| number(text).filter(|_| !text.starts_with('-'));
    "dates-keep-the-year-only" breaks "list/date-other-day": "Dates are compared by their year, so another day of the year matches."
        => steps |s| s.list.date = |text| iso_date(text).and_then(|_| iso_date(&format!("{}-01-01", text.get(..4)?)));
    "booleans-stay-text" breaks "list/convert-boolean": "true and false stay texts and match no boolean."
        => steps |s| s.list.boolean = |_| None;
    "booleans-lower-case-only" breaks "list/convert-boolean-case": "TRUE and False stay texts."
        => steps |s| s.list.boolean = |text| text.parse().ok();
    "false-stays-text" breaks "list/convert-boolean": "Only true is converted, false stays a text."
        => steps |s| s.list.boolean = |text| boolean(text).filter(|truth| *truth);
    "query-not-percent-decoded" breaks "list/percent-decoding": "The query string is not percent-decoded."
        => steps |s| s.list.decode = str::to_owned;
    "query-decoded-as-latin-1" breaks "list/percent-decoding": "Percent-encoded bytes are read as Latin-1 instead of UTF-8."
        => steps |s| s.list.decode = |text| percent_decode_str(text).map(char::from).collect();
    "empty-pairs-are-parameters" breaks "list/empty-pairs": "Nothing between two ampersands counts as a parameter of the empty name."
        => steps |s| s.list.pairs = |raw| raw.split('&').filter(|_| !raw.is_empty()).collect();
    "parameter-names-ignore-case" breaks "list/field-name-case": "N=5 filters on n."
        => steps |s| s.list.name = str::to_lowercase;
    "q-filters-too" breaks "list/q-contains" and "list/reserved-no-filters": "q is an equality filter on a field q as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "q";
    "sort-filters-too" breaks "list/sort-ascending" and "list/reserved-no-filters": "sort is an equality filter on a field sort as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "sort";
    "fields-filters-too" breaks "list/fields-select" and "list/reserved-no-filters": "fields is an equality filter on a field fields as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "fields";
    "range-filters-too" breaks "list/range-min-max-ignored": "range is an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "range";
    "min-filters-too" breaks "list/range-min-max-ignored": "min is an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "min";
    "max-filters-too" breaks "list/range-min-max-ignored": "max is an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "max";
    "q-ignored" breaks "list/q-contains": "q filters nothing."
        => steps |s| s.list.q_filters_nothing = |_| true;
    "q-empty-keeps-nothing" breaks "list/q-empty": "An empty q keeps no book."
        => steps |s| {
            s.list.q_filters_nothing = |_| false;
            s.list.contains = |field, text| !text.is_empty() && field.contains(text);
        };
    "q-whole-field" breaks "list/q-contains": "q must be the whole text of a field."
        => steps |s| s.list.contains = |field, text| field == text;
    "q-trims" breaks "list/q-contains": "Spaces around q do not count."
        => steps |s| s.list.contains = |field, text| field.contains(text.trim());
    "q-prefix-only" breaks "list/q-contains": "q finds a text only at the beginning of a field."
        => steps |s| s.list.contains = |field, text| field.starts_with(text);
    "q-titulo-only" breaks "list/q-contains": "q looks at titulo only."
        => steps |s| s.list.field_texts = |name, field| if name == "titulo" { own_text(name, field) } else { Vec::new() };
    "q-titulo-and-autor-only" breaks "list/q-contains": "q looks at titulo and autor only."
        => steps |s| s.list.field_texts =
            |name, field| if matches!(name, "titulo" | "autor") { own_text(name, field) } else { Vec::new() };
    "q-splits-words" breaks "list/q-contains": "The words of q are searched one by one, any of them is enough."
        => steps |s| s.list.q_texts = |values| values.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    "q-case-matters" breaks "list/q-case": "q heeds letter case."
        => steps |s| s.list.fold = str::to_owned;
    "q-folds-ascii-only" breaks "list/q-case": "q ignores letter case within ASCII only."
        => steps |s| s.list.fold = str::to_ascii_lowercase;
    "q-ignores-accents" breaks "list/q-case": "q finds Alvaro in Álvaro."
        => steps |s| s.list.fold = without_accents;
    "q-reads-numbers" breaks "list/q-text-only": "q finds digits in numbers."
        => steps |s| s.list.field_texts =
            |name, field| if field.is_number() { vec![js::text_of(field)] } else { own_text(name, field) };
    "q-reads-lists" breaks "list/q-text-only": "q finds texts inside lists."
        => steps |s| s.list.field_texts =
            |name, field| if field.is_array() { vec![js::text_of(field)] } else { own_text(name, field) };
    "q-reads-objects" breaks "list/q-text-only": "q finds texts inside objects."
        => steps |s| s.list.field_texts = |name, field| match field {
            Value::Object(inner) => inner.iter().flat_map(|(name, field)| own_text(name, field)).collect(),
            _ => own_text(name, field),
        };
    "q-dot-is-wildcard" breaks "list/q-literal": "A dot in q stands for any character."
        => steps |s| s.list.contains = contains_where_dots_fit_any;
    "q-percent-is-wildcard" breaks "list/q-literal": "A percent sign in q stands for any text."
        => steps |s| s.list.contains = |field, text| text.split('%').all(|part| field.contains(part));
    "q-number-ignored" breaks "list/q-as-sent": "A numeric q, converted to a number, filters nothing."
        => steps |s| s.list.q_filters_nothing = |text| text.is_empty() || number(text).is_some();
    "q-boolean-ignored" breaks "list/q-as-sent": "q=true, converted to a boolean, filters nothing."
        => steps |s| s.list.q_filters_nothing = |text| text.is_empty() || boolean(text).is_some();
    "equality-ignored" breaks "list/equal-keeps": "An equality filter asks for the field only, not for its value."
        => steps |s| s.list.has_equal_field = |book, name, _, _| book.get(name).is_some();
    "equality-on-known-fields-only" breaks "list/equal-keeps": "Only the fields of the table of books can be filtered on."
        => steps |s| s.list.is_equality_filter = |name| BOOK_FIELDS.contains(&name);
    "equality-keeps-lacking" breaks "list/equal-lacking": "Books that lack the field are kept."
        => steps |s| s.list.has_equal_field = |book, name, value, steps| book.get(name).is_none() || has_equal_field(book, name, value, steps);
    "empty-value-keeps-lacking" breaks "list/equal-lacking": "An empty value keeps the books that lack the field."
        => steps |s| s.list.has_equal_field =
            |book, name, value, steps| book.get(name).is_none() && value.is_empty_text() || has_equal_field(book, name, value, steps);
    "equality-reaches-into-objects" breaks "list/equal-own-field": "A dot in a parameter's name reaches into an object."
        => steps |s| s.list.has_equal_field = |book, name, value, steps| match name.split_once('.') {
            Some((outer, inner)) => book.get(outer).is_some_and(|outer| has_equal_field(outer, inner, value, steps)),
            None => has_equal_field(book, name, value, steps),
        };
    "filters-any-holds" breaks "list/equal-all-hold": "Of several equality filters one is enough."
        => steps |s| s.list.is_equal = passes_one_filter;
    "equality-ignores-case" breaks "list/equal-text-exact": "Texts that differ in letter case are equal."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(field), Converted::Text(text)) => field.to_lowercase() == text.to_lowercase(),
            _ => loosely_equal(field, value),
        };
    "equality-is-contains" breaks "list/equal-text-exact": "A text field that contains the value is equal to it."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(field), Converted::Text(text)) => field.contains(text),
            _ => loosely_equal(field, value),
        };
    "equality-spares-order" breaks "list/equal-keeps": "order is no filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && name != "order";
    "equality-trims" breaks "list/equal-text-exact": "Spaces around a text do not count."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(field), Converted::Text(text)) => field.trim() == text.trim(),
            _ => loosely_equal(field, value),
        };
    "min-ignored" breaks "list/min-keeps": "min_ keeps smaller fields too."
        => steps |s| s.list.min_keeps = |order| order.is_some();
    "bounds-compare-as-text" breaks "list/min-keeps" and "list/max-keeps": "Bounds compare the texts of numbers, so 9 is greater than 10."
        => steps |s| s.list.relation = |field, value| Some(js::text_of(field).cmp(&value.text()));
    "min-exclusive" breaks "list/min-inclusive": "min_ drops a field equal to the value."
        => steps |s| s.list.min_keeps = |order| order == Some(Ordering::Greater);
    "min-keeps-lacking" breaks "list/bound-lacking": "min_ keeps books that lack the field."
        => steps |s| s.list.is_within = |book, name, value, steps| lacks(book, name, "min_") || is_within(book, name, value, steps);
    "max-keeps-lacking" breaks "list/bound-lacking": "max_ keeps books that lack the field."
        => steps |s| s.list.is_within = |book, name, value, steps| lacks(book, name, "max_") || is_within(book, name, value, steps);
    "min-prefix-spared" breaks "list/min-faces-equality": "min_ parameters are spared the equality step."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !name.starts_with("min_");
    "max-ignored" breaks "list/max-keeps": "max_ keeps greater fields too."
        => steps |s| s.list.max_keeps = |order| order.is_some();
    "max-exclusive" breaks "list/max-inclusive": "max_ drops a field equal to the value."
        => steps |s| s.list.max_keeps = |order| order == Some(Ordering::Less);
    "max-prefix-spared" breaks "list/max-faces-equality": "max_ parameters are spared the equality step."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !name.starts_with("max_");
    "prefixed-equality-by-presence" breaks "list/prefixed-equality-value": "For a prefixed parameter the field so named must only be there, whatever its value."
        => steps |s| s.list.has_equal_field =
            |book, name, value, steps| if is_prefixed(name) { book.get(name).is_some() } else { has_equal_field(book, name, value, steps) };
    "bare-prefixes-spared" breaks "list/empty-names": "min_ and max_ with nothing after them are spared the equality step."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !matches!(name, "min_" | "max_");
    "is-wants-booleans" breaks "list/is-truthiness": "is_ takes only fields that are booleans."
        => steps |s| s.list.field_has_truth = |field, wanted| field.as_bool() == Some(wanted);
    "is-ignores-false" breaks "list/is-truthiness": "is_ with a false value filters nothing."
        => steps |s| s.list.field_has_truth = |field, wanted| !wanted || js::truthy(field);
    "is-counts-lacking-as-false" breaks "list/is-lacking": "is_ with a false value keeps books that lack the field."
        => steps |s| s.list.has_truth =
            |book, name, value, steps| lacks(book, name, "is_") && !wanted_truth(value) || has_truth(book, name, value, steps);
    "is-prefix-spared" breaks "list/is-faces-equality": "is_ parameters are spared the equality step."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !name.starts_with("is_");
    "is-words-are-false" breaks "list/is-other-values": "is_ with a word other than true is false."
        => steps |s| s.list.wanted_truth = |value| !matches!(value, Converted::Text(_)) && wanted_truth(value);
    "sort-ignored" breaks "list/sort-ascending": "sort orders nothing."
        => steps |s| s.list.sort_names = |_| Vec::new();
    "sort-by-length" breaks "list/sort-ascending": "Texts are ordered by their length."
        => steps |s| s.list.compare_texts = |x, y, _| x.len().cmp(&y.len());
    "sort-minus-ignored" breaks "list/sort-descending": "A minus before a name is passed over."
        => steps |s| s.list.sort_names = |values| names(values).iter().map(|name| without_minus(name).to_owned()).collect();
    "sort-minus-sticks" breaks "list/sort-several": "After a name with a minus all later names are descending too."
        => steps |s| s.list.sort_names = with_the_minus_of_the_name_before;
    "sort-first-name-only" breaks "list/sort-several": "Of several names only the first orders."
        => steps |s| s.list.sort_names = first_name;
    "sort-repeated-last-wins" breaks "list/sort-repeated": "Of a repeated sort only the last value counts."
        => steps |s| s.list.sort_names = names_of_the_last_value;
    "sort-numbers-as-text" breaks "list/sort-numbers": "Numbers are ordered as texts: 10 before 9."
        => steps |s| s.list.compare_values = |x, y| compare_units(&x.to_string(), &y.to_string());
    "sort-by-code-unit" breaks "list/sort-text-locale": "Texts are ordered by code: Banana before apple."
        => steps |s| s.list.compare_texts = |x, y, _| compare_units(x, y);
    "sort-folds-ascii-only" breaks "list/sort-text-locale": "Letters beyond ASCII are ordered by code: Zorro before Álvaro."
        => steps |s| s.list.compare_texts = |x, y, _| compare_units(&x.to_ascii_lowercase(), &y.to_ascii_lowercase());
    "sort-missing-first" breaks "list/sort-missing": "A book that lacks the field comes before one that has it."
        => steps |s| s.list.missing = |x, y| Some(x.cmp(&y));
    "sort-missing-ends" breaks "list/sort-missing": "Where a book lacks a field the later names are not asked."
        => steps |s| s.list.missing = |_, _| None;
    "sort-drops-lacking" breaks "list/sort-unknown-field": "Books that lack the field to sort by are dropped."
        => steps |s| s.list.sort = |books, values, steps| {
            let names = names(values);
            books.retain(|book| names.iter().all(|name| book.get(without_minus(name)).is_some()));
            sort(books, values, steps);
        };
    "sort-stops-at-empty-name" breaks "list/empty-names": "Names after an empty one are passed over."
        => steps |s| s.list.sort_names = names_before_the_first_empty_one;
    "sort-strips-every-minus" breaks "list/empty-names": "All minuses before a name are taken away."
        => steps |s| s.list.sort_names = with_one_minus_for_several;
    "fields-ignored" breaks "list/fields-select": "fields selects nothing."
        => steps |s| s.list.field_names = |_| Vec::new();
    "fields-first-only" breaks "list/fields-select": "Of several listed fields only the first is kept."
        => steps |s| s.list.field_names = first_name;
    "fields-repeated-last-wins" breaks "list/fields-repeated": "Of a repeated fields only the last value counts."
        => steps |s| s.list.field_names = names_of_the_last_value;
    "fields-missing-as-null" breaks "list/fields-lacking": "A listed field that an item lacks is null in the answer."
        => steps |s| s.list.selected =
            |item, names| names.iter().map(|name| (name.clone(), item[name].clone())).collect();
    "fields-drop-null" breaks "list/fields-lacking": "A listed field that is null is left out."
        => steps |s| s.list.selected =
            |item, names| selected(item, names).into_iter().filter(|(_, field)| !field.is_null()).collect();
    "fields-always-id" breaks "list/fields-no-id-added": "The id is always among the selected fields."
        => steps |s| s.list.selected = |item, names| selected(item, &[&["id".to_owned()], names].concat());
    "fields-stop-at-empty-name" breaks "list/empty-names": "Names after an empty one are passed over."
        => steps |s| s.list.field_names = names_before_the_first_empty_one;
    "pages-before-filtering" breaks "list/order-filter-before-page": "The page is cut before the filters act."
        => steps |s| s.list.stages = [Stage::Page, Stage::Filter, Stage::Sort, Stage::Select];
    "sorts-after-paging" breaks "list/order-sort-before-page": "Only the items of the page are sorted."
        => steps |s| s.list.stages = [Stage::Filter, Stage::Page, Stage::Sort, Stage::Select];
    "selects-before-sorting" breaks "list/order-fields-last": "Fields are selected before sorting, which then misses what was not selected."
        => steps |s| s.list.stages = [Stage::Filter, Stage::Select, Stage::Sort, Stage::Page];
    "selects-before-filtering" breaks "list/order-fields-last": "Fields are selected before filtering, which then misses what was not selected."
        => steps |s| s.list.stages = [Stage::Select, Stage::Filter, Stage::Sort, Stage::Page];
    "numbers-cut-to-whole" breaks "list/convert-number": "Of a number with decimals the whole part counts."
        => steps |s| s.list.number = |text| number(text).map(f64::trunc);
    "numbers-read-by-their-beginning" breaks "list/convert-number": "A text that begins with a number is that number."
        => steps |s| s.list.number = |text| (1..=text.len()).rev().find_map(|end| number(text.get(..end)?));
    "q-reads-backslashes" breaks "list/q-literal": "A backslash in q escapes the character behind it."
        => steps |s| s.list.contains = |field, text| field.contains(&text.replace('\\', ""));
    "inherited-names-no-parameters" breaks "list/equal-own-field": "Parameters named as what every object inherits are passed over, to keep it from harm."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !INHERITED.contains(&name);
    "filters-behind-page-ignored" breaks "list/order-filter-before-page": "Filters behind page in the query are ignored."
        => request |request| if of_books(request) { drop_filters_behind_page(request) };
    "sort-orders-a-hundred" breaks "list/sort-several": "Of more than a hundred books the first hundred are ordered, the others follow."
        => steps |s| s.list.sort = |books, values, steps| {
            let others = books.split_off(books.len().min(100));
            sort(books, values, steps);
            books.extend(others);
        };
    "sort-of-many-lacking-first" breaks "list/sort-missing": "More than a hundred books are ordered with those first that lack the field."
        => steps |s| s.list.sort = |books, values, steps| {
            let is_long = books.len() > 100;
            sort(books, values, &ListSteps { missing: if is_long { |x, y| Some(x.cmp(&y)) } else { steps.missing }, ..steps.clone() });
        };
};

fn without_accents(text: &str) -> String {
    let plain = |c: char| match c {
        'á' | 'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    };
    text.to_lowercase().chars().map(plain).collect()
}

fn contains_where_dots_fit_any(field: &str, text: &str) -> bool {
    let (field, text): (Vec<char>, Vec<char>) = (field.chars().collect(), text.chars().collect());
    field.windows(text.len()).any(|window| window.iter().zip(&text).all(|(c, wanted)| *wanted == '.' || c == wanted))
}

fn first_name(values: &[String]) -> Vec<String> {
    names(values).into_iter().take(1).collect()
}

fn names_of_the_last_value(values: &[String]) -> Vec<String> {
    values.last().map_or_else(Vec::new, |last| names(std::slice::from_ref(last)))
}

fn names_before_the_first_empty_one(values: &[String]) -> Vec<String> {
    let listed = values.iter().flat_map(|value| value.split(','));
    listed.take_while(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn without_minus(name: &str) -> &str {
    name.strip_prefix('-').unwrap_or(name)
}

fn texts_if_repeated(values: &[String], steps: &ListSteps) -> Converted {
    match values {
        [_] => convert_all(values, steps),
        _ => Converted::List(values.iter().cloned().map(Converted::Text).collect()),
    }
}

fn passes_one_filter(book: &Value, values: &[(&str, Converted)], steps: &ListSteps) -> bool {
    let mut filters = values.iter().filter(|(name, _)| is_equality_filter(name)).peekable();
    filters.peek().is_none() || filters.any(|(name, value)| has_equal_field(book, name, value, steps))
}

/// Whether a parameter of this prefix is about a field that the book lacks.
fn lacks(book: &Value, name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|field| book.get(field).is_none())
}

fn with_the_minus_of_the_name_before(values: &[String]) -> Vec<String> {
    let mut is_descending = false;
    let mut name = |name: String| {
        is_descending |= name.starts_with('-');
        if is_descending { format!("-{}", without_minus(&name)) } else { name }
    };
    names(values).into_iter().map(&mut name).collect()
}

fn with_one_minus_for_several(values: &[String]) -> Vec<String> {
    let one = |name: String| if name.starts_with('-') { format!("-{}", name.trim_start_matches('-')) } else { name };
    names(values).into_iter().map(one).collect()
}

fn drop_filters_behind_page(request: &mut Request) {
    let mut has_page = false;
    let mut stays = |pair: &&str| {
        has_page |= pair.starts_with("page=");
        !has_page || !is_equality_filter(pair.split('=').next().unwrap_or_default())
    };
    let kept: Vec<&str> = request.query.split('&').filter(|pair| stays(pair)).collect();
    request.query = kept.join("&");
}
