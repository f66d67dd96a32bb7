//! Permitted readings other than the reference's: how page and limit are read and a page is told.

use super::Reading;
use crate::impostor::model::js;

pub(crate) const READINGS: &[Reading] = readings! {
    "fractions-unparsable" by "paging/number-fraction": "A page or limit with decimals is unparsable."
        => policy |p| p.paging.unparsable.push(|values| values.first().is_some_and(|text| text.contains('.')));
    "infinite-numbers-kept" by "paging/number-beyond-finite": "A page of more digits than a number holds is beyond the end."
        => policy |p| {
            p.paging.page.parse = Some(parse_without_end);
            p.paging.limit.parse = Some(parse_without_end);
        };
    "limit-below-1-is-1" by "paging/number-fraction": "A limit between 0 and 1 is 1."
        => policy |p| p.paging.limit.parse = Some(|text| if is_fraction_of_one(text) { Some(1.0) } else { js::parse_int(text) });
    "numbers-with-text-unparsable" by "paging/number-trailing-text": "A page or limit with other characters is unparsable."
        => policy |p| p.paging.unparsable.push(|values| values.first().is_some_and(|text| !is_plain_decimal(text)));
    "last-number-counts" by "paging/number-repeated": "Of a repeated page or limit the last counts."
        => policy |p| p.paging.counted = Some(|values| values.last().and_then(|text| text.rsplit(',').next()));
    "repeated-numbers-unparsable" by "paging/number-repeated": "A repeated page or limit is unparsable."
        => policy |p| p.paging.unparsable.push(|values| values.len() > 1 || values.iter().any(|text| text.contains(',')));
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
