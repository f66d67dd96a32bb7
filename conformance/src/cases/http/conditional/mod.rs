//! Cases of the chapter conditional: ETag, Last-Modified, and what If-None-Match and If-Modified-Since do.

pub(crate) mod matching;
pub(crate) mod tagged;
pub(crate) mod tags;
pub(crate) mod unchanged;
