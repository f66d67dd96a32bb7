//! The largest page.

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
            let [wanted, shown] = [&want, &got].map(counted);
            let [wanted, shown] = if wanted == shown { [want.to_string(), got.to_string()] } else { [wanted, shown] };
            check.that(same(&got, &want), Place::body("/datos").of_query(asked), wanted, shown)?;
        }
        Ok(())
    };
}
