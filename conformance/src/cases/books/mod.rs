//! Cases of the chapter books: fields, ids, create, read, replace, delete and refused methods.

use crate::case::Case;

pub(crate) mod answers;
pub(crate) mod authorship;
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
    list::decoding::CASES,
    list::conversion::CASES,
    list::dates::CASES,
    list::times::CASES,
    list::numbers::CASES,
    list::search::CASES,
    list::search_text::CASES,
    list::equality::CASES,
    list::loose::CASES,
    list::bounds::CASES,
    list::truthiness::CASES,
    list::sort::CASES,
    list::sort_open::CASES,
    list::fields::CASES,
    list::order::CASES,
    list::laws::CASES,
    list::generated::CASES,
    paging::page::CASES,
    paging::limit::CASES,
    paging::reading::CASES,
    paging::object::CASES,
];
