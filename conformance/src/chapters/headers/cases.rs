//! The length of all answers, and headers of the HTTP library.

use crate::chapters::prelude::*;

cases! { "headers";
    /// Content-Length counts bytes, not characters.
    content_length_counts_bytes judges ["headers/content-length"] => |cx| {
        // A length that falls short leaves bytes after the answer's end, and an answer that is no JSON.
        let counts = |request: Request<'_>| -> Result<Reply, CaseError> {
            let (reply, after) = request.send_and_close()?;
            let received = reply.received();
            let more = format!("{} bytes more", after.len());
            let check = reply.check().header("Content-Length", &received.body.len().to_string())?;
            let check = check.that(after.is_empty(), Place::BODY, "of that length", more)?;
            check.that(received.json().is_some(), Place::BODY, "whole JSON", received.text())?;
            Ok(reply)
        };
        // Characters of one, two, three and four bytes, so that counting characters or UTF-16 units falls short.
        let book = json!({ "titulo": "año 書 🜁", "autor": "Õ", "lote": cx.unique("lote") });
        let made = books::created(cx, counts(cx.post("/libros").key(cx.admin_key()).json(&book))?)?;
        let list = format!("/libros?lote={}", book["lote"].as_str().unwrap_or_default());
        // A body beyond a buffer of 2, 8 or 32 KiB is where libraries begin to send chunks.
        let long = books::create_set(cx, &vec![json!({ "nota": "x".repeat(1_000) }); 40])?.path("limit=100");
        for path in [made.path(), list, "/libros?limit=3".to_owned(), long, books::unknown_path(cx)] {
            counts(cx.get(&path).key(cx.test_key()))?;
        }
        for request in [cx.get("/revistas"), cx.request("PATCH", "/libros"), cx.post("/auth/login").bytes_as_json(b"{")] {
            counts(request)?;
        }
        Ok(())
    };
    /// Reports which headers an answer carries that the HTTP library added.
    headers_of_the_library_are_told judges ["headers/library-headers"] => |cx| {
        const LIBRARY: [&str; 5] = ["Date", "Connection", "Keep-Alive", "Transfer-Encoding", "Content-Length"];
        let reply = cx.get("/libros?limit=1").key(cx.test_key()).send()?.prepared("listing", 200)?;
        let sent: Vec<&str> = LIBRARY.into_iter().filter(|name| reply.header(name).is_some()).collect();
        cx.tell(sent.join(", "))
    };
}
