//! Variations of the chapter list: sort, fields, and the order of the steps.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::CollatorPreferences;
use icu_collator::preferences::CollationNumericOrdering;
use icu_locale_core::locale;
use libros_conformance_model::list::compare::{compare_fields, compare_units};
use libros_conformance_model::list::filter::is_equality_filter;
use libros_conformance_model::list::query::names;
use libros_conformance_model::list::sort::sort;
use libros_conformance_model::list::steps::Stage;
use libros_conformance_model::list::{select, selected};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "sort-filters-too" breaks "list/sort-ascending" and "list/reserved-no-filters": "sort is an equality filter on a field sort as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "sort";
    "fields-filters-too" breaks "list/fields-select" and "list/reserved-no-filters": "fields is an equality filter on a field fields as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "fields";
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
    "three-sort-names-at-most" breaks "list/sort-several": "Of more than three names the first three order."
        => steps |s| s.list.sort_names = |values| names(values).into_iter().take(3).collect();
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
        => steps |s| s.list.sort_names = |values| {
            let one = |name: String| if name.starts_with('-') { format!("-{}", name.trim_start_matches('-')) } else { name };
            names(values).into_iter().map(one).collect()
        };
    "fields-ignored" breaks "list/fields-select": "fields selects nothing."
        => steps |s| s.list.field_names = |_| Vec::new();
    "fields-first-only" breaks "list/fields-select": "Of several listed fields only the first is kept."
        => steps |s| s.list.field_names = first_name;
    "five-fields-at-most" breaks "list/fields-select": "Of more than five listed fields the first five are kept."
        => steps |s| s.list.field_names = |values| names(values).into_iter().take(5).collect();
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
    "empty-fields-select-nothing" by "list/fields-empty": "An empty fields leaves empty objects."
        => steps |s| s.list.select = |items, values, steps| match values {
            [] => {}
            _ if names(values).is_empty() => items.iter_mut().for_each(|item| *item = Cow::Owned(json!({}))),
            _ => select(items, values, steps),
        };
    "fields-name-the-empty-field" by "list/empty-names": "An empty name in fields is the field of that name."
        => steps |s| s.list.field_names = all_names;
    "sort-names-the-empty-field" by "list/empty-names": "An empty name in sort is the field of that name."
        => steps |s| s.list.sort_names = all_names;
    "sort-skips-names-of-minus" by "list/empty-names": "A name in sort with a further minus, and a lone minus, are skipped."
        => steps |s| s.list.sort_names = |values| names(values).into_iter().filter(|name| name != "-" && !name.starts_with("--")).collect();
    "fields-in-book-order" by silence: "A selected item keeps the order of the book."
        => steps |s| s.list.selected = |item, names| selected(item, &in_book_order(item, names));
    "names-trimmed" by "list/name-spaces": "Names in sort and fields are trimmed."
        => steps |s| {
            s.list.sort_names = trimmed_names;
            s.list.field_names = trimmed_names;
        };
    "sort-digits-by-number" by "list/sort-digits-in-text": "Digits in texts are ordered by their number."
        => steps |s| s.list.collation = || {
            let mut collation = CollatorPreferences::from(locale!("en-US"));
            collation.numeric_ordering = Some(CollationNumericOrdering::True);
            collation
        };
    "sort-in-spanish" by "list/sort-locale-ties": "Texts are ordered by the Spanish collation."
        => steps |s| s.list.collation = || locale!("es").into();
    "sort-mixed-by-type" by "list/sort-mixed": "Values of different types are ordered by their type."
        => steps |s| s.list.compare_values = compare_types_first;
    "sort-null-first" by "list/sort-null": "A field that is null comes first."
        => steps |s| s.list.compare_values = |x, y| y.is_null().cmp(&x.is_null()).then_with(|| compare_fields(x, y));
    "sort-null-last" by "list/sort-null": "A field that is null comes last."
        => steps |s| s.list.compare_values = |x, y| x.is_null().cmp(&y.is_null()).then_with(|| compare_fields(x, y));
    "sort-null-is-missing" by "list/sort-null": "A field that is null counts as missing."
        => steps |s| s.list.sort_field = |book, name| book.get(name).filter(|field| !field.is_null());
    "sort-turns-ties-round" by "list/sort-stable": "Books that sort leaves equal come in reverse order."
        => steps |s| s.list.sort = |books, values, steps| {
            if !(steps.sort_names)(values).is_empty() {
                books.reverse();
            }
            sort(books, values, steps);
        };
};

fn without_minus(name: &str) -> &str {
    name.strip_prefix('-').unwrap_or(name)
}

fn with_the_minus_of_the_name_before(values: &[String]) -> Vec<String> {
    let mut is_descending = false;
    let mut name = |name: String| {
        is_descending |= name.starts_with('-');
        if is_descending { format!("-{}", without_minus(&name)) } else { name }
    };
    names(values).into_iter().map(&mut name).collect()
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

fn drop_filters_behind_page(request: &mut Request) {
    let mut has_page = false;
    let mut stays = |pair: &&str| {
        has_page |= pair.starts_with("page=");
        !has_page || !is_equality_filter(pair.split('=').next().unwrap_or_default())
    };
    let kept: Vec<&str> = request.query.split('&').filter(|pair| stays(pair)).collect();
    request.query = kept.join("&");
}

fn all_names(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| value.split(',')).map(str::to_owned).collect()
}

fn in_book_order(book: &Value, names: &[String]) -> Vec<String> {
    let fields = book.as_object().into_iter().flatten().map(|(name, _)| name);
    fields.filter(|name| names.contains(name)).cloned().collect()
}

fn trimmed_names(values: &[String]) -> Vec<String> {
    names(values).iter().map(|name| name.trim().to_owned()).collect()
}

fn compare_types_first(x: &Value, y: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Number(_) => 1,
        Value::String(_) => 2,
        Value::Bool(_) => 3,
        Value::Array(_) | Value::Object(_) => 4,
    };
    rank(x).cmp(&rank(y)).then_with(|| compare_fields(x, y))
}
