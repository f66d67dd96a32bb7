//! Identity over real sockets: clients that hang up, a process that is killed, and secrets on the disk.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::process::{Folder, Server};
use crate::wire::{Address, PASSWORD, connect};

#[test]
fn a_login_whose_client_hung_up_while_it_waited_is_not_hashed() {
    let server = Server::logging(&["--password-cost", "65536,6,1", "--threads", "1"], "libros_server=debug");
    let address = Address(server.address("catalogue"));
    address.register("slow@race", "user");
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
    address.log_in("slow@race");
    server.signal("TERM");
    let log = server.ended().1;
    let (left, hashed) = (log.matches("status=503").count(), log.matches("status=200").count());
    assert!(left >= 15 && left + hashed == 23, "{left} left, {hashed} hashed");
}

#[test]
fn nothing_secret_is_on_the_disk_or_in_the_log() {
    let folder = Folder::new();
    let server = Server::over(&folder);
    let address = Address(server.address("catalogue"));
    let session = address.register("ana@disk", "admin");
    let created = address.must("POST /auth/api-keys", &session, r#"{"nombre":"kiosk"}"#).expect(201);
    let enabled = address.must("POST /2fa/enable", &session, "{}").expect(200);
    let waiting = &address.log_in("ana@disk")["sessionId"];
    let codes = &enabled["backupCodes"];
    let body = json!({ "sessionId": waiting, "token": codes[0] }).to_string();
    let tokens = &address.must("POST /auth/verify-2fa", "", &body).expect(200)["tokens"];
    let wrong = json!({ "email": "ana@disk", "password": "wrong-one" }).to_string();
    address.must("POST /auth/login", "", &wrong).expect(400);
    server.signal("TERM");
    let (status, log) = server.ended();
    assert!(status.success());
    let mut found = log.into_bytes();
    for entry in std::fs::read_dir(&folder.0).expect("the folder is there") {
        found.extend(std::fs::read(entry.expect("an entry").path()).expect("a file"));
    }
    let found = String::from_utf8_lossy(&found);
    assert!(found.contains("ana@disk"), "the store is what was read");
    let secrets = [
        waiting,
        &tokens["sessionToken"],
        &tokens["jwtToken"],
        &codes[0],
        &codes[7],
        &enabled["secret"],
        &created["apiKey"],
    ];
    for secret in secrets.iter().map(|secret| secret.as_str().expect("a text")) {
        assert!(!found.contains(secret), "{secret}");
    }
    for password in [PASSWORD, "wrong-one", "Admin-de-prueba-1"] {
        assert!(!found.contains(password), "{password}");
    }
}
