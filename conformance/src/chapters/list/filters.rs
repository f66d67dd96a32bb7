//! What filters keep: q, equality, min_ and max_, is_.

use super::labelled_books::{LabelledBooks, labelled};
use crate::chapters::prelude::*;

cases! { "list";
    /// Numbers, booleans, and texts inside lists and objects are not searched, a text of the same letters is.
    q_looks_at_direct_texts_only judges ["list/q-text-only"] => |cx| {
        let set = labelled! {
            cx;
            "text": { "dato": "3141592653 zafiro true null" },
            "number": { "dato": 3_141_592_653_u64 },
            "boolean": { "dato": true },
            "nothing": { "dato": null },
            "list": { "dato": ["zafiro", "3141592653"] },
            "object": { "dato": { "zafiro": "zafiro" } },
            "name": { "zafiro": 1 },
        }?;
        set.keeps(&[("q=zafiro", "text"), ("q=3141592653", "text"), ("q=true", "text"), ("q=null", "text")])
    };
    /// q looks at the texts the service sets, too.
    q_finds_texts_of_the_service judges ["list/q-contains"] => |cx| {
        let set = labelled! { cx; "first": {}, "second": {} }?;
        let made_at = set.book("first")["fechaCreacion"].clone();
        let Some(moment) = made_at.as_str() else {
            return Err(CaseError::blocked("creating a book", "the book has no text as fechaCreacion"));
        };
        // Two books of one millisecond share the text.
        let is_second_too = set.book("second")["fechaCreacion"] == made_at;
        // Without the year, so that it is no date, which could be searched as another text.
        let moment = moment.get(4..).unwrap_or_default().replace('+', "%2B");
        set.ask(&format!("q={moment}"))?.keeps(if is_second_too { "first second" } else { "first" })
    };
    /// titulo, autor and id are fields like any other.
    equality_reads_the_fields_of_every_book judges ["list/equal-keeps"] => |cx| {
        let set = labelled! {
            cx; "hobbit": { "autor": "Tolkien", "editorial": "sin fecha" }, "momo": { "autor": "Ende" },
        }?;
        set.keeps(&[("titulo=hobbit", "hobbit"), ("autor=Ende", "momo"), ("editorial=sin%20fecha", "hobbit")])?;
        set.ask(&format!("id={}", set.id("momo")))?.keeps("momo")
    };
    /// The equality filter on a marker shows the case's own books alone.
    equality_looks_at_the_whole_collection judges ["list/equal-keeps"] => |cx| {
        let set = labelled! { cx; "one": {}, "two": {} }?;
        set.ask("")?.keeps("one two")?;
        set.ask_at(&format!("/libros?lote={}-otro", set.marker()), "another marker")?.keeps("")
    };
    /// Brackets in a name belong to it, or make a list or an object.
    brackets_in_a_name_are_read_one_way judges ["list/bracketed-names"];
    /// An empty value drops books that lack the field, unless it is no filter at all.
    empty_value_drops_books_that_lack_the_field judges ["list/equal-lacking"] => |cx| {
        let set = labelled! { cx; "word": { "v": "nada" }, "lacking": {} }?;
        let listed = set.ask("v=")?;
        if listed.is_whole() { Ok(()) } else { listed.keeps("") }
    };
    /// null equals nothing that can be sent.
    null_equals_nothing judges ["list/loose-null"] => |cx| {
        let set = labelled! {
            cx; "nothing": { "v": null }, "word": { "v": "null" }, "zero": { "v": 0 }, "false": { "v": false },
        }?;
        set.keeps(&[("v=null", "word"), ("v=0", "zero false"), ("v=false", "zero false")])?;
        set.keeps(&[("v=undefined", ""), ("v=None", "")])
    };
    /// A null field is 0 against a bound or never within.
    null_within_bounds_is_read_one_way judges ["list/bound-null-field"] => |cx| {
        let set = labelled! {
            cx; "nothing": { "n": null, "min_n": -5, "max_n": 5 }, "number": { "n": 1, "min_n": -5, "max_n": 5 },
        }?;
        let readings = [("zero", "nothing number"), ("never", "number")];
        ["min_n=-5", "max_n=5"].into_iter().try_for_each(|asked| set.ask(asked)?.reads(&readings))
    };
    /// min_ and max_ together keep what lies between.
    both_bounds_keep_what_lies_between judges ["list/min-keeps", "list/max-keeps"] => |cx| {
        let books = [("four", 4), ("six", 6), ("seven", 7), ("nine", 9)];
        let books = books.map(|(label, n)| (label, json!({ "n": n, "min_n": 5, "max_n": 8 })));
        let set = LabelledBooks::of(cx, books)?;
        let listed = set.ask("min_n=5&max_n=8")?;
        let lets_nine_in = listed.labels().unwrap_or_default().iter().any(|label| label == "nine");
        listed.keeps_by(if lets_nine_in { "list/max-keeps" } else { "list/min-keeps" }, "six seven")
    };
    /// A text bound goes by code units or keeps nothing.
    text_bound_is_read_one_way judges ["list/bound-text"] => |cx| {
        let set = labelled! {
            cx;
            "above": { "letra": "z", "min_letra": "m" },
            "equal": { "letra": "m", "min_letra": "m" },
            "below": { "letra": "a", "min_letra": "m" },
            "capital": { "letra": "Z", "min_letra": "m" },
        }?;
        set.ask("min_letra=m")?.reads(&[
            ("javascript", "above equal"),
            ("never", ""),
            ("locale", "above equal capital"),
        ])?;
        // Two units of UTF-16 stand for what comes after U+FFFF, and begin before U+E000.
        let last = "\u{e000}";
        let set = labelled! {
            cx; "pair": { "letra": "\u{1f4da}", "min_letra": last }, "same": { "letra": last, "min_letra": last },
        }?;
        // Locales may leave both unordered, so that each is kept beside the other.
        set.ask(&format!("min_letra={}", percent_encoded(last)))?.reads(&[
            ("javascript", "same"),
            ("code-points", "pair same"),
            ("never", ""),
        ])
    };
    /// Infinity as a bound is beyond every number, or keeps nothing.
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
            cx.tell(format!("{bound} keeps {}", listed.got()))?;
        }
        Ok(())
    };
    /// A bound with a list is answered in a permitted way.
    list_bound_is_read_one_way judges ["list/bound-list-value"];
    /// min_ with nothing after it names the field of the empty name, or is skipped.
    min_with_nothing_after_it_names_the_empty_field judges ["list/empty-names"]
        by empty_name("min_", [("above", 7), ("below", 3)]);
    /// max_ with nothing after it names the field of the empty name, or is skipped.
    max_with_nothing_after_it_names_the_empty_field judges ["list/empty-names"]
        by empty_name("max_", [("below", 3), ("above", 7)]);
    /// A null field is falsy or counts as lacking.
    null_for_is_is_read_one_way judges ["list/is-null-field"] => |cx| {
        let set = labelled! {
            cx; "nothing": { "leido": null, "is_leido": false }, "falsy": { "leido": false, "is_leido": false },
        }?;
        set.ask("is_leido=false")?.reads(&[("falsy", "nothing falsy"), ("lacking", "falsy")])
    };
}

fn brackets_in_a_name_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
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
}

fn list_bound_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        cx;
        "above": { "n": 9, "min_n": 5 },
        "between": { "n": 6, "min_n": 5 },
        "below": { "n": 1, "min_n": 5 },
        "unnamed": { "n": 9 },
    }?;
    let listed = set.ask("min_n=5,7")?;
    listed.reads(&[("text", ""), ("ignored", "above between below"), ("item", "above between"), ("item", "above")])?;
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
}

fn empty_name(cx: &CaseContext<'_>, name: &str, [(kept, fits), (dropped, misses)]: [(&str, i64); 2]) -> CaseResult {
    let books = [
        (kept, json!({ "": fits, name: 5 })),
        (dropped, json!({ "": misses, name: 5 })),
        ("equal", json!({ "": 5, name: 5 })),
        ("lacks-the-empty", json!({ name: 5 })),
        ("lacks-the-named", json!({ "": fits })),
    ];
    let set = LabelledBooks::of(cx, books)?;
    // Skipped as a bound, and as an equality filter too.
    let as_bound = format!("{kept} {dropped} equal lacks-the-empty");
    let altogether = format!("{as_bound} lacks-the-named");
    let readings = [("named", &*format!("{kept} equal")), ("skipped", &*as_bound), ("skipped", &*altogether)];
    set.ask(&format!("{name}=5"))?.reads_of(name, &readings)
}
