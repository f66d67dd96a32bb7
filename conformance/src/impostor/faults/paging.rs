//! Faults that break rules of the chapter paging.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "page-filters-too" breaks "paging/page-slice" and "list/equal-keeps": "page is an equality filter on a field page as well.";
    "limit-filters-too" breaks "paging/limit-exact": "limit is an equality filter on a field limit as well.";
    "page-default-0" breaks "paging/page-default" and "paging/object-page": "Without page the page is 0.";
    "page-ignored" breaks "paging/page-slice": "Every page is the first.";
    "page-zero-kept" breaks "paging/page-minimum": "Page 0 is reported as 0.";
    "page-negative-turned-round" breaks "paging/page-minimum": "Page -2 is page 2.";
    "page-unparsable-is-0" breaks "paging/page-unparsable": "A page that is no number is page 0.";
    "page-fraction-rounded" breaks "paging/number-fraction": "Page 2.7 is page 3.";
    "page-starts-one-late" breaks "paging/page-slice": "Each page misses its first item.";
    "pages-overlap-by-one" breaks "paging/page-slice": "Each page repeats the last item of the page before.";
    "page-huge-wraps" breaks "paging/page-huge": "A page beyond 32 bits starts from the beginning again.";
    "limit-default-is-20" breaks "paging/limit-default": "Without limit a page holds 20 items.";
    "limit-max-is-99" breaks "paging/limit-exact": "A limit of 100 is cut to 99.";
    "limit-max-is-50" breaks "paging/limit-exact": "A limit above 50 is cut to 50.";
    "limit-min-is-5" breaks "paging/limit-exact": "A limit below 5 is raised to 5.";
    "limit-max-is-101" breaks "paging/limit-maximum": "A limit of 101 is let through.";
    "limit-max-is-1000" breaks "paging/limit-maximum": "A limit may go up to 1000.";
    "limit-above-max-is-default" breaks "paging/limit-maximum": "A limit above 100 is taken as 10.";
    "limit-zero-is-1" breaks "paging/limit-zero": "A limit of 0 is 1.";
    "limit-unparsable-is-100" breaks "paging/limit-unparsable": "A limit that is no number is 100.";
    "limit-negative-is-100" breaks "paging/limit-negative": "A negative limit is 100.";
    "pagination-in-snake-case" breaks "paging/object-keys": "hasNext and hasPrev are spelled has_next and has_prev.";
    "pagination-has-offset" breaks "paging/object-keys": "The pagination object has a key offset too.";
    "pagination-as-text" breaks "paging/object-total": "total is a text.";
    "object-page-from-0" breaks "paging/object-page": "The page reported counts from 0.";
    "object-limit-is-shown" breaks "paging/object-limit": "The limit reported is the number of items on the page.";
    "total-counts-the-page" breaks "paging/object-total": "total counts the items of the page.";
    "total-before-filtering" breaks "paging/object-total": "total counts all books, filtered out or not.";
    "pages-rounds-down" breaks "paging/object-pages": "pages is rounded down.";
    "pages-plus-one" breaks "paging/object-pages": "pages is one too many when the last page is full.";
    "pages-at-least-one" breaks "paging/object-pages-empty": "An empty result has one page.";
    "has-next-on-full-last-page" breaks "paging/object-has-next": "hasNext is true on a last page that is full.";
    "has-next-always-false" breaks "paging/object-has-next": "hasNext is always false.";
    "has-prev-from-page-1" breaks "paging/object-has-prev": "hasPrev is true on the first page.";
    "has-prev-always-false" breaks "paging/object-has-prev": "hasPrev is always false.";
    "has-prev-false-when-empty" breaks "paging/object-has-prev": "hasPrev is false on page 3 of an empty result.";
};
