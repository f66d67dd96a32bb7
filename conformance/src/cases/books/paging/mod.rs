//! Cases of the chapter paging: how `page` and `limit` are read, which books a page holds, the pagination object.

pub(crate) mod limit;
pub(crate) mod numbered_books;
pub(crate) mod object;
pub(crate) mod page;
pub(crate) mod reading;
