//! Permitted readings other than the reference's: how page and limit are read.

use libros_conformance_model::js;
use libros_conformance_model::list::paging::first;

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "fractions-unparsable" by "paging/number-fraction": "A page or limit with decimals is unparsable."
        => steps |s| s.list.counted = |values| first(values).filter(|text| !text.contains('.'));
    "infinite-numbers-kept" by "paging/number-beyond-finite": "A page of more digits than a number holds is beyond the end."
        => steps |s| {
            s.list.parse_page = parse_without_end;
            s.list.parse_limit = parse_without_end;
        };
    "limit-below-1-is-1" by "paging/number-fraction": "A limit between 0 and 1 is 1."
        => steps |s| s.list.parse_limit = |text| if is_fraction_of_one(text) { Some(1.0) } else { js::parse_int(text) };
    "numbers-with-text-unparsable" by "paging/number-trailing-text": "A page or limit with other characters is unparsable."
        => steps |s| s.list.counted = |values| first(values).filter(|text| is_plain_decimal(text));
    "last-number-counts" by "paging/number-repeated": "Of a repeated page or limit the last counts."
        => steps |s| s.list.counted = |values| values.last().and_then(|text| text.rsplit(',').next());
    "repeated-numbers-unparsable" by "paging/number-repeated": "A repeated page or limit is unparsable."
        => steps |s| s.list.counted = |values| first(values).filter(|text| values.len() == 1 && !text.contains(','));
};

fn is_plain_decimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'))
}

fn is_fraction_of_one(text: &str) -> bool {
    text.contains('.') && (0.0..1.0).contains(&js::to_number(text))
}

fn parse_without_end(text: &str) -> Option<f64> {
    if text.len() > 300 && is_plain_decimal(text) { Some(1e300) } else { js::parse_int(text) }
}
