//! Permitted readings other than the reference's: how a list filters, sorts and selects.

use super::Reading;

pub(crate) const READINGS: &[Reading] = readings! {
    "dates-as-text" by "list/convert-date" "list/convert-date-time": "Dates stay texts.";
    "dates-to-the-letter" by "list/convert-date" "list/convert-date-time" "list/date-bounds": "A date never equals a text and bounds none.";
    "empty-fields-select-nothing" by "list/fields-empty": "An empty fields leaves empty objects.";
    "empty-value-ignored" by "list/empty-value": "A parameter without a value is ignored.";
    "equality-scalars-only" by "list/loose-list-field": "A list or an object equals nothing.";
    "fields-in-book-order" by "list/fields-order": "A selected item keeps the order of the book.";
    "impossible-days-are-text" by "list/date-impossible": "A day past the end of its month is no date.";
    "is-counts-null-as-lacking" by "list/is-null-field": "A field that is null counts as lacking for is_.";
    "list-bounds-keep-nothing" by "list/bound-list-value": "A bound with a list keeps nothing.";
    "list-field-any-item" by "list/loose-list-field": "A list equals when one of its items does.";
    "list-items-trimmed" by "list/comma-list-as-sent": "Items of a comma list are trimmed, empty ones dropped.";
    "names-trimmed" by "list/name-spaces": "Names in sort and fields are trimmed.";
    "null-never-within-bounds" by "list/bound-null-field": "A field that is null is never within bounds.";
    "plain-numbers-only" by "list/convert-number-forms": "Only plain decimal texts become numbers.";
    "plus-stays-plus" by "list/form-decoding": "A plus sign in a query stays one.";
    "q-all-must-hold" by "list/q-repeated": "Of a repeated q all must hold.";
    "q-empty-searched" by "list/q-empty": "An empty q keeps books that have a text field.";
    "q-folds-fully" by "list/q-case-folding": "q folds case in full.";
    "q-joined" by "list/q-repeated": "A repeated q is one text, joined with commas.";
    "q-last-counts" by "list/q-repeated": "Of a repeated q the last counts.";
    "q-split-at-commas" by "list/q-comma": "A q with commas is a list of texts.";
    "repeated-nests" by "list/repeated-with-commas": "Repeated values with commas are lists in a list.";
    "sort-digits-by-number" by "list/sort-digits-in-text": "Digits in texts are ordered by their number.";
    "sort-in-spanish" by "list/sort-locale-ties": "Texts are ordered by the Spanish collation.";
    "sort-mixed-by-type" by "list/sort-mixed": "Values of different types are ordered by their type.";
    "sort-null-is-missing" by "list/sort-null": "A field that is null counts as missing.";
    "sort-turns-ties-round" by "list/sort-stable": "Books that sort leaves equal come in reverse order.";
    "texts-never-within-bounds" by "list/bound-text": "Of texts none is within bounds of texts.";
};
