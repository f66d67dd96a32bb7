//! Permitted readings other than the reference's: how page and limit are read and a page is told.

use super::Reading;

pub(crate) const READINGS: &[Reading] = readings! {
    "fractions-unparsable" by "paging/number-fraction": "A page or limit with decimals is unparsable.";
    "infinite-numbers-kept" by "paging/number-beyond-finite": "A page of more digits than a number holds is beyond the end.";
    "limit-below-1-is-1" by "paging/limit-below-one": "A limit between 0 and 1 is 1.";
    "limit-negative-is-default" by "paging/limit-negative": "A negative limit is 10.";
    "numbers-with-text-unparsable" by "paging/number-trailing-text": "A page or limit with other characters is unparsable.";
    "page-clamped-to-the-last" by "paging/page-beyond-end": "A page beyond the end is the last one.";
    "repeated-numbers-unparsable" by "paging/number-repeated": "A repeated page or limit is unparsable.";
};
