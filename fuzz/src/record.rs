//! Fuzzes JSON bodies: what a create, a replace or a registration accepts reads back the same, before and after a restart.

use std::sync::LazyLock;

use super::{Memory, ask, catalogue, json};
use libros_server::catalogue::Catalogue;

/// A catalogue, and what it stores.
static SITE: LazyLock<(Memory, Catalogue)> = LazyLock::new(|| {
    let memory = Memory::default();
    (memory.clone(), catalogue(&memory))
});

fn read(catalogue: &Catalogue, path: &str) -> Vec<u8> {
    let reply = ask(catalogue, &format!("GET {path}"), b"");
    assert_eq!(reply.status, 200, "{path}");
    reply.body.to_vec()
}

/// Checks one input.
pub fn check(body: &[u8]) {
    let (memory, first) = &*SITE;
    let created = ask(first, "POST /libros", body);
    let replaced = ask(first, "PUT /libros/3", body);
    let registered = ask(first, "POST /auth/registro", body);
    assert!([201, 400, 413].contains(&created.status.as_u16()), "{}", created.status);
    assert!([200, 400, 413].contains(&replaced.status.as_u16()), "{}", replaced.status);
    assert!([201, 400, 413].contains(&registered.status.as_u16()), "{}", registered.status);
    if created.status != 201 && replaced.status != 200 && registered.status != 201 {
        return;
    }
    let mut paths = vec!["/libros?limit=100".to_owned(), "/libros/3".to_owned()];
    if created.status == 201 {
        let path = format!("/libros/{}", json(&created)["id"]);
        assert_eq!(read(first, &path), created.body, "as answered");
        paths.push(path);
    }
    let read_all = |catalogue: &Catalogue| paths.iter().map(|path| read(catalogue, path)).collect::<Vec<_>>();
    let second = catalogue(&memory.copied());
    assert_eq!(read_all(first), read_all(&second), "read back after a start");
    // The registration persists, too: its e-mail is taken.
    if registered.status == 201 {
        assert_eq!(ask(&second, "POST /auth/registro", body).status, 400);
    }
    if let Some(path) = paths.get(2) {
        assert_eq!(ask(first, &format!("DELETE {path}"), b"").status, 204);
    }
}
