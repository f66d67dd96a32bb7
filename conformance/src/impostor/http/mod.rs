//! HTTP/1.1 as the impostor speaks it: a request read whole, a reply written whole. Knows no path and no book.

mod read;
mod serve;

pub(crate) use serve::Listener;
