//! The interfaces of the second document over HTTP, by the program itself: exact statuses, headers and bodies.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The program, on ports of its own, and where its interfaces are.
struct Server {
    child: Child,
    /// Interface to `host:port`.
    places: BTreeMap<String, String>,
}

impl Server {
    fn start() -> Self {
        let any = "127.0.0.1:0";
        let mut child = Command::new(env!("CARGO_BIN_EXE_libros-server"))
            .args(["all", "--ephemeral", "--catalogue-addr", any, "--users-addr", any])
            .args(["--graphql-addr", any, "--graphql-reduced-addr", any, "--control-addr", any])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output is piped"));
        out.read_line(&mut line).expect("it says that it is ready");
        let named = line.split_whitespace().filter_map(|word| word.split_once("=http://"));
        let places =
            named.map(|(name, url)| (name.to_owned(), url.split('/').next().unwrap_or_default().to_owned())).collect();
        Self { child, places }
    }

    fn ask(&self, interface: &str, method: &str, path: &str, body: &str) -> Answer {
        let place = self.places.get(interface).unwrap_or_else(|| panic!("{interface} is not in {:?}", self.places));
        let mut socket = TcpStream::connect(place).expect("it listens");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).expect("the request is taken");
        // A body above the limit may be refused before it is taken whole.
        let _ = socket.write_all(body.as_bytes());
        let mut raw = Vec::new();
        let _ = socket.read_to_end(&mut raw);
        Answer::read(&String::from_utf8_lossy(&raw))
    }

    fn graphql(&self, interface: &str, query: &str) -> Answer {
        self.ask(interface, "POST", "/graphql", &json!({ "query": query }).to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
struct Answer {
    status: u16,
    /// All but those the HTTP library adds, in lower case, sorted.
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn read(raw: &str) -> Self {
        let (head, body) = raw.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {raw:?}"));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|word| word.parse().ok());
        let mut headers: Vec<_> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .filter(|(name, _)| !matches!(name.as_str(), "date" | "connection" | "content-length"))
            .collect();
        headers.sort();
        Self { status: status.expect("a status"), headers, body: body.to_owned() }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn assert(&self, status: u16, body: &str) {
        assert_eq!((self.status, self.body.as_str()), (status, body), "{self:?}");
        assert_eq!(self.headers, [("content-type".to_owned(), "application/json".to_owned())], "{self:?}");
    }

    fn assert_error(&self, status: u16) {
        assert_eq!(self.status, status, "{self:?}");
        let body = self.json();
        let fields = body.as_object().expect("an object");
        assert!(fields.len() == 1 && fields["error"].as_str().is_some_and(|text| !text.is_empty()), "{self:?}");
    }
}

#[test]
fn users_and_posts_are_served_as_the_table_says() {
    let server = Server::start();
    let ask = |method, path: &str, body| server.ask("users", method, path, body);
    let first = ask("GET", "/users", "");
    assert_eq!(first.json().as_array().map(Vec::len), Some(3));
    ask("GET", "/users/2", "").assert(200, r#"{"id":"2","name":"Tomás","age":27}"#);
    ask("GET", "/users/2/posts", "").assert(200, r#"[{"id":"3","title":"A shelf for maps","userId":"2"}]"#);
    for path in ["/users/none", "/users/none/posts", "/users/", "/nowhere"] {
        ask("GET", path, "").assert_error(404);
    }
    let created = ask("POST", "/users", r#"{"name":"Ada","age":36,"extra":1}"#);
    assert_eq!(created.status, 201);
    let id = created.json()["id"].as_str().expect("a text").to_owned();
    assert!(id.len() >= 13 && id.bytes().all(|byte| byte.is_ascii_digit()), "{id} is a clock in milliseconds");
    ask("GET", &format!("/users/{id}"), "").assert(200, &created.body);
    ask("GET", &format!("/users/{id}/posts"), "").assert(200, "[]");
    for body in [r#"{"name":"","age":1}"#, r#"{"name":"Ada","age":"1"}"#, "{}", "{", ""] {
        ask("POST", "/users", body).assert_error(400);
    }
    ask("DELETE", "/users", "").assert_error(404);
}

#[test]
fn options_is_204_with_three_headers_anywhere() {
    let server = Server::start();
    for (interface, methods) in
        [("users", "GET,POST,OPTIONS"), ("graphql", "GET, POST, OPTIONS"), ("graphql_reduced", "POST, OPTIONS")]
    {
        for path in ["/users", "/graphql", "/nowhere"] {
            let answer = server.ask(interface, "OPTIONS", path, "");
            assert_eq!((answer.status, answer.body.as_str()), (204, ""), "{answer:?}");
            let wanted = [
                ("access-control-allow-headers", "Content-Type"),
                ("access-control-allow-methods", methods),
                ("access-control-allow-origin", "*"),
            ];
            assert_eq!(answer.headers, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
    }
}

#[test]
fn registration_and_blog_stand_beside_the_users() {
    let server = Server::start();
    let ask = |method, path: &str, body| server.ask("users", method, path, body);
    let ada = r#"{"email":"ada@x.example","password":"Long-and-mixed-1"}"#;
    ask("POST", "/api/users/register", ada).assert(201, r#"{"id":"1","email":"ada@x.example"}"#);
    ask("POST", "/api/users/register", ada).assert_error(400);
    ask("POST", "/api/users/register", r#"{"email":"ada@x.example"}"#).assert_error(400);
    ask("POST", "/posts", r#"{"title":"One","content":"text"}"#)
        .assert(201, r#"{"id":"1","title":"One","content":"text"}"#);
    ask("PUT", "/posts/1", r#"{"title":"Two"}"#).assert(200, r#"{"id":"1","title":"Two","content":""}"#);
    ask("GET", "/posts", "").assert(200, r#"[{"id":"1","title":"Two","content":""}]"#);
    let deleted = ask("DELETE", "/posts/1", "");
    assert_eq!((deleted.status, deleted.headers.len()), (204, 0), "{deleted:?}");
    ask("GET", "/posts/1", "").assert_error(404);
    ask("POST", "/posts", "{}").assert_error(400);
}

#[test]
fn graphql_is_answered_in_both_forms() {
    let server = Server::start();
    let query = r#"{ user(id: "2") { name posts { title } } }"#;
    let user = r#"{"name":"Tomás","posts":[{"title":"A shelf for maps"}]}"#;
    server.graphql("graphql", query).assert(200, &format!(r#"{{"data":{{"user":{user}}}}}"#));
    server.graphql("graphql_reduced", query).assert(200, &format!(r#"{{"data":{user}}}"#));
    let mutation = r#"mutation { createUser(name: "Ada", age: 36) { name } }"#;
    server.graphql("graphql", mutation).assert(200, r#"{"data":{"createUser":{"name":"Ada"}}}"#);
    server.graphql("graphql_reduced", mutation).assert_error(400);
    server
        .ask("graphql", "GET", "/graphql?query=%7Buser(id:3)%7Bage%7D%7D", "")
        .assert(200, r#"{"data":{"user":{"age":61}}}"#);
    server.ask("graphql_reduced", "GET", "/graphql?query=%7Busers%7Bage%7D%7D", "").assert_error(404);
}

#[test]
fn what_no_query_needs_is_refused_clearly() {
    let server = Server::start();
    let nested = format!("{{users{}{{id}}{}}}", "{posts{user".repeat(2_000), "}}".repeat(2_000));
    let aliases = format!("{{{}}}", (0..10_000).map(|number| format!("a{number}:users{{id}}")).collect::<String>());
    let long = format!("{{users{{id}}{}}}", " ".repeat(900_000));
    for interface in ["graphql", "graphql_reduced"] {
        for (query, said) in [(&nested, "levels"), (&aliases, "tokens"), (&long, "bytes; at most")] {
            let answer = server.graphql(interface, query);
            assert_eq!(answer.status, 400, "{answer:?}");
            assert!(answer.body.contains(said), "{answer:?}");
        }
        server.graphql(interface, &" ".repeat(1 << 20)).assert_error(413);
        assert_eq!(server.graphql(interface, "{users{id}}").status, 200, "it still serves");
    }
}

#[test]
fn a_reset_brings_the_initial_users_back() {
    let server = Server::start();
    server.ask("users", "POST", "/users", r#"{"name":"Ada","age":36}"#);
    server.ask("users", "POST", "/posts", r#"{"title":"One"}"#);
    server.graphql("graphql", r#"mutation { createUser(name: "Ada", age: 36) { id } }"#);
    assert_eq!(server.ask("control", "POST", "/reset", "").status, 204);
    assert_eq!(server.ask("users", "GET", "/users", "").json().as_array().map(Vec::len), Some(3));
    server.ask("users", "GET", "/posts", "").assert(200, "[]");
    assert!(!server.graphql("graphql", "{ users { name } }").body.contains("Ada"));
}

#[test]
fn the_id_of_a_created_user_follows_the_control_clock() {
    let server = Server::start();
    let advanced = server.ask("control", "POST", "/clock/advance", r#"{"seconds":100000000}"#);
    assert_eq!(advanced.status, 200, "{advanced:?}");
    let id = |answer: &Value| answer["id"].as_str().and_then(|id| id.parse::<i64>().ok()).expect("digits");
    let by_rest = server.ask("users", "POST", "/users", r#"{"name":"Ada","age":36}"#).json();
    let by_graphql = server.graphql("graphql", r#"mutation { createUser(name: "Ada", age: 36) { id } }"#).json();
    let wall = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_millis() as i64;
    for id in [id(&by_rest), id(&by_graphql["data"]["createUser"])] {
        let ahead_s = (id - wall) / 1000;
        assert!((99_999_900..=100_000_000).contains(&ahead_s), "{ahead_s} seconds ahead");
    }
}
