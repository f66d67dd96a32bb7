//! The queries of the benches, as users send them, from the cheapest to the most expensive; some with SQL for SQLite.

/// A query.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// Part of the ids of benches; never changes.
    pub name: &'static str,
    /// The query string.
    pub query: &'static str,
    /// The SQL between `FROM books` and `LIMIT`, and the offset; `None` without an equivalent.
    pub sql: Option<(&'static str, usize)>,
}

const fn question(name: &'static str, query: &'static str, sql: &'static str, offset: usize) -> Question {
    Question { name, query, sql: Some((sql, offset)) }
}

/// Every stage at once.
const ALL: &str = "q=luz&genero=novela,ensayo&sort=-fechaPublicacion,titulo&page=2&fields=titulo,autor";

/// All queries.
pub const QUESTIONS: &[Question] = &[
    question("page", "page=3", "", 20),
    question("page-deep", "page=90", "", 890),
    question("fields", "fields=id,titulo,autor&limit=100", "", 0),
    question("filter", "autor=Ana+Garc%C3%ADa+Vega", "WHERE autor = 'Ana García Vega'", 0),
    question(
        "filter-list",
        "genero=poes%C3%ADa,teatro,cr%C3%B3nica&disponible=true",
        "WHERE genero IN ('poesía', 'teatro', 'crónica') AND disponible = 1",
        0,
    ),
    question("filter-number", "paginas=300", "WHERE paginas = 300", 0),
    // By the documents this keeps no book without a field `min_paginas`.
    Question { name: "bound", query: "min_paginas=300", sql: None },
    question("q-rare", "q=ferrer+ybarra", "WHERE titulo LIKE '%ferrer ybarra%' OR autor LIKE '%ferrer ybarra%'", 0),
    Question { name: "q-common", query: "q=LA", sql: None },
    question("sort-text", "sort=titulo", "ORDER BY titulo, id", 0),
    question("sort-number", "sort=-paginas", "ORDER BY paginas DESC, id", 0),
    question("sort-two", "sort=genero,-paginas", "ORDER BY genero, paginas DESC, id", 0),
    question("sort-deep", "sort=genero,-paginas&page=80", "ORDER BY genero, paginas DESC, id", 790),
    question(
        "all",
        ALL,
        "WHERE (titulo LIKE '%luz%' OR autor LIKE '%luz%') AND genero IN ('novela', 'ensayo') \
         ORDER BY fechaPublicacion DESC, titulo",
        10,
    ),
];
