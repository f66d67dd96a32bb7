//! The queries of the benches, as users send them, from the cheapest to the most expensive; some with SQL for SQLite.

/// A query that benches measure.
#[derive(Debug, Clone, Copy)]
pub struct BenchQuery {
    /// Part of the ids of benches; never changes.
    pub name: &'static str,
    /// The query string.
    pub text: &'static str,
    /// The SQL between `FROM books` and `LIMIT`, and the offset; `None` without an equivalent.
    pub sql: Option<(&'static str, usize)>,
}

const fn query(name: &'static str, text: &'static str, sql: &'static str, offset: usize) -> BenchQuery {
    BenchQuery { name, text, sql: Some((sql, offset)) }
}

/// Every stage at once.
const ALL: &str = "q=luz&genero=novela,ensayo&sort=-fechaPublicacion,titulo&page=2&fields=titulo,autor";

/// All, from the cheapest to the most expensive.
pub const QUERIES: &[BenchQuery] = &[
    query("page", "page=3", "", 20),
    query("page-deep", "page=90", "", 890),
    query("fields", "fields=id,titulo,autor&limit=100", "", 0),
    query("filter", "autor=Ana+Garc%C3%ADa+Vega", "WHERE autor = 'Ana García Vega'", 0),
    query(
        "filter-list",
        "genero=poes%C3%ADa,teatro,cr%C3%B3nica&disponible=true",
        "WHERE genero IN ('poesía', 'teatro', 'crónica') AND disponible = 1",
        0,
    ),
    query("filter-number", "paginas=300", "WHERE paginas = 300", 0),
    // By the documents this keeps only books with a field `min_paginas`.
    BenchQuery { name: "bound", text: "min_paginas=300", sql: None },
    query("q-rare", "q=ferrer+ybarra", "WHERE titulo LIKE '%ferrer ybarra%' OR autor LIKE '%ferrer ybarra%'", 0),
    BenchQuery { name: "q-common", text: "q=LA", sql: None },
    query("sort-text", "sort=titulo", "ORDER BY titulo, id", 0),
    query("sort-number", "sort=-paginas", "ORDER BY paginas DESC, id", 0),
    query("sort-two", "sort=genero,-paginas", "ORDER BY genero, paginas DESC, id", 0),
    query("sort-deep", "sort=genero,-paginas&page=80", "ORDER BY genero, paginas DESC, id", 790),
    query(
        "all",
        ALL,
        "WHERE (titulo LIKE '%luz%' OR autor LIKE '%luz%') AND genero IN ('novela', 'ensayo') \
         ORDER BY fechaPublicacion DESC, titulo",
        10,
    ),
];
