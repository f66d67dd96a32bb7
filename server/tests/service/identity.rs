//! Identity over real sockets: clients that hang up, a process that is killed, and secrets on the disk.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{Folder, Server};
use crate::wire::{Reply, connect, send_to};

const PASSWORD: &str = "una contraseña";

fn post(server: &Server, path: &str, body: &Value) -> Reply {
    send_to(server, "catalogue", &format!("POST {path}"), "", &body.to_string())
}

fn register(server: &Server, email: &str) {
    let body = json!({ "email": email, "password": PASSWORD });
    assert_eq!(post(server, "/auth/registro", &body).status, 201);
}

fn login(server: &Server, email: &str) -> Value {
    let reply = post(server, "/auth/login", &json!({ "email": email, "password": PASSWORD }));
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()
}

fn verify(server: &Server, session: &Value, code: &Value) -> Reply {
    post(server, "/auth/verify-2fa", &json!({ "sessionId": session, "token": code }))
}

fn bearer(token: &Value) -> String {
    format!("Authorization: Bearer {}\r\n", token.as_str().expect("a text"))
}

/// Registers a user with a second factor; the backup codes.
fn protect(server: &Server, email: &str) -> Value {
    register(server, email);
    let token = &login(server, email)["tokens"]["sessionToken"];
    let enabled = send_to(server, "catalogue", "POST /2fa/enable", &bearer(token), "{}");
    assert_eq!(enabled.status, 200);
    enabled.json()["backupCodes"].clone()
}

#[test]
fn a_login_whose_client_hung_up_while_it_waited_is_not_hashed() {
    let server = Server::logging(&["--password-cost", "65536,6,1", "--threads", "1"], "libros_server=debug");
    register(&server, "slow@race");
    let body = json!({ "email": "slow@race", "password": PASSWORD }).to_string();
    let login = format!("POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let send = || {
        let mut stream = connect(&server, "catalogue");
        stream.write_all(login.as_bytes()).expect("sent");
        stream
    };
    let mut waiting = vec![send()];
    waiting.extend((0..20).map(|_| send()));
    thread::sleep(Duration::from_millis(100));
    waiting.truncate(1);
    // Served after those who left before it.
    assert_eq!(post(&server, "/auth/login", &json!({ "email": "slow@race", "password": PASSWORD })).status, 200);
    server.signal("TERM");
    let log = server.ended().1;
    let (left, hashed) = (log.matches("status=503").count(), log.matches("status=200").count());
    assert!(left >= 15 && left + hashed == 22, "{left} left, {hashed} hashed");
}

#[test]
fn nothing_secret_is_on_the_disk_or_in_the_log() {
    let folder = Folder::new();
    let server = Server::over(&folder);
    let codes = protect(&server, "ana@disk");
    let waiting = login(&server, "ana@disk")["sessionId"].clone();
    let tokens = verify(&server, &waiting, &codes[0]).json()["tokens"].clone();
    assert_eq!(post(&server, "/auth/login", &json!({ "email": "ana@disk", "password": "wrong-one" })).status, 400);
    server.signal("TERM");
    let (status, log) = server.ended();
    assert!(status.success());
    let mut found = log.into_bytes();
    for entry in std::fs::read_dir(&folder.0).expect("the folder is there") {
        found.extend(std::fs::read(entry.expect("an entry").path()).expect("a file"));
    }
    let found = String::from_utf8_lossy(&found);
    assert!(found.contains("ana@disk"), "the store is what was read");
    let secrets = [&waiting, &tokens["sessionToken"], &tokens["jwtToken"], &codes[0], &codes[7]];
    for secret in secrets.iter().map(|secret| secret.as_str().expect("a text")) {
        assert!(!found.contains(secret), "{secret}");
    }
    for password in [PASSWORD, "wrong-one", "Admin-de-prueba-1"] {
        assert!(!found.contains(password), "{password}");
    }
}
