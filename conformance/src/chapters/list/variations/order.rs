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
    "sort-filters-too" breaks "list/sort-ascending" and "list/reserved-no-filters": "sort is also an equality filter on a field named sort."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "sort";
    "fields-filters-too" breaks "list/fields-select" and "list/reserved-no-filters": "fields is also an equality filter on a field named fields."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "fields";
    "sort-ignored" breaks "list/sort-ascending": "sort orders nothing."
        => steps |s| s.list.sort_names = |_| Vec::new();
    "sort-by-length" breaks "list/sort-ascending": "sort orders texts by their length."
        => steps |s| s.list.compare_texts = |x, y, _| x.len().cmp(&y.len());
    "sort-minus-ignored" breaks "list/sort-descending": "sort ignores a minus before a name."
        => steps |s| s.list.sort_names = |values| names(values).iter().map(|name| without_minus(name).to_owned()).collect();
    "sort-minus-sticks" breaks "list/sort-several": "A minus before a name in sort also applies to all later names."
        => steps |s| s.list.sort_names = with_the_minus_of_the_name_before;
    "sort-first-name-only" breaks "list/sort-several": "Only the first of several names in sort counts."
        => steps |s| s.list.sort_names = first_name;
    "three-sort-names-at-most" breaks "list/sort-several": "Only the first three names in sort count."
        => steps |s| s.list.sort_names = |values| names(values).into_iter().take(3).collect();
    "sort-repeated-first-wins" breaks "list/sort-repeated": "Only the first of repeated sort parameters counts."
        => steps |s| s.list.sort_names = |values| names(values.get(..1).unwrap_or_default());
    "sort-repeated-last-wins" breaks "list/sort-repeated": "Only the last of repeated sort parameters counts."
        => steps |s| s.list.sort_names = names_of_the_last_value;
    "sort-numbers-as-text" breaks "list/sort-numbers": "sort orders numbers as texts: 10 before 9."
        => steps |s| s.list.compare_values = |x, y| compare_units(&x.to_string(), &y.to_string());
    "sort-by-code-unit" breaks "list/sort-text-locale": "sort orders texts by code unit: Banana before apple."
        => steps |s| s.list.compare_texts = |x, y, _| compare_units(x, y);
    "sort-folds-ascii-only" breaks "list/sort-text-locale": "sort orders letters beyond ASCII by code: Zorro before Álvaro."
        => steps |s| s.list.compare_texts = |x, y, _| compare_units(&x.to_ascii_lowercase(), &y.to_ascii_lowercase());
    "sort-missing-first" breaks "list/sort-missing": "sort puts a book that lacks the field first."
        => steps |s| s.list.missing = |x, y| Some(x.cmp(&y));
    "sort-missing-ends" breaks "list/sort-missing": "sort ignores later names if a book lacks the field of an earlier one."
        => steps |s| s.list.missing = |_, _| None;
    "sort-drops-lacking" breaks "list/sort-unknown-field": "sort drops books that lack the field."
        => steps |s| s.list.sort = |books, values, steps| {
            let names = names(values);
            books.retain(|book| names.iter().all(|name| book.get(without_minus(name)).is_some()));
            sort(books, values, steps);
        };
    "sort-stops-at-empty-name" breaks "list/empty-names": "sort ignores the names after an empty one."
        => steps |s| s.list.sort_names = names_before_the_first_empty_one;
    "sort-strips-every-minus" breaks "list/empty-names": "sort removes every minus before a name, not only one."
        => steps |s| s.list.sort_names = |values| {
            let one = |name: String| if name.starts_with('-') { format!("-{}", name.trim_start_matches('-')) } else { name };
            names(values).into_iter().map(one).collect()
        };
    "fields-ignored" breaks "list/fields-select": "fields selects nothing."
        => steps |s| s.list.field_names = |_| Vec::new();
    "fields-first-only" breaks "list/fields-select": "Only the first name in fields is selected."
        => steps |s| s.list.field_names = first_name;
    "five-fields-at-most" breaks "list/fields-select": "Only the first five names in fields are selected."
        => steps |s| s.list.field_names = |values| names(values).into_iter().take(5).collect();
    "fields-repeated-last-wins" breaks "list/fields-repeated": "Only the last of repeated fields parameters counts."
        => steps |s| s.list.field_names = names_of_the_last_value;
    "fields-missing-as-null" breaks "list/fields-lacking": "A field that fields lists and a book lacks is null in the answer."
        => steps |s| s.list.selected =
            |item, names| names.iter().map(|name| (name.clone(), item[name].clone())).collect();
    "fields-drop-null" breaks "list/fields-lacking": "A field of null is left out although fields lists it."
        => steps |s| s.list.selected =
            |item, names| selected(item, names).into_iter().filter(|(_, field)| !field.is_null()).collect();
    "fields-always-id" breaks "list/fields-no-id-added": "fields always selects the id too."
        => steps |s| s.list.selected = |item, names| selected(item, &[&["id".to_owned()], names].concat());
    "fields-stop-at-empty-name" breaks "list/empty-names": "fields ignores the names after an empty one."
        => steps |s| s.list.field_names = names_before_the_first_empty_one;
    "pages-before-filtering" breaks "list/order-filter-before-page": "The page is cut before the filters are applied."
        => steps |s| s.list.stages = [Stage::Page, Stage::Filter, Stage::Sort, Stage::Select];
    "sorts-after-paging" breaks "list/order-sort-before-page": "sort orders only the items of the page."
        => steps |s| s.list.stages = [Stage::Filter, Stage::Page, Stage::Sort, Stage::Select];
    "selects-before-sorting" breaks "list/order-fields-last": "Fields are selected before sorting: sort sees only the selected ones."
        => steps |s| s.list.stages = [Stage::Filter, Stage::Select, Stage::Sort, Stage::Page];
    "selects-before-filtering" breaks "list/order-fields-last": "Fields are selected before filtering: filters see only the selected ones."
        => steps |s| s.list.stages = [Stage::Select, Stage::Filter, Stage::Sort, Stage::Page];
    "filters-behind-page-ignored" breaks "list/order-filter-before-page": "Filters after page in the query string are ignored."
        => request |request| if of_books(request) { drop_filters_behind_page(request) };
    "sort-orders-a-hundred" breaks "list/sort-several": "sort orders only the first hundred books."
        => steps |s| s.list.sort = |books, values, steps| {
            let others = books.split_off(books.len().min(100));
            sort(books, values, steps);
            books.extend(others);
        };
    "sort-of-many-lacking-first" breaks "list/sort-missing": "sort puts books that lack the field first if there are more than a hundred books."
        => steps |s| s.list.sort = |books, values, steps| {
            let is_long = books.len() > 100;
            sort(books, values, &ListSteps { missing: if is_long { |x, y| Some(x.cmp(&y)) } else { steps.missing }, ..steps.clone() });
        };
    "empty-fields-select-nothing" by "list/fields-empty": "An empty fields selects nothing and leaves empty objects."
        => steps |s| s.list.select = |items, values, steps| match values {
            [] => {}
            _ if names(values).is_empty() => items.iter_mut().for_each(|item| *item = Cow::Owned(json!({}))),
            _ => select(items, values, steps),
        };
    "fields-name-the-empty-field" by "list/empty-names": "An empty name in fields selects the field with the empty name."
        => steps |s| s.list.field_names = all_names;
    "sort-names-the-empty-field" by "list/empty-names": "An empty name in sort stands for the field with the empty name."
        => steps |s| s.list.sort_names = all_names;
    "sort-skips-names-of-minus" by "list/empty-names": "sort ignores a name that is a lone minus or begins with two."
        => steps |s| s.list.sort_names = |values| names(values).into_iter().filter(|name| name != "-" && !name.starts_with("--")).collect();
    "fields-in-book-order" by silence: "Selected fields come in the order of the book, not of fields."
        => steps |s| s.list.selected = |item, names| selected(item, &in_book_order(item, names));
    "names-trimmed" by "list/name-spaces": "Spaces around names in sort and fields are removed."
        => steps |s| {
            s.list.sort_names = trimmed_names;
            s.list.field_names = trimmed_names;
        };
    "sort-digits-by-number" by "list/sort-digits-in-text": "sort orders digits in texts by their numeric value."
        => steps |s| s.list.collation = || {
            let mut collation = CollatorPreferences::from(locale!("en-US"));
            collation.numeric_ordering = Some(CollationNumericOrdering::True);
            collation
        };
    "sort-in-spanish" by "list/sort-locale-ties": "sort orders texts by the Spanish collation."
        => steps |s| s.list.collation = || locale!("es").into();
    "sort-mixed-by-type" by "list/sort-mixed": "sort orders values of different types by their type."
        => steps |s| s.list.compare_values = compare_types_first;
    "sort-null-first" by "list/sort-null": "sort puts a field of null first."
        => steps |s| s.list.compare_values = |x, y| y.is_null().cmp(&x.is_null()).then_with(|| compare_fields(x, y));
    "sort-null-last" by "list/sort-null": "sort puts a field of null last."
        => steps |s| s.list.compare_values = |x, y| x.is_null().cmp(&y.is_null()).then_with(|| compare_fields(x, y));
    "sort-null-is-missing" by "list/sort-null": "sort counts a field of null as missing."
        => steps |s| s.list.sort_field = |book, name| book.get(name).filter(|field| !field.is_null());
    "sort-turns-ties-round" by "list/sort-stable": "Books that sort leaves equal come in reverse order of creation."
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
    all_names(values).into_iter().take_while(|name| !name.is_empty()).collect()
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
