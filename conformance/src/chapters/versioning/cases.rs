//! Labels beyond ASCII, and what a label changes.

use crate::chapters::prelude::*;

const LABEL: &str = "X-API-Version";

cases! { "versioning";
    /// X-API-Version changes only its echo, or also status and body.
    whether_a_label_has_an_effect judges ["versioning/label-no-effect"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let read = || cx.get(&made.path()).key(cx.admin_key());
        let plain = read().send()?.prepared("reading a book", 200)?;
        for label in ["2.0.0", "0.1"] {
            let reply = read().header(LABEL, label).send()?;
            let is_same = reply.is(200) && reply.json() == plain.json();
            cx.tell(if is_same { "nothing".to_owned() } else { format!("{label}: {} or another body", reply.status()) })?;
        }
        Ok(())
    };
    /// An X-API-Version beyond ASCII is echoed as the same bytes, the same letters, its ASCII letters or the default, or is refused.
    a_label_beyond_ascii_is_echoed judges ["versioning/echo-beyond-ascii"] => |cx| {
        // `versión` in UTF-8 and in Latin-1. A header has no encoding of its own: Node.js reads Latin-1 and, beside a body, writes UTF-8.
        let labels: [(&[u8], &[&[u8]]); 2] =
            [(b"versi\xC3\xB3n", &[b"versi\xC3\x83\xC2\xB3n", b"versi\xF3n"]), (b"versi\xF3n", &[b"versi\xC3\xB3n"])];
        for (label, in_another_encoding) in labels {
            let reply = cx.get("/libros?limit=1").key(cx.admin_key()).header_bytes(LABEL, label).send()?;
            let (status, got) = (reply.status(), reply.received().header_bytes(LABEL).unwrap_or_default());
            let keeps_ascii = got.starts_with(b"versi") && got.ends_with(b"n");
            let readings = [
                ("bytes", status == 200 && got == label),
                ("respelt", status == 200 && in_another_encoding.contains(&got)),
                ("replaced", status == 200 && keeps_ascii),
                ("default", status == 200 && got == b"1.0.0"),
                ("refused", matches!(status, 400 | 500)),
            ];
            cx.observe(&readings, format!("{status} with the header {LABEL}: {got:02x?}"))?;
        }
        Ok(())
    };
}
