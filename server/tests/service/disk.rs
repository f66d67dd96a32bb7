//! Data after a restart, unreadable data, and secrets that must never be written.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;
use std::{fs, thread};

use serde_json::json;

use crate::crash::second_factor::SecondFactorWriter;
use crate::crash::{KeyWriter, Writer};
use crate::process::{Folder, Server, assert_refused, command, output};
use crate::wire::{PASSWORD, create, ids, send};

#[test]
fn an_unreadable_store_is_set_aside_and_counts_as_empty() {
    let folder = Folder::new();
    Server::over(&folder).kill();
    fs::write(folder.0.join("libros.db"), "[]").expect("written");
    _ = fs::remove_file(folder.0.join("libros.db-wal"));
    let server = Server::over(&folder);
    // The books are gone, and the initial key still opens the door.
    assert_eq!(ids(&server), [0_u64; 0]);
    let (status, errors) = server.stopped();
    assert!(status.success());
    assert!(errors.contains("cannot be read") && errors.contains("libros.db.unreadable-1"), "{errors}");
    let kept = fs::read(folder.0.join("libros.db.unreadable-1"));
    assert_eq!(kept.expect("kept"), b"[]");
}

#[test]
fn a_file_of_books_is_the_initial_collection_and_never_replaces_a_stored_one() {
    let folder = Folder::new();
    fs::create_dir_all(&folder.0).expect("made");
    let file = folder.0.join("books.jsonl");
    fs::write(&file, "{\"id\":10,\"titulo\":\"a\"}\n{\"titulo\":\"b\"}\n").expect("written");
    let file = file.to_str().expect("a plain path");
    let server = Server::ephemeral(&["--books", file]);
    assert_eq!(ids(&server), [10, 11]);
    fs::write(file, "{\"id\":1}\nnothing\n").expect("written");
    assert_refused(&output(&["--ephemeral", "--books", file]), 1, "books.jsonl, line 2: not valid JSON");
}

#[test]
fn of_several_processes_that_start_at_once_on_a_new_folder_one_comes_up_and_the_others_say_why() {
    let folder = Folder::new();
    let data = folder.path();
    let start = || {
        let mut started = command(&["catalogue", "--data", data, "--catalogue-addr", "127.0.0.1:0"]);
        started.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    let mut running: Vec<Child> = (0..6).map(|_| start()).collect();
    let mut refused = 0;
    // All but one end by themselves; the loop waits until only that one is left.
    while running.len() > 1 {
        running.retain_mut(|child| {
            let Some(status) = child.try_wait().expect("it can be asked") else { return true };
            let mut errors = String::new();
            child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
            assert_eq!(status.code(), Some(1), "{errors}");
            assert!(errors.contains("in use by another process"), "{errors}");
            refused += 1;
            false
        });
        thread::sleep(Duration::from_millis(20));
    }
    let mut line = String::new();
    BufReader::new(running[0].stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    running[0].kill().expect("it runs");
    running[0].wait().expect("it has ended");
    assert!(line.starts_with("ready "), "{line}");
    assert_eq!(refused, 5);
}

/// The file that a stopped server's store was exported to.
fn exported(old: &Folder) -> PathBuf {
    let exported = output(&["export", "--data", old.path()]);
    assert!(exported.status.success(), "{exported:?}");
    let file = old.0.join("export.jsonl");
    fs::write(&file, &exported.stdout).expect("written");
    file
}

fn imported(new: &Folder, file: &Path, secret: Option<&Path>) -> Output {
    let mut import = command(&["import", "--data", new.path()]);
    if let Some(secret) = secret {
        import.arg("--secret-file").arg(secret);
    }
    import.arg(file).output().expect("the program runs")
}

#[test]
fn an_import_demands_the_secret_that_the_export_was_written_under() {
    let (old, new) = (Folder::new(), Folder::new());
    Server::over(&old).kill();
    let file = exported(&old);
    let another = old.0.join("another");
    fs::write(&another, "another secret than that of the store").expect("written");
    for (secret, why) in
        [(None, "name the file with --secret-file"), (Some(&*another), "under another secret than this")]
    {
        assert_refused(&imported(&new, &file, secret), 1, why);
        assert!(!new.0.exists(), "nothing is imported");
    }
    // A secret stored elsewhere stays there; and the server never makes a new one for existing data.
    fs::rename(old.0.join("secret"), &another).expect("renamed");
    assert!(imported(&new, &file, Some(&another)).status.success());
    let refused = output(&["catalogue", "--data", new.path()]);
    assert_refused(&refused, 1, "but not the secret");
    assert_eq!(new.names(), ["libros.db", "libros.db-confirmed"]);
    fs::rename(&another, new.0.join("secret")).expect("renamed");
    assert_eq!(ids(&Server::over(&new)), [1, 2, 3, 4, 5]);
}

#[test]
fn a_store_moves_whole_as_json_lines() {
    let (old, new) = (Folder::new(), Folder::new());
    let server = Server::over(&old);
    let address = server.catalogue();
    let held = output(&["export", "--data", old.path()]);
    assert_refused(&held, 1, "in use by another process");
    // The store moves while the first user's second factor is on, and after the second user has trusted a device and removed it.
    let mut writers: Vec<(Box<dyn Writer>, usize)> = vec![
        (Box::new(SecondFactorWriter::new(1, &address)), 1),
        (Box::new(SecondFactorWriter::new(2, &address)), 3),
        (Box::new(KeyWriter::new(3, &address)), 2),
    ];
    for (writer, times) in &mut writers {
        (0..*times).for_each(|_| writer.write(&address).expect("an answer"));
    }
    assert_eq!(create(&server, "moved"), 6);
    assert!(server.stopped().0.success());
    let import = || imported(&new, &exported(&old), Some(&old.0.join("secret")));
    // This folder is in the way of the secret.
    fs::create_dir_all(new.0.join("secret.new")).expect("made");
    assert_refused(&import(), 1, "the secret cannot be kept");
    fs::remove_dir(new.0.join("secret.new")).expect("removed");
    let imported = import();
    assert!(imported.status.success(), "{imported:?}");
    let server = Server::over(&new);
    assert_eq!(send(&server, "GET /libros/6", "").json()["titulo"], "moved");
    let address = server.catalogue();
    for (writer, _) in &mut writers {
        writer.check(&address);
        // Uses the sessions and the backup codes of the server on the other folder.
        writer.write(&address).expect("an answer");
        writer.check(&address);
    }
    assert_eq!(server.stopped().1, "", "nothing to complain of");
}

#[test]
fn options_can_come_from_the_environment_and_wrong_ones_say_so() {
    let wrong = command(&[]).env("LIBROS_MAX_BODY", "much").output().expect("runs");
    assert_refused(&wrong, 2, "max-body");
}

#[test]
fn nothing_secret_is_on_the_disk_or_in_the_log() {
    let folder = Folder::new();
    let server = Server::over(&folder);
    let address = server.catalogue();
    let session = address.register("ana@disk", "admin");
    let created = address.must("POST /auth/api-keys", &session, r#"{"nombre":"kiosk"}"#).expect(201);
    let enabled = address.must("POST /2fa/enable", &session, "{}").expect(200);
    let waiting = &address.log_in("ana@disk")["sessionId"];
    let codes = &enabled["backupCodes"];
    let body = json!({ "sessionId": waiting, "token": codes[0] }).to_string();
    let tokens = &address.must("POST /auth/verify-2fa", "", &body).expect(200)["tokens"];
    let wrong = json!({ "email": "ana@disk", "password": "wrong-one" }).to_string();
    address.must("POST /auth/login", "", &wrong).expect(400);
    let (status, log) = server.stopped();
    assert!(status.success());
    let mut found = log.into_bytes();
    for entry in fs::read_dir(&folder.0).expect("the folder is there") {
        found.extend(fs::read(entry.expect("an entry").path()).expect("a file"));
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
