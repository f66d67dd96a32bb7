//! How the raw query string becomes names and values: percent sequences, empty pairs and letter case of names.

use super::labelled_books::{LabelledBooks, labelled};
use crate::chapters::prelude::*;

cases! { "list";
    /// LIMIT, Q, Sort, Page and Fields are names of fields like any other, or the parameters themselves.
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
                ("reserved", listed.reply.is(200) && listed.count() == itself.count() && is_same_page),
            ];
            cx.observe_of(asked, &readings, listed.got())?;
        }
        Ok(())
    };
    /// A percent sign without two hexadecimal digits is answered in a permitted way.
    bad_percent_sequence_is_read_one_way judges ["list/form-decoding"] => |cx| {
        let set = labelled! {
            cx; "bad": { "tema": "100%" }, "digits": { "tema": "100%zz" }, "plain": { "tema": "100" },
        }?;
        for (asked, label) in [("tema=100%", "bad"), ("tema=100%zz", "digits")] {
            let listed = set.ask(asked)?;
            let readings = [
                ("form", listed.is(label)),
                ("400", listed.reply.is(400)),
                ("ignored", listed.is_whole()),
                ("500", is_documented_500(&listed.reply)),
            ];
            cx.observe(&readings, listed.got())?;
        }
        Ok(())
    };
    /// Ampersands with nothing between them add no parameter.
    empty_pairs_are_no_parameters judges ["list/empty-pairs"] => |cx| {
        let set = labelled! { cx; "sol": { "tema": "sol" }, "luna": { "tema": "luna" } }?;
        set.keeps(&[("&tema=sol", "sol"), ("tema=luna&&&sort=titulo", "luna"), ("tema=sol&", "sol")])?;
        set.ask_at(&format!("/libros?&lote={}&", set.marker()), "&lote=...&")?.keeps("sol luna")
    };
}

/// Jetty throws where it reads such a query, beyond the reach of what reads it.
fn is_documented_500(reply: &Reply) -> bool {
    let has = |key: &str| !reply.text_at(&format!("/error/{key}")).is_empty();
    reply.is(500) && ["codigo", "mensaje", "timestamp", "requestId"].into_iter().all(has)
}
