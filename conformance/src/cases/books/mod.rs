//! Cases of the chapter books: fields, ids, create, read, replace, delete and refused methods.

use crate::case::Case;

pub(crate) mod answers;
pub(crate) mod authorship;
pub(crate) mod consistency;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod fields;
pub(crate) mod fresh;
pub(crate) mod ids;
pub(crate) mod list;
pub(crate) mod methods;
pub(crate) mod paging;
pub(crate) mod path_id;
pub(crate) mod path_id_open;
pub(crate) mod read;
pub(crate) mod replace;
pub(crate) mod storage;
pub(crate) mod times;

/// The tables of all chapters of this folder.
pub(crate) const TABLES: &[&[Case]] = &[
    create::CASES,
    fields::CASES,
    times::CASES,
    authorship::CASES,
    ids::CASES,
    read::CASES,
    replace::CASES,
    delete::CASES,
    path_id::CASES,
    path_id_open::CASES,
    methods::CASES,
    fresh::CASES,
    storage::writes::CASES,
    storage::slow::CASES,
    storage::restart::CASES,
    consistency::CASES,
    list::decoding::ROWS,
    list::decoding::CASES,
    list::conversion::ROWS,
    list::conversion::CASES,
    list::dates::ROWS,
    list::dates::CASES,
    list::times::CASES,
    list::numbers::CASES,
    list::search::ROWS,
    list::search::CASES,
    list::search_text::ROWS,
    list::search_text::CASES,
    list::equality::ROWS,
    list::equality::CASES,
    list::loose::ROWS,
    list::bounds::ROWS,
    list::bounds::CASES,
    list::truthiness::ROWS,
    list::truthiness::CASES,
    list::sort::ROWS,
    list::sort_many::CASES,
    list::sort_open::ROWS,
    list::sort_open::CASES,
    list::fields::ROWS,
    list::fields::CASES,
    list::order::ROWS,
    list::order::CASES,
    list::laws::CASES,
    list::generated::CASES,
    paging::page::CASES,
    paging::limit::CASES,
    paging::reading::CASES,
    paging::object::CASES,
];
