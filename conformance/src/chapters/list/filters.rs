//! Bounds that are lists or not finite, and names that may be filters or not.

use super::labelled_books::{LabelledBooks, labelled};
use crate::chapters::prelude::*;

cases! { "list";
    /// Brackets in a parameter name belong to it, or make a list or an object.
    brackets_in_a_name_are_read_one_way judges ["list/bracketed-names"] => |cx| {
        let set = labelled! {
            cx;
            "plain": { "a": "cedro" },
            "listed": { "a": ["cedro"] },
            "list-named": { "a[]": "cedro" },
            "nested": { "a": { "b": "cedro" } },
            "bracketed": { "a[b]": "cedro" },
            "other": { "b": "cedro" },
        }?;
        // A list is asked as a repeated parameter is; what equals an object, and how a list field is compared, is left open.
        for (asked, named) in [("a%5B%5D=cedro", "list-named"), ("a%5Bb%5D=cedro", "bracketed")] {
            let listed = set.ask(asked)?;
            let shown = listed.labels().unwrap_or_default();
            let has_a = |label: &String| ["plain", "listed", "nested"].contains(&label.as_str());
            let readings = [
                ("name", listed.is(named)),
                ("nested", listed.reply.is(200) && (listed.is_whole() || shown.iter().all(has_a))),
                ("400", listed.reply.is(400)),
            ];
            cx.observe(&readings, listed.got())?;
        }
        Ok(())
    };
    /// A list with Infinity as a bound is 200; the books it keeps are reported.
    infinity_is_read_one_way judges ["list/convert-number-forms"] => |cx| {
        // Beyond every number, or a text that no number is compared with.
        let set = labelled! {
            cx;
            "small": { "n": -5, "min_n": "-Infinity", "max_n": "Infinity" },
            "large": { "n": 1e300, "min_n": "-Infinity", "max_n": "Infinity" },
        }?;
        for bound in ["min_n=-Infinity", "max_n=Infinity", "min_n=%2BInfinity", "max_n=-Infinity"] {
            let listed = set.ask(bound)?;
            listed.reply.check().status(200)?;
            cx.tell(listed.got())?;
        }
        Ok(())
    };
    /// A bound with a list of values goes by its text, by one of its values, is ignored, or keeps nothing.
    list_bound_is_read_one_way judges ["list/bound-list-value"] => |cx| {
        let set = labelled! {
            cx;
            "above": { "n": 9, "min_n": 5 },
            "between": { "n": 6, "min_n": 5 },
            "below": { "n": 1, "min_n": 5 },
            "unnamed": { "n": 9 },
        }?;
        let listed = set.ask("min_n=5,7")?;
        listed.reads_of(
            "",
            &[("text", ""), ("ignored", "above between below"), ("item", "above between"), ("item", "above")],
        )?;
        // A text that is the list's, one before it and one after it; the list may hold a number, a boolean or a date.
        for (what, list, text) in [
            ("texts", "lima,mar", "lima,mar"),
            ("numbers", "lima,2.50", "lima,2.5"),
            ("booleans", "lima,TRUE", "lima,true"),
            ("dates", "lima,2024-03-01", "lima,Fri Mar 01 2024 00:00:00 GMT+0000 (Coordinated Universal Time)"),
        ] {
            let set = labelled! {
                cx;
                "same": { "t": text, "min_t": "lima" },
                "before": { "t": text[..text.len() - 1], "min_t": "lima" },
                "after": { "t": format!("{text} "), "min_t": "lima" },
            }?;
            let listed = set.ask(&format!("min_t={list}"))?;
            listed.reply.check().status(200)?;
            let seen = if listed.is("same after") { "its text in JavaScript" } else { "otherwise" };
            cx.tell(format!("a list of {what}: {seen}"))?;
        }
        Ok(())
    };
    /// LIMIT, Q, Sort, Page and Fields are equality filters, or the list parameters themselves.
    reserved_names_in_another_case_are_read_one_way judges ["list/reserved-name-case"] => |cx| {
        let fields = json!({ "LIMIT": 1, "Sort": "-lote", "Q": "zafiro", "Page": 2, "Fields": "lote" });
        let without = json!({ "otro": "rubí" });
        let set = LabelledBooks::of(cx, [("with", fields.clone()), ("twin", fields), ("without", without)])?;
        // Where it is the parameter itself, it must answer as the parameter in small letters does.
        for asked in ["LIMIT=1", "Sort=-lote", "Q=zafiro", "Page=2", "Fields=lote"] {
            let (listed, itself) = (set.ask(asked)?, set.ask(&asked.to_lowercase())?);
            let is_same_page = listed.reply.at("/metadata") == itself.reply.at("/metadata");
            let readings = [
                ("field", listed.is_any_order_of("with twin")),
                ("reserved", listed.reply.is(200) && listed.items().len() == itself.items().len() && is_same_page),
            ];
            cx.observe_of(asked, &readings, listed.got())?;
        }
        Ok(())
    };
}
