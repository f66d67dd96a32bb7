//! Numbers in page and limit within and beyond their bounds, and in forms that the documents leave open.

use crate::chapters::list::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

cases! { "paging";
    /// A page of many digits is a page beyond the end.
    huge_page_is_beyond_the_end judges ["paging/page-huge"] => |cx| {
        // A number that does not fit a type may count as unparsable, which is the first page.
        let set = LabelledBooks::numbered(cx, 3)?;
        for page in HUGE {
            let asked = format!("sort=id&limit=1&page={page}");
            let listed = set.ask(&asked)?;
            let check = listed.reply.check().status(200)?;
            let is_first = listed.is("b01");
            let place = Place::body("/datos").of_query(asked);
            check
                .that(is_first || listed.is(""), place, "no book, or the first page", listed.got())?
                .at("/metadata/paginacion/hasPrev", &json!(!is_first))?
                .at("/metadata/paginacion/hasNext", &json!(is_first))?;
        }
        Ok(())
    };
    /// A limit above the maximum answers with a page of 100.
    limit_above_100_is_clamped judges ["paging/limit-maximum"] => |cx| {
        // The size of a page is read from `metadata.paginacion.limit`, never by counting.
        for limit in ["101", "200", "500", "1000", "1000000"] {
            let reply = cx.get(&format!("/libros?limit={limit}")).key(cx.test_key()).send()?;
            reply.check().status(200)?.at("/metadata/paginacion/limit", &json!(100))?;
        }
        Ok(())
    };
    /// A limit of many digits is the maximum, or what one that is no number is.
    huge_limit_is_the_maximum judges ["paging/limit-huge"];
    /// A hundred and one books make a full page of 100, whether 100 or more are asked for.
    page_holds_100_books_at_most judges ["paging/limit-maximum", "paging/limit-exact"];
    /// More digits than a number can hold.
    number_beyond_the_finite_is_read_one_way judges ["paging/number-beyond-finite"] => |cx| {
        let set = LabelledBooks::numbered(cx, 5)?;
        let digits = "9".repeat(400);
        let readings = [("default".to_owned(), json!(10)), ("beyond".to_owned(), json!(100))];
        set.ask(&format!("limit={digits}"))?.reads_paginacion("", "limit", &readings)?;
        let listed = set.ask(&format!("sort=id&limit=2&page={digits}"))?;
        let has_prev = |prev: bool| listed.has_paginacion("hasPrev", &json!(prev));
        // A number of four hundred digits may come back whole: legal JSON, and more than this suite's reader takes.
        let text = listed.reply.received().text().replace([' ', '\n'], "");
        let is_empty_text = listed.reply.is(200) && text.contains("\"datos\":[]") && text.contains("\"hasPrev\":true");
        let readings = [
            ("default", listed.is("b01 b02") && has_prev(false)),
            ("beyond", listed.is("") && has_prev(true) || is_empty_text),
        ];
        cx.observe(&readings, listed.got())
    };
}

/// Two more than 31, 32, 53, 63 and 64 bits hold: wrapped around they would be 2, or below 1; and a number that no type holds.
const HUGE: [&str; 6] = [
    "2147483650",
    "4294967298",
    "9007199254740994",
    "9223372036854775810",
    "18446744073709551618",
    "99999999999999999999999",
];

/// A number that does not fit a type may count as unparsable.
fn huge_limit_is_the_maximum(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::numbered(cx, 12)?;
    for limit in HUGE {
        let listed = set.ask(&format!("sort=id&limit={limit}"))?;
        let is_page_of = |limit: usize, shown| listed.has_paginacion("limit", &json!(limit)) && listed.count() == shown;
        let place = Place::BODY.of_query(format_args!("limit={limit}"));
        let got = format!("limit {}, {}", listed.paginacion("limit").unwrap_or_default(), listed.got());
        let is_right = is_page_of(100, 12) || is_page_of(10, 10);
        listed.reply.check().status(200)?.that(is_right, place, "a page of 100, or of 10", got)?;
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
