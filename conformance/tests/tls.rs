//! An https target is judged if its certificate is trusted, and refused with a message if not. Needs `openssl` for a certificate.
#![cfg(feature = "tls")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use libros_conformance::impostor::{Impostor, Options};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A self-signed certificate for the loopback address, and its key.
fn certificate(folder: &Path) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=libros-test", "-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &file("key.pem"), "-out", &file("cert.pem")])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (
        CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap(),
        PrivateKeyDer::from_pem_file(folder.join("key.pem")).unwrap(),
    )
}

/// Terminates TLS and passes each request on, one per connection; returns its port.
fn terminator(folder: &Path, behind: String) -> u16 {
    let (certificate, key) = certificate(folder);
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            let (connection, behind) = (ServerConnection::new(Arc::clone(&config)).unwrap(), behind.clone());
            // A client that does not trust it disconnects.
            std::thread::spawn(move || _ = passed_on(StreamOwned::new(connection, socket), &behind));
        }
    });
    port
}

fn passed_on(stream: StreamOwned<ServerConnection, TcpStream>, behind: &str) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    let mut target = TcpStream::connect(behind)?;
    target.write_all(head.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes())?;
    target.write_all(&body)?;
    let mut answer = Vec::new();
    target.read_to_end(&mut answer)?;
    let stream = stream.get_mut();
    stream.write_all(&answer)?;
    stream.conn.send_close_notify();
    stream.flush()
}

fn judged(url: &str, folder: &Path, trusts: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_libros-conformance"));
    command.args(["run", "paging", "--wait", "0", "--url", url]).current_dir(folder);
    if trusts {
        command.env("SSL_CERT_FILE", folder.join("cert.pem"));
    }
    command.output().unwrap()
}

#[test]
fn a_target_at_an_https_url_is_judged_if_its_certificate_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let impostor = Impostor::start(Options::default()).unwrap();
    let behind = impostor.catalogue().strip_prefix("http://").unwrap().to_owned();
    let url = format!("https://127.0.0.1:{}", terminator(folder.path(), behind));
    let trusted = judged(&url, folder.path(), true);
    let report = String::from_utf8_lossy(&trusted.stdout);
    assert_eq!(trusted.status.code(), Some(0), "{report}{}", String::from_utf8_lossy(&trusted.stderr));
    let strange = judged(&url, folder.path(), false);
    let complaint = String::from_utf8_lossy(&strange.stderr);
    assert_eq!(strange.status.code(), Some(3), "{complaint}");
    assert!(complaint.contains("certificate"), "{complaint}");
}
