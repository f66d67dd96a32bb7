//! The messages of PostgreSQL's protocol that the driver sends for our statements, and their answers.

use std::collections::HashMap;
use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::timeout;

use super::session::{Failure, IDLE, Session, Transaction, question};

pub(super) async fn serve(stream: DuplexStream, session: Session) {
    let conversation =
        Conversation { stream, session, out: Vec::new(), statements: HashMap::new(), bound: None, skips: false };
    _ = conversation.converse().await;
}

struct Conversation {
    stream: DuplexStream,
    session: Session,
    out: Vec<u8>,
    statements: HashMap<String, String>,
    bound: Option<(String, Vec<Vec<u8>>)>,
    /// Whether a message has failed, and all are skipped until the next Sync.
    skips: bool,
}

impl Conversation {
    async fn converse(mut self) -> io::Result<()> {
        self.body().await?;
        self.message(b'R', &0_u32.to_be_bytes());
        self.ready().await?;
        loop {
            let Transaction { is_open, idle_at_most, .. } = self.session.transaction;
            let kind = match idle_at_most.filter(|_| is_open) {
                Some(limit) => match timeout(limit, self.stream.read_u8()).await {
                    Ok(kind) => kind?,
                    Err(_) => {
                        self.error("FATAL", IDLE);
                        return self.stream.write_all(&self.out).await;
                    }
                },
                None => self.stream.read_u8().await?,
            };
            let body = self.body().await?;
            if kind == b'S' {
                self.skips = false;
                self.ready().await?;
            } else if !self.skips && self.answer(kind, &body).await? {
                self.ready().await?;
            }
        }
    }

    /// Answers a message; whether it is whole without a Sync.
    async fn answer(&mut self, kind: u8, body: &[u8]) -> io::Result<bool> {
        let mut fields = body;
        match kind {
            b'Q' => {
                let sql = text(&mut fields);
                if sql.contains("pg_walfile_name") {
                    self.columns(question(&sql).2);
                }
                for statement in sql.split(';').filter(|statement| !statement.trim().is_empty()) {
                    if !self.execute(statement, &[]).await? {
                        break;
                    }
                }
                return Ok(true);
            }
            b'P' => {
                let name = text(&mut fields);
                self.statements.insert(name, text(&mut fields));
                self.message(b'1', &[]);
            }
            b'D' => {
                fields = &fields[1..];
                let sql = self.statements.get(&text(&mut fields)).cloned().unwrap_or_default();
                self.describe(&sql);
            }
            b'B' => {
                text(&mut fields);
                let sql = self.statements.get(&text(&mut fields)).cloned().unwrap_or_default();
                self.bound = Some((sql, parameters(fields)));
                self.message(b'2', &[]);
            }
            b'E' => {
                let (sql, parameters) = self.bound.take().unwrap_or_default();
                self.skips = !self.execute(&sql, &parameters).await?;
            }
            b'C' => self.message(b'3', &[]),
            _ => return Err(io::ErrorKind::ConnectionAborted.into()),
        }
        Ok(false)
    }

    async fn execute(&mut self, sql: &str, parameters: &[Vec<u8>]) -> io::Result<bool> {
        match self.session.execute(sql, parameters).await {
            Ok((rows, tag)) => {
                for row in rows {
                    let mut body = (row.len() as u16).to_be_bytes().to_vec();
                    for field in row {
                        let length = field.as_ref().map_or(-1, |field| field.len() as i32);
                        body.extend(length.to_be_bytes());
                        body.extend(field.unwrap_or_default());
                    }
                    self.message(b'D', &body);
                }
                self.message(b'C', &[tag.as_bytes(), b"\0"].concat());
                Ok(true)
            }
            Err(Failure::Error(code)) => {
                self.error("ERROR", code);
                let transaction = &mut self.session.transaction;
                transaction.has_failed = transaction.is_open;
                if !transaction.is_open {
                    *transaction = Transaction::default();
                }
                Ok(false)
            }
            Err(Failure::Ended) => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    fn describe(&mut self, sql: &str) {
        let (_, parameters, columns, _) = question(sql);
        let mut body = (parameters.len() as u16).to_be_bytes().to_vec();
        parameters.iter().for_each(|kind| body.extend(kind.to_be_bytes()));
        self.message(b't', &body);
        if columns.is_empty() { self.message(b'n', &[]) } else { self.columns(columns) }
    }

    fn columns(&mut self, columns: &[u32]) {
        let mut body = (columns.len() as u16).to_be_bytes().to_vec();
        for kind in columns {
            body.extend([b"column\0".as_slice(), &[0; 6], &kind.to_be_bytes(), &[0; 8]].concat());
        }
        self.message(b'T', &body);
    }

    fn error(&mut self, severity: &str, code: &str) {
        let fields = format!("S{severity}\0V{severity}\0C{code}\0Msimulated\0\0");
        self.message(b'E', fields.as_bytes());
    }

    fn message(&mut self, kind: u8, body: &[u8]) {
        self.out.push(kind);
        self.out.extend((body.len() as u32 + 4).to_be_bytes());
        self.out.extend(body);
    }

    /// Says what state the session is in, and sends all that was said.
    async fn ready(&mut self) -> io::Result<()> {
        let state = match (self.session.transaction.is_open, self.session.transaction.has_failed) {
            (false, _) => b"I",
            (true, false) => b"T",
            (true, true) => b"E",
        };
        self.message(b'Z', state);
        self.stream.write_all(&std::mem::take(&mut self.out)).await
    }

    async fn body(&mut self) -> io::Result<Vec<u8>> {
        let mut body = vec![0; self.stream.read_u32().await? as usize - 4];
        self.stream.read_exact(&mut body).await?;
        Ok(body)
    }
}

/// A text and the zero after it.
fn text(fields: &mut &[u8]) -> String {
    let end = fields.iter().position(|byte| *byte == 0).expect("a zero");
    let text = String::from_utf8_lossy(&fields[..end]).into_owned();
    *fields = &fields[end + 1..];
    text
}

/// The values of a Bind, after its formats.
fn parameters(mut fields: &[u8]) -> Vec<Vec<u8>> {
    let mut take = |count: usize| {
        let (taken, rest) = fields.split_at(count);
        fields = rest;
        taken
    };
    let short = |bytes: &[u8]| usize::from(u16::from_be_bytes([bytes[0], bytes[1]]));
    let formats = short(take(2));
    take(2 * formats);
    let count = short(take(2));
    let mut values = Vec::new();
    for _ in 0..count {
        let length = u32::from_be_bytes(take(4).try_into().expect("four bytes"));
        values.push(take(length as usize).to_vec());
    }
    values
}
