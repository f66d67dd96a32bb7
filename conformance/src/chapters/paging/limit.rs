//! The parameter limit within and beyond its bounds.

use super::numbered_books::{LABELS, numbered_books, paginacion};
use crate::chapters::prelude::*;

cases! { "paging";
    /// Without limit a page holds 10 books.
    limit_is_10_by_default judges ["paging/limit-default"];
    /// Any limit from 1 to 100 is taken as it is.
    limit_within_bounds_is_taken judges ["paging/limit-exact"];
    /// A page holds as many books as the limit says.
    limit_is_the_size_of_a_page judges ["paging/limit-exact"];
    /// A limit above the maximum answers with a page of 100.
    limit_above_100_is_clamped judges ["paging/limit-maximum"];
    /// A limit of many digits is the maximum, or what one that is no number is.
    huge_limit_is_the_maximum judges ["paging/limit-huge"];
    /// A hundred and one books make a full page of 100, whether 100 or more are asked for.
    page_holds_100_books_at_most judges ["paging/limit-maximum", "paging/limit-exact"];
    /// A limit of 0 answers with a page of 10.
    limit_of_0_is_the_default judges ["paging/limit-zero"];
    /// A limit that is no number answers with a page of 10.
    limit_that_is_no_number_is_the_default judges ["paging/limit-unparsable"];
}

fn limit_is_10_by_default(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    set.orders(&[("sort=id", &LABELS[..10].join(" ")), ("sort=id&page=2", &LABELS[10..12].join(" "))])
}

/// What every page must hold is judged of each.
fn limit_within_bounds_is_taken(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 1)?;
    [1, 2, 9, 10, 11, 25, 50, 99, 100].iter().try_for_each(|limit| set.ask(&format!("limit={limit}")).map(drop))
}

fn limit_is_the_size_of_a_page(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    for limit in [1, 2, 9, 10, 11, 12, 100] {
        let asked = format!("sort=id&limit={limit}");
        set.orders(&[(&asked, &LABELS[..limit.min(12)].join(" "))])?;
    }
    Ok(())
}

/// A number that does not fit a type may count as unparsable.
fn huge_limit_is_the_maximum(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    // Two more than 31, 32, 53, 63 and 64 bits hold: wrapped around they would be below 1, or 2.
    for limit in [
        "2147483650",
        "4294967298",
        "9007199254740994",
        "9223372036854775810",
        "18446744073709551618",
        "99999999999999999999999",
    ] {
        let listed = set.ask(&format!("sort=id&limit={limit}"))?;
        let told = listed.reply.at("/metadata/paginacion/limit").unwrap_or_default();
        let shown = listed.count();
        let is_right = same(&told, &json!(100)) && shown == 12 || same(&told, &json!(10)) && shown == 10;
        let place = Place::BODY.of_query(format_args!("limit={limit}"));
        let got = format!("limit {told}, {}", listed.got());
        listed.reply.check().status(200)?.that(is_right, place, "a page of 100, or of 10", got)?;
    }
    Ok(())
}

/// The size of a page is read from `metadata.paginacion.limit`, never by counting.
fn limit_above_100_is_clamped(cx: &CaseContext<'_>) -> CaseResult {
    for limit in ["101", "200", "500", "1000", "1000000"] {
        let reply = cx.get(&format!("/libros?limit={limit}")).key(cx.test_key()).send()?;
        reply.check().status(200)?.at("/metadata/paginacion/limit", &json!(100))?;
    }
    Ok(())
}

fn page_holds_100_books_at_most(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &vec![json!({}); 101])?;
    let ids: Vec<Value> = set.books.iter().map(|book| json!(book.id)).collect();
    for (asked, rule, shown) in [
        ("limit=100", "paging/limit-exact", &ids[..100]),
        ("limit=99", "paging/limit-exact", &ids[..99]),
        ("limit=101", "paging/limit-maximum", &ids[..100]),
        ("limit=1000", "paging/limit-maximum", &ids[..100]),
        ("limit=1000&page=2", "paging/limit-maximum", &ids[100..]),
    ] {
        let path = set.path(&format!("{asked}&sort=id&fields=id"));
        let reply = cx.get(&path).key(cx.test_key()).send()?;
        let check = reply.check_rule(rule).status(200)?;
        let want: Value = shown.iter().map(|id| json!({ "id": id })).collect();
        let got = reply.at("/datos").unwrap_or_default();
        let counted = |items: &Value| items.as_array().map_or("no list".to_owned(), |i| format!("{} books", i.len()));
        check.that(same(&got, &want), Place::body("/datos").of_query(asked), counted(&want), counted(&got))?;
    }
    Ok(())
}

fn limit_of_0_is_the_default(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    let first = LABELS[..10].join(" ");
    set.orders(&[("sort=id&limit=0", &first), ("sort=id&limit=00", &first)])
}

fn limit_that_is_no_number_is_the_default(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 12)?;
    for limit in ["abc", "", "x5", "--5", "todos"] {
        let asked = format!("sort=id&limit={limit}");
        set.orders(&[(&asked, &LABELS[..10].join(" "))])?;
        paginacion(&set, "limit", &[(&asked, 10)])?;
    }
    Ok(())
}
