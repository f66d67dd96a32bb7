//! What the impostor does wherever an implementer may slip or choose: how page and limit are read and a page is told. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct PagingPolicy {}
