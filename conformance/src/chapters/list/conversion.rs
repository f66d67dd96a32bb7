//! What becomes of a value before it is compared: booleans, numbers, lists; and the names that filter nothing.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// true keeps the boolean true, false the boolean false.
    true_and_false_are_booleans judges ["list/convert-boolean"]:
        labelled! { "yes": { "leido": true }, "no": { "leido": false }, "lacking": {} }
        .keeps(&[("leido=true", "yes"), ("leido=false", "no")]);
    /// Letter case does not matter for true and false.
    booleans_are_read_in_any_letter_case judges ["list/convert-boolean-case"]:
        labelled! { "yes": { "leido": true }, "no": { "leido": false } }.keeps(&[
            ("leido=TRUE", "yes"),
            ("leido=True", "yes"),
            ("leido=tRuE", "yes"),
            ("leido=FALSE", "no"),
            ("leido=False", "no"),
        ]);
    /// Whole, negative and fractional decimals are numbers.
    plain_decimals_are_numbers judges ["list/convert-number"]:
        labelled! { "five": { "n": 5 }, "minus": { "n": -3 }, "decimals": { "n": 2.5 }, "zero": { "n": 0 } }.keeps(&[
            ("n=5", "five"),
            ("n=-3", "minus"),
            ("n=2.5", "decimals"),
            ("n=0", "zero"),
            ("n=1.50", ""),
            ("n=2.500", "decimals"),
        ]);
    /// Beside a number a value equals all texts that spell it, or none; of those never one alone, the one spelled as the value is.
    // A loosely equal number field equals an unconverted text, too. Whether texts equal a number is another rule's.
    a_decimal_is_no_longer_the_text_that_was_sent judges ["list/convert-number"]:
        labelled! {
            "five": { "v": 5 },
            "five-as-sent": { "v": "5.0" },
            "five-otherwise": { "v": "5.00" },
            "minus": { "v": -3 },
            "minus-as-sent": { "v": "-3.0" },
            "minus-otherwise": { "v": "-3.00" },
            "decimals": { "v": 2.5 },
            "decimals-as-sent": { "v": "2.500" },
            "decimals-otherwise": { "v": "2.50" },
        }.keeps_either("v=5.0", ["five five-as-sent five-otherwise", "five"])
        .keeps_either("v=-3.0", ["minus minus-as-sent minus-otherwise", "minus"])
        .keeps_either("v=2.500", ["decimals decimals-as-sent decimals-otherwise", "decimals"]);
    /// A comma list keeps what equals any of its items.
    comma_list_keeps_any_of_its_items judges ["list/comma-list"]:
        labelled! {
            "a": { "tema": "amor" },
            "b": { "tema": "barcos" },
            "c": { "tema": "cine" },
            "d": { "tema": "danza" },
            "none": {},
        }.keeps(&[
            ("tema=amor,cine", "a c"),
            ("tema=danza,barcos,amor", "a b d"),
            ("tema=nada,cine", "c"),
            ("tema=amor,amor", "a"),
            ("tema=nada,nadie", ""),
        ]);
    /// A comma always separates: a field that holds the whole text is not kept.
    comma_list_is_no_text judges ["list/comma-list"]:
        labelled! { "whole": { "tema": "amor,cine" }, "item": { "tema": "cine" }, "part": { "tema": "amor" } }
        .keeps(&[("tema=amor,cine", "item part")]);
    /// Items of a comma list become numbers and booleans of their own.
    items_of_a_comma_list_are_converted judges ["list/comma-list-converts"]:
        labelled! {
            "number": { "v": 5, "b": false },
            "as-sent": { "v": "5.0" },
            "otherwise": { "v": "5.00" },
            "text": { "v": "sol", "b": true },
            "other": { "v": 6 },
        }.keeps(&[("b=nada,true", "text"), ("b=TRUE,nada", "text")])
        // Texts that spell the number, all or none: that is another rule's.
        .keeps_either("v=5.0,sol", ["number as-sent otherwise text", "number text"])
        .keeps_either("v=sol,5.0", ["number as-sent otherwise text", "number text"]);
    /// An encoded comma separates like a plain one, or belongs to the text.
    encoded_comma_is_read_one_way judges ["list/comma-encoded"]:
        labelled! { "a": { "tema": "amor" }, "b": { "tema": "barcos" }, "whole": { "tema": "amor,barcos" } }
        .reads("tema=amor%2Cbarcos", &[("separates", "a b"), ("part", "whole")]);
    /// Spaces around items are kept or trimmed.
    spaces_in_a_comma_list_are_read_one_way judges ["list/comma-list-as-sent"]:
        labelled! { "a": { "tema": "amor" }, "b": { "tema": "barcos" }, "spaced": { "tema": " barcos" } }
        .reads("tema=amor,%20barcos", &[("sent", "a spaced"), ("trimmed", "a b")]);
    /// An empty item is the empty text or none.
    empty_item_of_a_comma_list_is_read_one_way judges ["list/comma-list-as-sent"]:
        labelled! { "a": { "tema": "amor" }, "b": { "tema": "barcos" }, "empty": { "tema": "" } }
        .reads("tema=amor,", &[("sent", "a empty"), ("dropped", "a")])
        .reads("tema=,amor", &[("sent", "a empty"), ("dropped", "a")]);
    /// A repeated parameter keeps what equals any of its values.
    repeated_parameter_keeps_any_of_its_values judges ["list/repeated"]:
        labelled! {
            "a": { "tema": "amor" },
            "b": { "tema": "barcos" },
            "c": { "tema": "cine" },
            "d": { "tema": "danza" },
        }.keeps(&[
            ("tema=amor&tema=cine", "a c"),
            ("tema=cine&tema=amor", "a c"),
            ("tema=danza&tema=amor&tema=barcos", "a b d"),
            ("tema=nada&tema=nadie", ""),
        ]);
    /// Repetitions need not stand side by side.
    repetitions_may_stand_apart judges ["list/repeated"]:
        labelled! {
            "a": { "tema": "amor", "n": 1 },
            "b": { "tema": "barcos", "n": 1 },
            "c": { "tema": "cine", "n": 1 },
            "d": { "tema": "amor", "n": 2 },
        }.keeps(&[("tema=amor&n=1&tema=cine", "a c")]);
    /// Each value of a repeated parameter is converted.
    values_of_a_repeated_parameter_are_converted judges ["list/repeated"]:
        labelled! {
            "number": { "v": 5, "b": false },
            "as-sent": { "v": "5.0" },
            "otherwise": { "v": "5.00" },
            "text": { "v": "sol", "b": true },
            "other": { "v": 6 },
        }.keeps(&[("b=nada&b=true", "text")])
        .keeps_either("v=5.0&v=sol", ["number as-sent otherwise text", "number text"]);
    /// Repeated values with commas are one list or a list in a list.
    repeated_comma_lists_are_read_one_way judges ["list/repeated-with-commas"]:
        labelled! {
            "a": { "tema": "amor" },
            "b": { "tema": "barcos" },
            "c": { "tema": "cine" },
            "d": { "tema": "danza" },
        }.reads("tema=amor,barcos&tema=cine", &[("flat", "a b c"), ("nested", "c"), ("nested", "")]);
    /// q, page, limit, sort and fields drop no book for a field of that name, there or not.
    parameters_of_the_list_are_no_filters judges ["list/reserved-no-filters"];
    /// Words and broken numbers are texts: digits with letters, signs and points alone.
    what_is_no_number_stays_a_text judges ["list/convert-number"];
    /// Exponents, hexadecimal digits and surrounding spaces make numbers too, or do not.
    other_spellings_of_numbers_are_read_one_way judges ["list/convert-number-forms"];
    /// A parameter named range filters nothing.
    range_filters_nothing judges ["list/range-min-max-ignored"] by filters_nothing("range");
    /// A parameter named min filters nothing.
    min_alone_filters_nothing judges ["list/range-min-max-ignored"] by filters_nothing("min");
    /// A parameter named max filters nothing.
    max_alone_filters_nothing judges ["list/range-min-max-ignored"] by filters_nothing("max");
}

fn other_spellings_of_numbers_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "hexadecimal": { "n": "0x10" },
        "sixteen": { "n": "16" },
        "exponent": { "n": "1e3" },
        "thousand": { "n": "1000" },
        "spaced": { "n": " 7 " },
        "seven": { "n": "7" },
    }
    .created(cx)?;
    for (asked, same_text, same_number) in
        [("n=0x10", "hexadecimal", "sixteen"), ("n=1e3", "exponent", "thousand"), ("n=%207%20", "spaced", "seven")]
    {
        set.ask(asked)?.reads(&[
            ("javascript", &format!("{same_text} {same_number}")),
            ("plain", same_text),
            ("number", same_number),
            ("nothing", ""),
        ])?;
    }
    Ok(())
}

fn what_is_no_number_stays_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let texts = ["nulo", "menos", "12a", "a12", "1.2.3", "1e", "--1", "+-1", ".", "-", "e5"];
    let fields: Map<String, Value> =
        texts.iter().enumerate().map(|(at, text)| (format!("t{at}"), json!(text))).collect();
    let zeros: Map<String, Value> = texts.iter().enumerate().map(|(at, _)| (format!("t{at}"), json!(0))).collect();
    let set = LabelledBooks::of(cx, &[("word", Value::Object(fields)), ("zero", Value::Object(zeros))])?;
    for (at, text) in texts.iter().enumerate() {
        set.keeps(&[(&format!("t{at}={}", percent_encoded(text)), "word")])?;
    }
    Ok(())
}

fn parameters_of_the_list_are_no_filters(cx: &CaseContext<'_>) -> CaseResult {
    let own = json!({ "nota": "zafiro", "q": 7, "page": 7, "limit": 7, "sort": 7, "fields": 7 });
    let set = LabelledBooks::of(cx, &[("lacking", json!({ "nota": "zafiro" })), ("own", own)])?;
    for asked in ["q=zafiro", "page=1", "limit=50", "sort=nota", "fields=id"] {
        set.keeps(&[(asked, "lacking own")])?;
    }
    Ok(())
}

fn filters_nothing(cx: &CaseContext<'_>, name: &str) -> CaseResult {
    let set = labelled! {
        "lacking": {},
        "equal": { name: 5 },
        "smaller": { name: 3, "paginas": 3 },
        "greater": { name: 700, "paginas": 700 },
    }
    .created(cx)?;
    let all = "lacking equal smaller greater";
    for value in ["5", "nada", "1-9", "1,9", "true"] {
        set.keeps(&[(&format!("{name}={value}"), all)])?;
    }
    Ok(())
}
