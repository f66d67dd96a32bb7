//! The parameter page, and which books a page holds.

use super::numbered_books::{LABELS, numbered_books, paginacion};
use crate::chapters::prelude::*;

cases! { "paging";
    /// Without page the first page is answered.
    page_is_1_by_default judges ["paging/page-default"];
    /// A page of 0 or below is page 1.
    page_is_at_least_1 judges ["paging/page-minimum"] by is_page_1(&["0", "-1", "-2", "-100", "1"]);
    /// A page that is no number is page 1.
    page_that_is_no_number_is_1 judges ["paging/page-unparsable"] by is_page_1(&["abc", "", "x2", "--1", "dos"]);
    /// Each page holds the next books, the last one what is left.
    pages_hold_one_slice_after_the_other judges ["paging/page-slice"];
    /// A page of exactly the books that are left is full.
    last_page_may_be_full judges ["paging/page-slice"];
    /// A page beyond the last is empty, and page is the one asked for.
    page_beyond_the_end_is_empty_and_as_asked judges ["paging/page-beyond-end"];
    /// A page of many digits is a page beyond the end.
    huge_page_is_beyond_the_end judges ["paging/page-huge"];
}

fn page_is_1_by_default(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    set.orders(&[("limit=2&sort=id", "b01 b02")])?;
    paginacion(&set, "page", &[("limit=2", 1), ("", 1)])
}

fn is_page_1(cx: &CaseContext<'_>, pages: &[&str]) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    for page in pages {
        let asked = format!("limit=2&sort=id&page={page}");
        set.orders(&[(&asked, "b01 b02")])?;
        paginacion(&set, "page", &[(&asked, 1)])?;
    }
    Ok(())
}

fn pages_hold_one_slice_after_the_other(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 7)?;
    set.orders(&[
        ("sort=id&limit=3&page=1", "b01 b02 b03"),
        ("sort=id&limit=3&page=2", "b04 b05 b06"),
        ("sort=id&limit=3&page=3", "b07"),
        ("sort=id&limit=1&page=6", "b06"),
        ("sort=id&limit=5&page=2", "b06 b07"),
        ("sort=-id&limit=4&page=2", "b03 b02 b01"),
    ])
}

fn last_page_may_be_full(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    set.orders(&[
        ("sort=id&limit=6&page=2", &LABELS[6..12].join(" ")),
        ("sort=id&limit=12", &LABELS[..12].join(" ")),
        ("sort=id&page=2", &LABELS[10..12].join(" ")),
    ])
}

fn page_beyond_the_end_is_empty_and_as_asked(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    for (page, asked) in [(4, "sort=id&limit=2&page=4"), (50, "sort=id&limit=2&page=50")] {
        let listed = set.ask(asked)?;
        let object = listed.reply.at("/metadata/paginacion").unwrap_or_default();
        let holds = listed.is("")
            && same(&object["page"], &json!(page))
            && object["hasPrev"] == json!(true)
            && object["hasNext"] == json!(false);
        let want = format!("no books, page {page}, hasPrev true and hasNext false");
        cx.check(holds, Place::BODY.of_query(asked), want, format!("{}, {object}", listed.got()))?;
    }
    Ok(())
}

/// A number that does not fit a type may count as unparsable, which is the first page.
fn huge_page_is_beyond_the_end(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    // Two more than 31, 32, 53, 63 and 64 bits hold: wrapped around they would be the second page.
    let beyond = ["2147483650", "4294967298", "9007199254740994", "9223372036854775810", "18446744073709551618"];
    for page in beyond.into_iter().chain(["99999999999999999999999"]) {
        let asked = format!("sort=id&limit=1&page={page}");
        let listed = set.ask(&asked)?;
        let check = listed.reply.check().status(200)?;
        let is_first = listed.is("b01");
        let is_right = is_first || listed.is("");
        let place = Place::body("/datos").of_query(asked);
        let check = check.that(is_right, place, "no book, or the first page", listed.got())?;
        check
            .at("/metadata/paginacion/hasPrev", &Value::Bool(!is_first))?
            .at("/metadata/paginacion/hasNext", &Value::Bool(is_first))?;
    }
    Ok(())
}
