//! The impostor over real sockets: one walk through each interface.

use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

use super::*;

const KEY: &str = "ak_ad3100c11e270000000000000000c0de";

struct Walk {
    impostor: Impostor,
    client: Client,
}

fn walk() -> Walk {
    walk_with(Options::default())
}

fn walk_with(options: Options) -> Walk {
    Walk { impostor: Impostor::start(options).expect("free ports"), client: Client::new() }
}

fn send(request: RequestBuilder) -> Response {
    request.send().expect("an answer")
}

fn body(response: Response) -> Value {
    serde_json::from_str(&response.text().expect("a text")).expect("JSON")
}

impl Walk {
    fn at(&self, method: &str, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.impostor.urls().catalogue);
        self.client.request(method.parse().expect("a method"), url)
    }

    fn keyed(&self, method: &str, path: &str) -> RequestBuilder {
        self.at(method, path).header("x-api-key", KEY)
    }

    fn post(&self, path: &str, sent: &Value) -> (u16, Value) {
        let response = send(self.at("POST", path).body(sent.to_string()));
        (response.status().as_u16(), body(response))
    }
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

#[test]
fn a_book_lives_from_create_to_delete() {
    let walk = walk();
    let created = send(walk.keyed("POST", "/libros").body(r#"{"titulo":"Ñu","autor":"b","n":1.0}"#));
    assert_eq!(created.status(), 201);
    let created = body(created);
    assert_eq!((&created["id"], &created["creadoPor"], &created["n"]), (&json!(6), &json!("Admin Client"), &json!(1)));
    let read = send(walk.keyed("GET", "/libros/6"));
    assert_eq!(header(&read, "cache-control"), "private, max-age=60");
    let etag = header(&read, "etag");
    assert_eq!(body(read), created);
    let again = send(walk.keyed("GET", "/libros/6").header("if-none-match", &etag));
    assert_eq!((again.status().as_u16(), header(&again, "cache-control").as_str()), (304, "public, max-age=300"));
    let listed = send(walk.keyed("GET", "/libros?fields=n&q=%C3%B1U"));
    assert_eq!(header(&listed, "x-total-count"), "1");
    let text = listed.text().expect("a text");
    assert!(
        text.starts_with(r#"{"datos":[{"n":1}],"metadata":{"paginacion":{"page":1,"limit":10,"total":1"#),
        "{text}"
    );
    let replaced = body(send(walk.keyed("PUT", "/libros/6").body("{}")));
    assert_eq!(replaced["fechaCreacion"], created["fechaCreacion"]);
    assert_eq!(replaced.get("titulo"), None);
    assert_eq!(send(walk.keyed("DELETE", "/libros/6")).status(), 204);
    assert_eq!(send(walk.keyed("DELETE", "/libros/6")).status(), 404);
    assert_eq!(send(walk.at("PATCH", "/libros/6")).status(), 405);
    assert_eq!(body(send(walk.at("GET", "/libros")))["error"]["codigo"], "NO_AUTENTICADO");
}

#[test]
fn a_user_registers_logs_in_and_manages_keys() {
    let walk = walk();
    let sent = json!({"email": "a@b.example", "password": "geheim", "nombre": "A", "role": "admin"});
    assert_eq!(
        walk.post("/auth/registro", &sent),
        (201, json!({"id": "user_3", "email": "a@b.example", "nombre": "A"}))
    );
    let (status, login) = walk.post("/auth/login", &sent);
    assert_eq!((status, &login["requiere2FA"]), (200, &json!(false)));
    let token = login["tokens"]["sessionToken"].as_str().expect("a token");
    let jwt = login["tokens"]["jwtToken"].as_str().expect("a token");
    let keys = send(walk.at("GET", "/auth/api-keys").header("authorization", format!("JWT {jwt}")));
    assert_eq!(body(keys)[0]["apiKey"], "ak_7e57c...");
    let made = walk.at("POST", "/auth/api-keys").header("authorization", format!("Bearer {token}"));
    let made = body(send(made.body(r#"{"nombre":"mine"}"#)));
    assert_eq!(made["the service"]["permissions"], json!(["read:libros"]));
    let key = made["apiKey"].as_str().expect("a key");
    assert_eq!(send(walk.at("GET", "/libros").header("x-api-key", key)).status(), 200);
}

#[test]
fn two_factor_asks_verifies_and_locks_out() {
    let walk = walk();
    let sent = json!({"email": "a@b.example", "password": "geheim"});
    walk.post("/auth/registro", &sent);
    let (_, login) = walk.post("/auth/login", &sent);
    let bearer = format!("Bearer {}", login["tokens"]["sessionToken"].as_str().expect("a token"));
    let enabled = body(send(walk.at("POST", "/2fa/enable").header("authorization", &bearer).body("{}")));
    let code = &enabled["backupCodes"][0];
    let (_, asked) = walk.post("/auth/login", &sent);
    let verify = json!({"sessionId": asked["sessionId"], "token": code, "trustDevice": true});
    let (status, verified) = walk.post("/auth/verify-2fa", &verify);
    assert_eq!(
        (status, &verified["metodo2FA"], &verified["esDispositivoNuevo"]),
        (200, &json!("backup"), &json!(false))
    );
    let (_, trusted) = walk.post("/auth/login", &sent);
    assert_eq!(trusted["requiere2FA"], false);
    let control = format!("{}/clock/advance", walk.impostor.urls().control);
    assert_eq!(send(walk.client.post(control).json(&json!({"seconds": 2_678_400}))).status(), 200);
    let (_, asked) = walk.post("/auth/login", &sent);
    for _ in 0..3 {
        let wrong = json!({"sessionId": asked["sessionId"], "token": "ZZZZZZZZZZ"});
        assert_eq!(walk.post("/auth/verify-2fa", &wrong).0, 400);
    }
    let (_, asked) = walk.post("/auth/login", &sent);
    let good = json!({"sessionId": asked["sessionId"], "token": enabled["backupCodes"][1]});
    assert_eq!(walk.post("/auth/verify-2fa", &good).0, 400);
}

#[test]
fn the_demonstration_interfaces_answer() {
    let walk = walk();
    let urls = walk.impostor.urls();
    let made = body(send(walk.client.post(format!("{}/users", urls.users)).body(r#"{"name":"N","age":0}"#)));
    let posts = format!("{}/users/{}/posts", urls.users, made["id"].as_str().expect("an id"));
    assert_eq!(body(send(walk.client.get(posts))), json!([]));
    let ask = |url: &str, query: &str| {
        let response = send(walk.client.post(url).json(&json!({"query": query})));
        (response.status().as_u16(), body(response))
    };
    let query = "query($x: ID = 1) { u: user(id: \"1\") { ...F } } fragment F on User { posts { title user { id } } }";
    let (status, answer) = ask(&urls.graphql, query);
    assert_eq!((status, &answer["data"]["u"]["posts"][0]["user"]["id"]), (200, &json!("1")), "{answer}");
    assert_eq!(ask(&urls.graphql, "{ users { nope } }").0, 400);
    let (_, made) = ask(&urls.graphql, "mutation { createUser(name: \"Z\", age: 3) { name age } }");
    assert_eq!(made, json!({"data": {"createUser": {"name": "Z", "age": 3}}}));
    let (status, answer) = ask(&urls.graphql_reduced, "{ user(id: \"1\") { name posts { id } } }");
    assert_eq!((status, &answer["data"]["posts"]), (200, &json!([{"id": "1"}, {"id": "2"}])));
    assert_eq!(ask(&urls.graphql_reduced, "{ users { id posts { id title } } }").0, 400);
}

#[test]
fn reset_brings_the_initial_state_back_and_drop_frees_the_address() {
    let walk = walk();
    send(walk.keyed("DELETE", "/libros/1"));
    let reset = || walk.client.post(format!("{}/reset", walk.impostor.urls().control));
    for (header, value, status) in [
        ("content-type", "text/plain", 415),
        ("origin", "null", 403),
        ("host", "evil.example", 403),
        ("host", "127.0.0.1.evil.example", 403),
    ] {
        let refused = send(reset().header("content-type", "application/json").header(header, value));
        assert_eq!(refused.status(), status, "{header}: {value}");
    }
    assert_eq!(send(reset()).status(), 415);
    assert_eq!(send(walk.keyed("GET", "/libros/1")).status(), 404);
    assert_eq!(send(reset().json(&json!({}))).status(), 204);
    assert_eq!(send(walk.keyed("GET", "/libros/1")).status(), 200);
    let addr = walk.impostor.catalogue.addr;
    drop(walk);
    assert!(std::net::TcpStream::connect(addr).is_err());
}

#[test]
fn a_fault_changes_what_it_says_and_starting_is_cheap() {
    let started = std::time::Instant::now();
    for _ in 0..50 {
        let options = Options { faults: Faults::one("create-is-200").expect("declared"), ..Options::default() };
        let walk = walk_with(options);
        let made = send(walk.keyed("POST", "/libros").body(r#"{"titulo":"a","autor":"b"}"#));
        assert_eq!(made.status(), 200);
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
