//! Numbers in page and limit within and beyond their bounds, and in forms that the documents leave open.

use crate::chapters::list::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

cases! { "paging";
    /// A page of a hundred and one books has 100, with a limit of 100 or more.
    page_holds_100_books_at_most judges ["paging/limit-maximum", "paging/limit-exact"] => |cx| {
        let mut set = books::create_set_in_any_order(cx, &vec![json!({}); 101])?;
        set.books.sort_unstable_by_key(|book| book.id);
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
    };
    /// A page or limit of more digits than a number can hold is the default, or beyond the end.
    number_beyond_the_finite_is_read_one_way judges ["paging/number-beyond-finite"] => |cx| {
        let set = LabelledBooks::numbered(cx, 5)?;
        let digits = "9".repeat(400);
        let readings = [("default".to_owned(), json!(10)), ("beyond".to_owned(), json!(100))];
        set.ask(&format!("limit={digits}"))?.reads_paginacion("", "limit", &readings)?;
        let listed = set.ask(&format!("sort=id&limit=2&page={digits}"))?;
        let has_prev = |prev: bool| listed.has_paginacion("hasPrev", &json!(prev));
        let readings =
            [("default", listed.is("b01 b02") && has_prev(false)), ("beyond", listed.is("") && has_prev(true))];
        cx.observe(&readings, listed.got())
    };
}
