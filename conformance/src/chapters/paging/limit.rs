//! The parameters page and limit within and beyond their bounds, and which books a page holds.

use crate::chapters::list::labelled_books::LabelledBooks;
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

pub(crate) const LABELS: [&str; 25] = [
    "b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "b12", "b13", "b14", "b15", "b16",
    "b17", "b18", "b19", "b20", "b21", "b22", "b23", "b24", "b25",
];

/// So many books, at most 25, labelled b01, b02 and so on.
pub(crate) fn numbered_books<'t>(cx: &'t CaseContext<'t>, count: usize) -> Result<LabelledBooks<'t>, CaseError> {
    let books: Vec<(&str, Value)> = LABELS.iter().take(count).map(|label| (*label, json!({}))).collect();
    LabelledBooks::of(cx, &books)
}

/// The value in `metadata.paginacion` under a key, for each query.
pub(crate) fn paginacion<V: Clone + Into<Value>>(
    set: &LabelledBooks<'_>,
    key: &str,
    asked: &[(&str, V)],
) -> CaseResult {
    for (parameters, want) in asked {
        let want = want.clone().into();
        let listed = set.ask(parameters)?;
        let check = listed.reply.check().status(200)?;
        let got = listed.reply.at(&format!("/metadata/paginacion/{key}"));
        let holds = got.as_ref().is_some_and(|got| same(got, &want));
        check.that(holds, Place::body(format_args!("/metadata/paginacion/{key}")).of_query(parameters), want, got)?;
    }
    Ok(())
}

/// The same of lists of that number of books.
pub(crate) fn told<V: Clone + Into<Value>>(
    cx: &CaseContext<'_>,
    count: usize,
    key: &str,
    asked: &[(&str, V)],
) -> CaseResult {
    paginacion(&numbered_books(cx, count)?, key, asked)
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
        check
            .that(is_right, place, "no book, or the first page", listed.got())?
            .at("/metadata/paginacion/hasPrev", &Value::Bool(!is_first))?
            .at("/metadata/paginacion/hasNext", &Value::Bool(is_first))?;
    }
    Ok(())
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
        set.orders(&[(&format!("sort=id&limit={limit}"), &LABELS[..limit.min(12)].join(" "))])?;
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
