//! OPTIONS on the users interface: any path, known or not.

use super::interface::USERS;
use crate::chapters::prelude::*;

cases! { "users";
    /// OPTIONS is 204 on every path, as a browser asks it and plainly.
    options_is_204_on_any_path judges ["users/options-status"] needs [USERS];
    /// After the head of the 204 nothing follows.
    options_has_no_body judges ["users/options-status"] needs [USERS];
    /// OPTIONS allows any origin, GET, POST and OPTIONS, the header Content-Type, and nothing besides.
    options_names_what_it_allows judges ["users/options-origin", "users/options-methods", "users/options-headers"]
        needs [USERS] by asked();
    /// OPTIONS spells its lists as the documents print them: order, letter case, a comma alone.
    options_spells_its_lists_as_printed judges ["users/options-spelling"] needs [USERS] by asked();
}

const PATHS: [&str; 5] = ["/users", "/users/1", "/users/1/posts", "/nada", "/nada/de/nada"];

/// Asks as a browser does and plainly; what every answer must hold is judged of each.
fn asked(cx: &CaseContext<'_>) -> CaseResult {
    for path in PATHS {
        cx.request_at(Interface::Users, "OPTIONS", path).send()?;
        cx.request_at(Interface::Users, "OPTIONS", path)
            .header("Origin", "http://example.test")
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type")
            .send()?;
    }
    Ok(())
}

fn options_is_204_on_any_path(cx: &CaseContext<'_>) -> CaseResult {
    for path in PATHS {
        cx.request_at(Interface::Users, "OPTIONS", path).send()?.check().status(204)?;
    }
    Ok(())
}

fn options_has_no_body(cx: &CaseContext<'_>) -> CaseResult {
    let (reply, after) = cx.request_at(Interface::Users, "OPTIONS", "/users").send_and_close()?;
    let shown = format!("{} bytes", after.len() + reply.received().body.len());
    reply.check().no_body()?.that(after.is_empty(), "after the head", "nothing", shown).map(drop)
}
