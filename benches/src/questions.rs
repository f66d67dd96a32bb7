//! The questions that the benches ask of a catalogue, from what costs nothing to what costs most, with the SQL of those that a
//! database is asked, too. Each is one that users ask; none is made to please.

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// Part of the ids of benches: stays as it is.
    pub name: &'static str,
    /// The query string.
    pub query: &'static str,
    /// What stands between `FROM books` and `LIMIT`, and the offset; `None` where SQL has no like of it.
    pub sql: Option<(&'static str, usize)>,
}

const fn question(name: &'static str, query: &'static str, sql: &'static str, offset: usize) -> Question {
    Question { name, query, sql: Some((sql, offset)) }
}

/// Every stage at once.
pub const ALL: &str = "q=luz&genero=novela,ensayo&sort=-fechaPublicacion,titulo&page=2&fields=titulo,autor";

/// All questions.
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
    // As the documents have it, this keeps no book that lacks a field called min_paginas.
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
