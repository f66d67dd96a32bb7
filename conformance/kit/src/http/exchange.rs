//! One request and its answer, as sent and received.
//!
//! Only holds data; [`crate::http::reply`] has the checks.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use memchr::memmem;
use serde_json::Value;

use crate::excerpt::excerpt;
use crate::http::header_values::{self, is_list};
use crate::implementation::profile::{Address, Interface};
use crate::json;
use crate::verdict::NoAnswer;

#[derive(Debug, Clone)]
pub struct Sent {
    pub method: String,
    pub address: Address,
    /// The interface asked; `None` for a request outside of cases.
    pub interface: Option<Interface>,
    /// Request target: path and query, as sent.
    pub path: String,
    /// Header lines in the order sent; an empty `User-Agent` means that none is sent.
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Option<Vec<u8>>,
}

impl Sent {
    /// A request outside of cases, to a path below the prefix of the address.
    pub fn new(method: &str, address: &Address, path: &str) -> Self {
        // Exactly one slash between the two.
        let prefix = if path.starts_with('/') { address.prefix.trim_end_matches('/') } else { &address.prefix };
        let path = format!("{prefix}{path}");
        let path = if path.is_empty() { "/".to_owned() } else { path };
        let (method, address) = (method.to_owned(), address.clone());
        Self { method, address, interface: None, path, headers: Vec::new(), body: None }
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        Self { body: Some(body.to_string().into_bytes()), ..self.header("Content-Type", "application/json") }
    }

    /// The values of a header, in order; the case of `name` does not matter.
    pub fn values(&self, name: &str) -> Vec<&[u8]> {
        let lines = self.headers.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name));
        lines.map(|(_, value)| value.as_slice()).collect()
    }

    pub fn path_below_prefix(&self) -> &str {
        self.path.strip_prefix(&self.address.prefix).unwrap_or(&self.path)
    }

    /// Whether the method promises to change nothing (RFC 9110, section 9.2.1).
    pub fn is_safe(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// Whether servers may disagree about where the request or its answer ends.
    pub fn is_oddly_framed(&self) -> bool {
        const FRAMING: [&str; 5] = ["connection", "content-length", "expect", "transfer-encoding", "upgrade"];
        let is_plain = match self.method.as_str() {
            "GET" | "DELETE" => self.body.is_none(),
            method => matches!(method, "POST" | "PUT"),
        };
        !is_plain || self.headers.iter().any(|(name, _)| FRAMING.iter().any(|own| name.eq_ignore_ascii_case(own)))
    }

    /// Whether it may create a user of the demonstration interfaces: over REST, by registration, or by mutation.
    pub fn may_make_a_user(&self) -> bool {
        const MUTATION: &[u8] = b"createUser";
        let path = self.path_below_prefix().split('?').next().unwrap_or_default();
        let path = path.trim_end_matches('/').to_ascii_lowercase();
        let is_post_to_users = self.method == "POST" && matches!(path.as_str(), "/users" | "/api/users/register");
        let texts = [self.path.as_bytes(), self.body.as_deref().unwrap_or_default()];
        is_post_to_users || texts.iter().any(|text| memmem::find(text, MUTATION).is_some())
    }

    pub fn url(&self) -> String {
        format!("{}{}", self.address.root(), self.path)
    }

    pub fn curl(&self) -> String {
        let mut line = String::from("curl -si");
        match self.method.as_str() {
            "GET" if self.body.is_none() => {}
            "HEAD" => line.push_str(" --head"),
            method => _ = write!(line, " -X {method}"),
        }
        line.push_str(" --path-as-is");
        for (name, _) in &self.address.headers {
            _ = write!(line, " -H {}", shell_word(&format!("{name}: ${{{}}}", variable_of_header(name))));
        }
        for (name, value) in &self.headers {
            let header = if is_left_out(name, value) {
                format!("{name}:")
            } else if value.is_empty() {
                format!("{name};")
            } else {
                format!("{name}: {}", String::from_utf8_lossy(value))
            };
            _ = write!(line, " -H {}", shell_word(&header));
        }
        if let Some(body) = &self.body {
            if self.values("content-type").is_empty() {
                line.push_str(" -H Content-Type:");
            }
            // `--data-binary` takes a text that begins with `@` for the name of a file.
            _ = write!(line, " --data-raw {}", shell_word(&String::from_utf8_lossy(body)));
        } else if matches!(self.method.as_str(), "POST" | "PUT" | "PATCH") {
            line.push_str(" -H 'Content-Length: 0'");
        }
        if self.path.contains(['[', ']', '{', '}']) {
            line.push_str(" --globoff");
        }
        _ = write!(line, " {}", shell_word(&self.url()));
        line
    }
}

/// Whether the header line is not sent at all: an empty `User-Agent`.
pub fn is_left_out(name: &str, value: &[u8]) -> bool {
    value.is_empty() && name.eq_ignore_ascii_case("user-agent")
}

/// The shell variable that replaces a header of the profile, which may be a secret: `header_x_gateway`.
pub fn variable_of_header(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    format!("header_{}", name.chars().map(plain).collect::<String>())
}

/// Quotes a word so that a shell passes it as it is.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[derive(Debug, Clone)]
pub struct Received {
    pub status: u16,
    /// Header lines in the order received, names in the letter case received.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Body, after de-chunking.
    pub body: Vec<u8>,
    pub is_chunked: bool,
    json: OnceLock<Option<Value>>,
}

impl Received {
    pub fn new(status: u16, headers: Vec<(String, Vec<u8>)>, body: Vec<u8>, is_chunked: bool) -> Self {
        Self { status, headers, body, is_chunked, json: OnceLock::new() }
    }

    /// The values of a header, in order; the case of `name` does not matter.
    pub fn values(&self, name: &str) -> Vec<String> {
        self.lines(name).map(|value| String::from_utf8_lossy(value).into_owned()).collect()
    }

    /// The value of a header, several lines joined with `, ` as HTTP allows; `None` if absent.
    pub fn header(&self, name: &str) -> Option<String> {
        let values = self.values(name);
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Whether each line of the header has this value, or is the same list, and there is at least one.
    pub fn header_is(&self, name: &str, want: &str) -> bool {
        let got = self.values(name);
        let is_meant = |got: &String| got == want || (is_list(name) && header_values::is_same_list(got, want));
        !got.is_empty() && got.iter().all(is_meant)
    }

    pub fn header_bytes(&self, name: &str) -> Option<&[u8]> {
        self.lines(name).next()
    }

    /// The values as received, in order.
    pub fn lines(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.headers
            .iter()
            .filter(move |(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_slice())
    }

    /// The body as JSON; `None` if it is not JSON or has more values than any answer needs.
    pub fn json(&self) -> Option<&Value> {
        let parse = || if self.holds_too_many_values() { None } else { json::parsed(&self.body) };
        self.json.get_or_init(parse).as_ref()
    }

    /// Whether the body would take many times its length in memory as JSON.
    pub fn holds_too_many_values(&self) -> bool {
        // Each value but the first follows a comma, a colon or a bracket. Short bodies need no counting.
        self.body.len() > JSON_VALUES_MAX
            && self.body.iter().filter(|byte| b",:[{".contains(byte)).count() > JSON_VALUES_MAX
    }

    /// Changes the values of its headers and its body, which is then parsed again.
    pub fn each_value(&mut self, change: impl Fn(&mut Vec<u8>)) {
        self.headers.iter_mut().map(|(_, value)| value).chain([&mut self.body]).for_each(change);
        self.json = OnceLock::new();
    }

    /// The body as text; replaces bytes that are not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// More JSON values than any answer needs; a body with more would take many times its length in memory.
const JSON_VALUES_MAX: usize = 100_000;
/// The longest body kept of a judged exchange, in bytes.
pub const KEPT_BYTES: usize = 64 << 10;
/// Stands for the header lines that were cut off.
const MORE_LINES: &str = "...";
/// Headers that HTTP libraries add themselves, in lower case.
pub const TRANSPORT_HEADERS: [&str; 5] = ["date", "connection", "keep-alive", "transfer-encoding", "content-length"];

#[derive(Debug, Clone)]
pub struct Exchange {
    pub number: u32,
    pub sent: Sent,
    pub received: Result<Arc<Received>, NoAnswer>,
    /// Whether there was an answer, even one too long to read.
    pub is_answered: bool,
    pub duration_ms: u64,
    /// When it was sent, in milliseconds since 1970 on this machine.
    pub sent_at_ms: i64,
}

impl Exchange {
    /// A request outside of cases and its answer, without number and time.
    pub fn new(sent: Sent, received: Result<Received, NoAnswer>) -> Self {
        let is_answered = received.is_ok();
        Self { number: 0, sent, received: received.map(Arc::new), is_answered, duration_ms: 0, sent_at_ms: 0 }
    }

    pub fn ended_at_ms(&self) -> i64 {
        self.sent_at_ms.saturating_add_unsigned(self.duration_ms)
    }

    /// Whether the connection ended before an answer came.
    pub fn is_lost(&self) -> bool {
        self.received.as_ref().is_err_and(|none| !none.is_late && !none.is_unreadable)
    }

    /// Cuts its bodies to `bytes`; a cut body states its full length.
    #[must_use]
    pub fn cut_to(&self, bytes: usize) -> Self {
        let mut kept = self.clone();
        if let Some(body) = kept.sent.body.as_mut() {
            cut(body, bytes);
        }
        if let Ok(received) = kept.received.as_mut()
            && received.body.len() > bytes
        {
            let (status, headers) = (received.status, received.headers.clone());
            let mut body = received.body[..bytes].to_vec();
            body.extend(length_note(&received.body));
            *received = Arc::new(Received::new(status, headers, body, received.is_chunked));
        }
        kept
    }

    /// Cuts the received headers to `lines` lines, each to `bytes`.
    #[must_use]
    pub fn with_headers_cut_to(mut self, bytes: usize, lines: usize) -> Self {
        if let Ok(received) = &mut self.received {
            let received = Arc::make_mut(received);
            let whole = received.headers.len();
            let earlier = received.headers.pop_if(|(name, value)| name == MORE_LINES && value.len() < 64);
            received.headers.truncate(lines);
            received.headers.iter_mut().for_each(|(name, value)| {
                name.truncate(name.floor_char_boundary(bytes));
                cut(value, bytes);
            });
            let cut = || (MORE_LINES.to_owned(), format!("({whole} header lines in all)").into_bytes());
            received.headers.extend(earlier.or_else(|| (whole > lines).then(cut)));
        }
        self
    }

    pub fn bytes(&self) -> usize {
        let line = |(name, value): &(String, Vec<u8>)| name.len() + value.len();
        let size = |received: &Arc<Received>| received.body.len() + received.headers.iter().map(line).sum::<usize>();
        self.sent.body.as_ref().map_or(0, Vec::len) + self.received.as_ref().map_or(0, size)
    }

    /// The traffic as text: `>` lines sent, `<` lines received, then the body, long ones cut.
    pub fn transcript(&self) -> String {
        let mut text = String::new();
        let mut write = |sign: char, first: String, headers: &[(String, Vec<u8>)], body: Option<&[u8]>| {
            _ = writeln!(text, "{sign} {first}");
            for (name, value) in headers {
                _ = writeln!(text, "{sign} {name}: {}", String::from_utf8_lossy(value));
            }
            if let Some(body) = body {
                _ = writeln!(text, "{sign} \n{sign} {}", shortened(&String::from_utf8_lossy(body)));
            }
        };
        let Sent { method, path, headers, body, .. } = &self.sent;
        write('>', format!("{method} {path}"), headers, body.as_deref());
        match &self.received {
            Err(why) => write('<', format!("no answer: {why}"), &[], None),
            Ok(got) => {
                let body = Some(got.body.as_slice()).filter(|body| !body.is_empty());
                write('<', got.status.to_string(), &got.headers, body);
            }
        }
        text
    }
}

fn cut(body: &mut Vec<u8>, bytes: usize) {
    if body.len() > bytes {
        let note = length_note(body);
        body.truncate(bytes);
        body.extend(note);
        body.shrink_to_fit();
    }
}

/// The note `... (N bytes in all)`; a text that was cut before keeps its note.
fn length_note(text: &[u8]) -> Vec<u8> {
    // Looks only where our note would be: a target may send what looks like one.
    const NOTE_BYTES_MAX: usize = "... (18446744073709551615 bytes in all)".len();
    let end = &text[text.len().saturating_sub(NOTE_BYTES_MAX)..];
    let earlier = memmem::rfind(end, b"... (").filter(|_| end.ends_with(b" bytes in all)"));
    earlier.map_or_else(|| format!("... ({} bytes in all)", text.len()).into_bytes(), |at| end[at..].to_vec())
}

fn shortened(text: &str) -> String {
    // Shows little of a binary body.
    excerpt(text, 0, if text.contains('\0') { 64 } else { 2_000 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curl_line_survives_quotes() {
        let address = Address::parse("http://h:1").unwrap();
        let sent = Sent::new("POST", &address, "/libros?a=b&c=d").header("X-API-Key", "k'1").header("X-Empty", "");
        let sent = Sent { body: Some(b"@{}".to_vec()), ..sent };
        assert_eq!(
            sent.curl(),
            r"curl -si -X POST --path-as-is -H 'X-API-Key: k'\''1' -H 'X-Empty;' -H Content-Type: --data-raw '@{}' 'http://h:1/libros?a=b&c=d'"
        );
    }

    #[test]
    fn a_repeated_header_is_joined_and_cut_lines_are_counted() {
        let headers = vec![("A".into(), b"1".to_vec()), ("a".into(), b"2".to_vec())];
        let received = Received::new(200, headers, vec![], false);
        assert_eq!(received.header("A").as_deref(), Some("1, 2"));
        assert_eq!(received.header("B"), None);
        let exchange = Exchange::new(Sent::new("GET", &Address::parse("http://h:1").unwrap(), "/"), Ok(received));
        let cut_again = exchange.with_headers_cut_to(8, 1).with_headers_cut_to(8, 1).received.unwrap();
        assert_eq!(cut_again.header("...").as_deref(), Some("(2 header lines in all)"));
    }
}
