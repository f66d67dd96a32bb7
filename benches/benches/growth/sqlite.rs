//! SQLite with the same books in memory: a table with the queried fields and each book's JSON text. It sorts texts by bytes and folds only
//! the case of ASCII: so the bench compares its totals with ours, but not its order.

use rusqlite::{Connection, Result, params};
use serde_json::Value;

const INDEXES: &str = "
    CREATE INDEX by_autor ON books (autor);
    CREATE INDEX by_genero ON books (genero, paginas DESC);
    CREATE INDEX by_paginas ON books (paginas DESC);
    CREATE INDEX by_titulo ON books (titulo);
    CREATE INDEX by_fecha ON books (fechaPublicacion DESC);
    ANALYZE;";

/// A database in memory.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Stores the books, `indexed` or not.
    pub(crate) fn new(books: impl Iterator<Item = Value>, indexed: bool) -> Result<Self> {
        let mut connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, titulo TEXT, autor TEXT, fechaPublicacion TEXT, genero TEXT,
             paginas INTEGER, disponible INTEGER, json TEXT)",
        )?;
        let transaction = connection.transaction()?;
        {
            let mut insert = transaction.prepare("INSERT INTO books VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
            for book in books {
                let text = |name: &str| book[name].as_str();
                insert.execute(params![
                    book["id"].as_i64(),
                    text("titulo"),
                    text("autor"),
                    text("fechaPublicacion"),
                    text("genero"),
                    book["paginas"].as_i64(),
                    book["disponible"].as_bool(),
                    book.to_string(),
                ])?;
            }
        }
        transaction.commit()?;
        if indexed {
            connection.execute_batch(INDEXES)?;
        }
        Ok(Self { connection })
    }

    /// The total and the JSON texts of a page of ten.
    pub(crate) fn list(&self, (clause, offset): (&str, usize)) -> Result<(usize, String)> {
        let condition = clause.split("ORDER BY").next().unwrap_or_default();
        let mut count = self.connection.prepare_cached(&format!("SELECT count(*) FROM books {condition}"))?;
        let total = count.query_row([], |row| row.get::<_, i64>(0))?;
        let select = format!("SELECT json FROM books {clause} LIMIT 10 OFFSET {offset}");
        let mut select = self.connection.prepare_cached(&select)?;
        let mut datos = String::from("[");
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            datos.push_str(row.get_ref(0)?.as_str()?);
            datos.push(',');
        }
        Ok((usize::try_from(total).unwrap_or(0), datos))
    }
}
