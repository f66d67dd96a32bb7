//! Laws that hold between lists of the same books, whatever is in them.

use super::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

cases! { "list";
    /// All pages in a row are the whole list, whatever the limit.
    pages_joined_are_the_whole_list judges ["paging/page-slice", "list/order-sort-before-page"] => |cx| {
        let set = fourteen(cx)?;
        // Without sort the order may be any, and another for another query.
        for (sort, rule) in [("&sort=id", "paging/page-slice"), ("&sort=-tema,n", "list/order-sort-before-page")] {
            let whole = set.ask(&format!("limit=100{sort}"))?.items();
            for limit in [1, 3, 5, 7, 13, 14] {
                let mut joined = Vec::new();
                for page in 1..=14_usize.div_ceil(limit) {
                    let listed = set.ask(&format!("limit={limit}&page={page}{sort}"))?;
                    joined.extend(listed.items());
                    listed.reply.prepared("reading a page", 200)?;
                }
                let holds = joined == whole && whole.len() == 14;
                let place = Place::body("/datos").of(format_args!("all pages of `limit={limit}{sort}`"));
                let [want, got] = [whole.clone(), joined].map(|items| brief(&Value::from(items).to_string()));
                cx.check_rule(rule, holds, place, want, got)?;
            }
        }
        Ok(())
    };
    /// The filter a=x,y answers as a=x&a=y does.
    comma_list_answers_as_repetition_does judges ["list/repeated", "list/comma-list"] => |cx| {
        let set = fourteen(cx)?;
        for items in [&["barco", "dado"][..], &["1", "barco", "true"], &["-3", "5"], &["nada", "Cielo", "dado"]] {
            for field in ["tema", "n"] {
                let repeated: Vec<String> = items.iter().map(|item| format!("{field}={item}")).collect();
                let list = set.ask(&format!("{field}={}&sort=id", items.join(",")))?;
                let repetition = set.ask(&format!("{}&sort=id", repeated.join("&")))?;
                let (by_list, by_repetition) = (list.labels(), repetition.labels());
                // What one item keeps tells which of the two is at fault.
                let mut alone = BTreeSet::new();
                for parameter in &repeated {
                    alone.extend(set.ask(parameter)?.labels().unwrap_or_default());
                }
                let is_list_right = by_list.as_ref().is_some_and(|l| l.iter().cloned().collect::<BTreeSet<_>>() == alone);
                let rule = if is_list_right { "list/repeated" } else { "list/comma-list" };
                let check = repetition.reply.check_rule(rule);
                let place = Place::body("/datos").of_query(repeated.join("&"));
                check.that(by_list.is_some() && by_list == by_repetition, place, list.got(), repetition.got())?;
            }
        }
        Ok(())
    };
    /// A further filter never adds a book, whatever its name.
    further_filter_never_grows_total judges ["list/equal-all-hold", "list/q-contains", "list/min-faces-equality",
        "list/max-faces-equality", "list/is-faces-equality"] => |cx| {
        let set = fourteen(cx)?;
        // One that a filter alone would add.
        books::create(cx, &json!({ "raro": 0 }))?;
        for base in ["", "tema=barco,dado", "leido=true", "n=-3,-2,-1,0,1,2,3,4,5"] {
            let before = set.ask(base)?.reply.prepared("listing books", 200)?;
            for (further, rule) in [
                ("raro=0,2", "list/equal-all-hold"),
                ("nada=1", "list/equal-all-hold"),
                ("q=barco", "list/q-contains"),
                ("min_n=2", "list/min-faces-equality"),
                ("max_n=7", "list/max-faces-equality"),
                ("is_leido=false", "list/is-faces-equality"),
            ] {
                let joint = if base.is_empty() { "" } else { "&" };
                let asked = format!("{base}{joint}{further}");
                let after = set.ask(&asked)?;
                let check = after.reply.check_rule(rule).status(200)?;
                let (before, after) = (total(&before), total(&after.reply));
                let has_not_grown = before.zip(after).is_some_and(|(before, after)| after <= before);
                let shown = |total: Option<u64>| total.map_or("absent".to_owned(), |total| total.to_string());
                let place = Place::body("/metadata/paginacion/total").of_query(&asked);
                let want = format!("at most {}, as of `{base}`", shown(before));
                check.that(has_not_grown, place, want, shown(after))?;
            }
        }
        Ok(())
    };
}

fn fourteen<'t>(cx: &'t CaseContext<'t>) -> Result<LabelledBooks<'t>, CaseError> {
    const LABELS: [&str; 14] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "k", "l", "m", "n", "o"];
    let topics = ["Árbol", "barco", "Cielo", "dado"].into_iter().cycle();
    let books = LABELS.into_iter().zip(0_i64..).zip(topics).map(|((label, position), topic)| {
        let mut book = json!({ "n": (position * 9) % 14 - 3, "tema": topic, "leido": position % 3 == 0 });
        if position % 2 == 0 {
            book["min_n"] = json!(position % 5);
            book["max_n"] = json!("7");
            book["is_leido"] = json!(position % 4 == 0);
            book["raro"] = json!(position % 5);
        }
        (label, book)
    });
    LabelledBooks::of(cx, books)
}

fn total(reply: &Reply) -> Option<u64> {
    reply.at("/metadata/paginacion/total").as_ref().and_then(books::as_integer)
}
