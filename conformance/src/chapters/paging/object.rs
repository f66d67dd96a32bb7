//! The pagination object: each of its six values on both sides of where it changes.

use super::numbered_books::{numbered_books, told};
use crate::chapters::prelude::*;

cases! { "paging";
    /// paginacion has its six keys and no others, also for an empty list.
    pagination_object_has_six_keys judges ["paging/object-keys"];
    /// page is the page in effect, as an integer.
    page_in_effect_is_told judges ["paging/object-page"]
        by told(12, "page", &[
            ("limit=1", 1),
            ("limit=1&page=1", 1),
            ("limit=1&page=2", 2),
            ("limit=1&page=12", 12),
            ("limit=5&page=3", 3),
        ]);
    /// limit is the limit in effect, as an integer.
    limit_in_effect_is_told judges ["paging/object-limit"]
        by told(3, "limit", &[
            ("limit=1", 1),
            ("limit=2", 2),
            // More than there are books: the answer shows the limit, not the number of items.
            ("limit=50", 50),
            ("limit=2&page=2", 2),
        ]);
    /// total counts what the filters kept, on every page.
    total_counts_what_the_filters_kept judges ["paging/object-total"]
        by told(12, "total", &[
            ("", 12),
            ("limit=5", 12),
            ("limit=5&page=3", 12),
            ("titulo=b01,b05,b12", 3),
            ("titulo=b01,b05,b12&limit=1", 3),
            ("titulo=b01,b05,b12&limit=1&page=3", 3),
            ("nada=1", 0),
        ]);
    /// pages is rounded up.
    pages_is_rounded_up judges ["paging/object-pages"]
        by told(12, "pages", &[
            ("limit=12", 1),
            ("limit=13", 1),
            ("limit=11", 2),
            ("limit=6", 2),
            ("limit=5", 3),
            ("limit=4&page=2", 3),
            ("limit=1", 12),
            ("", 2),
        ]);
    /// pages is 0 when nothing is kept.
    pages_of_nothing_is_0 judges ["paging/object-pages-empty"]
        by told(1, "pages", &[("nada=1", 0), ("nada=1&limit=1", 0), ("", 1)]);
    /// hasNext is true up to the page before the last.
    has_next_ends_with_the_last_item judges ["paging/object-has-next"]
        by told(12, "hasNext", &[
            ("", true),
            ("page=2", false),
            ("limit=11", true),
            ("limit=12", false),
            ("limit=13", false),
            ("limit=6", true),
            ("limit=6&page=2", false),
            ("limit=5&page=2", true),
            ("limit=5&page=3", false),
            ("limit=1&page=11", true),
            ("limit=1&page=12", false),
            ("nada=1", false),
        ]);
    /// hasPrev is true from the second page on.
    has_prev_begins_with_page_2 judges ["paging/object-has-prev"]
        by told(12, "hasPrev", &[
            ("", false),
            ("limit=5&page=1", false),
            ("limit=5&page=2", true),
            ("limit=5&page=3", true),
            ("page=2", true),
            ("nada=1", false),
        ]);
    /// On an empty list page is the one asked for, and hasPrev follows it.
    has_prev_of_nothing_goes_by_the_page judges ["paging/object-has-prev", "paging/page-beyond-end"];
}

fn pagination_object_has_six_keys(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    for asked in ["", "limit=1&page=2", "nada=1", "fields=titulo&sort=titulo"] {
        let listed = set.ask(asked)?;
        let check = listed.reply.check().status(200)?;
        check.keys("/metadata/paginacion", &["page", "limit", "total", "pages", "hasNext", "hasPrev"])?;
    }
    Ok(())
}

/// If page is not the one asked for, that is the fault, whatever hasPrev says.
fn has_prev_of_nothing_goes_by_the_page(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 1)?;
    let listed = set.ask("nada=1&page=3")?;
    listed.reply.check_rule("paging/page-beyond-end").status(200)?.at("/metadata/paginacion/page", &json!(3))?;
    listed.reply.check_rule("paging/object-has-prev").at("/metadata/paginacion/hasPrev", &json!(true)).map(drop)
}
