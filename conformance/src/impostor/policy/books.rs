//! What the impostor does wherever an implementer may slip or choose: how books are created, read, replaced, deleted and kept. The default is right.

/// Its values; the default is right.
#[derive(Clone, Debug, Default)]
pub struct BooksPolicy {}
