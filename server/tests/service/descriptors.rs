//! A process that is given few descriptors, as by `ulimit -n`.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::process::Server;
use crate::wire::{KEY, connect};

#[test]
fn with_64_descriptors_twenty_clients_are_served_at_once() {
    let server = Server::with_descriptors(64);
    let mut open: Vec<TcpStream> = (0..20).map(|_| connect(&server, "catalogue")).collect();
    for (number, stream) in open.iter_mut().enumerate() {
        stream.write_all(format!("GET /libros HTTP/1.1\r\nHost: x\r\n{KEY}\r\n").as_bytes()).expect("open");
        let mut status = [0; 15];
        stream.read_exact(&mut status).expect("answered");
        assert_eq!(status, *b"HTTP/1.1 200 OK", "client {number}");
    }
}
