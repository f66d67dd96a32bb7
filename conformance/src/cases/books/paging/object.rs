//! The pagination object: each of its six values on both sides of where it changes.

use serde_json::json;

use crate::case::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;

use super::numbered_books::{numbered_books, paginacion};

cases! { "paging";
    /// paginacion has its six keys and no others, also for an empty list.
    pagination_object_has_six_keys judges ["paging/object-keys"];
    /// page is the page in effect, as an integer.
    page_in_effect_is_told judges ["paging/object-page"];
    /// limit is the limit in effect, as an integer.
    limit_in_effect_is_told judges ["paging/object-limit"];
    /// total counts what the filters kept, on every page.
    total_counts_what_the_filters_kept judges ["paging/object-total"];
    /// pages is rounded up.
    pages_is_rounded_up judges ["paging/object-pages"];
    /// pages is 0 when nothing is kept.
    pages_of_nothing_is_0 judges ["paging/object-pages-empty"];
    /// hasNext is true up to the page before the last.
    has_next_ends_with_the_last_item judges ["paging/object-has-next"];
    /// hasPrev is true from the second page on.
    has_prev_begins_with_page_2 judges ["paging/object-has-prev"];
    /// On an empty list the page is told as asked, and hasPrev goes by it all the same.
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

fn page_in_effect_is_told(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    paginacion(
        &set,
        "page",
        &[
            ("limit=1", json!(1)),
            ("limit=1&page=1", json!(1)),
            ("limit=1&page=2", json!(2)),
            ("limit=1&page=12", json!(12)),
            ("limit=5&page=3", json!(3)),
        ],
    )
}

fn limit_in_effect_is_told(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    paginacion(
        &set,
        "limit",
        &[
            ("limit=1", json!(1)),
            ("limit=2", json!(2)),
            // More than there are books: the limit is told, not the number of items.
            ("limit=50", json!(50)),
            ("limit=2&page=2", json!(2)),
        ],
    )
}

fn total_counts_what_the_filters_kept(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    paginacion(
        &set,
        "total",
        &[
            ("", json!(12)),
            ("limit=5", json!(12)),
            ("limit=5&page=3", json!(12)),
            ("titulo=b01,b05,b12", json!(3)),
            ("titulo=b01,b05,b12&limit=1", json!(3)),
            ("titulo=b01,b05,b12&limit=1&page=3", json!(3)),
            ("nada=1", json!(0)),
        ],
    )
}

fn pages_is_rounded_up(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    paginacion(
        &set,
        "pages",
        &[
            ("limit=12", json!(1)),
            ("limit=13", json!(1)),
            ("limit=11", json!(2)),
            ("limit=6", json!(2)),
            ("limit=5", json!(3)),
            ("limit=4&page=2", json!(3)),
            ("limit=1", json!(12)),
            ("", json!(2)),
        ],
    )
}

fn pages_of_nothing_is_0(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 1)?;
    paginacion(&set, "pages", &[("nada=1", json!(0)), ("nada=1&limit=1", json!(0)), ("", json!(1))])
}

fn has_next_ends_with_the_last_item(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    paginacion(
        &set,
        "hasNext",
        &[
            ("", json!(true)),
            ("page=2", json!(false)),
            ("limit=11", json!(true)),
            ("limit=12", json!(false)),
            ("limit=13", json!(false)),
            ("limit=6", json!(true)),
            ("limit=6&page=2", json!(false)),
            ("limit=5&page=2", json!(true)),
            ("limit=5&page=3", json!(false)),
            ("limit=1&page=11", json!(true)),
            ("limit=1&page=12", json!(false)),
            ("nada=1", json!(false)),
        ],
    )
}

fn has_prev_begins_with_page_2(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    paginacion(
        &set,
        "hasPrev",
        &[
            ("", json!(false)),
            ("limit=5&page=1", json!(false)),
            ("limit=5&page=2", json!(true)),
            ("limit=5&page=3", json!(true)),
            ("page=2", json!(true)),
            ("nada=1", json!(false)),
        ],
    )
}

/// Where the page is not told as asked, that is the fault, whatever hasPrev says of it.
fn has_prev_of_nothing_goes_by_the_page(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 1)?;
    let listed = set.ask("nada=1&page=3")?;
    listed.reply.check_rule("paging/page-beyond-end").status(200)?.at("/metadata/paginacion/page", &json!(3))?;
    listed.reply.check_rule("paging/object-has-prev").at("/metadata/paginacion/hasPrev", &json!(true))?;
    Ok(())
}
