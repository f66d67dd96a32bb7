//! What the fields of the request become: nombre, permisos, rateLimit, their defaults, and odd values.

use super::keeper::{create, created, entry_named, keeper, listed};
use crate::chapters::permissions::permission_sets::{ALL, USER, are_exactly};
use crate::chapters::prelude::*;

cases! { "api-keys";
    /// name is the nombre sent, at creation and in the list.
    name_is_the_nombre_sent judges ["api-keys/name"];
    /// permissions are the permisos sent, at creation and in the list.
    permissions_are_the_permisos_sent judges ["api-keys/permissions"];
    /// Without permisos a client may read and nothing else, whoever created it.
    permissions_default_to_reading judges ["api-keys/permissions-default"];
    /// rateLimit is the one sent, at creation and in the list.
    rate_limit_is_the_one_sent judges ["api-keys/rate-limit"];
    /// Without rateLimit a client has 1000.
    rate_limit_defaults_to_1000 judges ["api-keys/rate-limit-default"];
    /// An empty list of permisos gives none, or the default, or is refused.
    empty_permisos judges ["api-keys/permissions-empty"];
    /// Unknown permission names are stored, or refused.
    unknown_permisos judges ["api-keys/permissions-unknown"];
    /// permisos that are no list of texts are refused, or stored.
    odd_permisos judges ["api-keys/permissions-invalid"];
    /// A rateLimit of 0 stays, or becomes the default, or is refused.
    rate_limit_of_zero judges ["api-keys/rate-limit-zero"];
    /// A rateLimit that is no whole number is refused, or stored.
    odd_rate_limit judges ["api-keys/rate-limit-invalid"];
    /// A nombre that is missing, empty or no text is refused, or not.
    nombre_may_be_required judges ["api-keys/nombre-missing"];
}

/// A field of the client, in the answer to its creation and in the list.
fn told_of(cx: &CaseContext<'_>, keeper: &str, fields: &Value, field: &str) -> Result<[Seen; 2], CaseError> {
    let creation = created(cx, keeper, fields)?;
    let name = creation.text_at(&clients::client_field(cx, "name"));
    let list = listed(cx, keeper)?;
    let entry = entry_named(cx, &list, &name)?;
    let pointer = clients::client_field(cx, field);
    Ok([
        Seen { reply: creation, pointer: pointer.clone() },
        Seen { reply: list, pointer: format!("/{entry}{pointer}") },
    ])
}

struct Seen {
    reply: Reply,
    pointer: String,
}

fn name_is_the_nombre_sent(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    let name = format!("Quiosco Ñ «{}» \"1\"", cx.unique("cliente"));
    let creation = create(cx, &keeper, &json!({ "nombre": name }))?;
    let creation = creation.prepared("creating an API key", 201)?;
    creation.check().at(&clients::client_field(cx, "name"), &json!(name))?;
    let list = listed(cx, &keeper)?;
    let key = creation.text_at("/apiKey");
    let id = creation.at(&clients::client_field(cx, "id")).unwrap_or_default();
    let is_it = |entry: &Value| entry.pointer(&clients::client_field(cx, "id")) == Some(&id);
    let entries = list.json();
    let found = entries.as_array().and_then(|list| list.iter().find(|entry| is_it(entry)));
    let Some(entry) = found else {
        return Err(CaseError::blocked(
            "finding a client in the list",
            format!("no entry has the id {id} of the key {key}"),
        ));
    };
    let told = entry.pointer(&clients::client_field(cx, "name"));
    list.check()
        .that(told == Some(&json!(name)), "name of the client in the list", &name, told.cloned().unwrap_or_default())
        .map(drop)
}

fn permissions_are_the_permisos_sent(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for permissions in [&ALL[..], &ALL[1..2], &["manage:api_keys", "read:libros"]] {
        for told in told_of(cx, &keeper, &json!({ "permisos": permissions }), "permissions")? {
            let want = format!("exactly {}", permissions.join(", "));
            told.reply.check().at_where(&told.pointer, &want, |held| are_exactly(held, permissions))?;
        }
    }
    Ok(())
}

fn permissions_default_to_reading(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for told in told_of(cx, &keeper, &json!({ "rateLimit": 5 }), "permissions")? {
        told.reply.check().at_where(&told.pointer, "exactly read:libros", |held| are_exactly(held, USER))?;
    }
    let key = created(cx, &keeper, &json!({}))?.text_at("/apiKey");
    cx.get("/libros?limit=1").key(&key).send()?.check().status(200)?;
    let book = json!({ "titulo": "Zama", "autor": "Antonio di Benedetto" });
    let post = cx.post("/libros").key(&key).json(&book).send()?;
    books::adopt(cx, post).check().status(401).map(drop)
}

fn rate_limit_is_the_one_sent(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for limit in [1, 77, 250_000] {
        for told in told_of(cx, &keeper, &json!({ "rateLimit": limit }), "rateLimit")? {
            told.reply.check().at(&told.pointer, &json!(limit))?;
        }
    }
    Ok(())
}

fn rate_limit_defaults_to_1000(cx: &CaseContext<'_>) -> CaseResult {
    let fields = json!({ "permisos": ["write:libros"] });
    for told in told_of(cx, &keeper(cx)?, &fields, "rateLimit")? {
        told.reply.check().at(&told.pointer, &json!(1_000))?;
    }
    Ok(())
}

/// Asks for a key with one odd field.
fn create_odd(cx: &CaseContext<'_>, keeper: &str, field: &str, value: &Value) -> Result<Reply, CaseError> {
    create(cx, keeper, &json!({ "nombre": cx.unique("cliente"), field: value }))
}

fn shown(reply: &Reply) -> String {
    let text = reply.received().text();
    format!("{} {}", reply.status(), brief(&text))
}

fn empty_permisos(cx: &CaseContext<'_>) -> CaseResult {
    let reply = create_odd(cx, &keeper(cx)?, "permisos", &json!([]))?;
    let held = reply.at(&clients::client_field(cx, "permissions")).unwrap_or_default();
    let key = reply.text_at("/apiKey");
    let may_read = cx.get("/libros?limit=1").key(&key).send()?.status() == 200;
    let is_created = reply.status() == 201;
    cx.observe(
        &[
            ("none", is_created && are_exactly(&held, &[]) && !may_read),
            ("default", is_created && are_exactly(&held, USER) && may_read),
            ("400", reply.status() == 400),
        ],
        format!("{}, and reading {}", shown(&reply), if may_read { "allowed" } else { "denied" }),
    )
}

fn unknown_permisos(cx: &CaseContext<'_>) -> CaseResult {
    let sent = ["read:libros", "prestar:libros"];
    let reply = create_odd(cx, &keeper(cx)?, "permisos", &json!(sent))?;
    let held = reply.at(&clients::client_field(cx, "permissions")).unwrap_or_default();
    cx.observe(
        &[("stored", reply.status() == 201 && are_exactly(&held, &sent)), ("400", reply.status() == 400)],
        shown(&reply),
    )
}

fn odd_permisos(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for sent in [json!("read:libros"), json!([5]), json!({ "read:libros": true })] {
        let reply = create_odd(cx, &keeper, "permisos", &sent)?;
        let held = reply.at(&clients::client_field(cx, "permissions"));
        cx.observe(
            &[
                ("400", reply.status() == 400),
                ("stored", reply.status() == 201 && (held.as_ref() == Some(&sent) || is_list_of_texts(held.as_ref()))),
            ],
            shown(&reply),
        )?;
    }
    Ok(())
}

fn is_list_of_texts(held: Option<&Value>) -> bool {
    held.and_then(Value::as_array).is_some_and(|held| held.iter().all(Value::is_string))
}

fn rate_limit_of_zero(cx: &CaseContext<'_>) -> CaseResult {
    let reply = create_odd(cx, &keeper(cx)?, "rateLimit", &json!(0))?;
    let told = reply.at(&clients::client_field(cx, "rateLimit"));
    let is = |limit: i64| reply.status() == 201 && told.as_ref().is_some_and(|told| same(told, &json!(limit)));
    cx.observe(&[("kept", is(0)), ("default", is(1_000)), ("400", reply.status() == 400)], shown(&reply))
}

fn odd_rate_limit(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for sent in [json!("muchas"), json!("50"), json!(1.5), json!([5])] {
        let reply = create_odd(cx, &keeper, "rateLimit", &sent)?;
        let told = reply.at(&clients::client_field(cx, "rateLimit"));
        cx.observe(
            &[
                ("400", reply.status() == 400),
                (
                    "stored",
                    reply.status() == 201
                        && (told.as_ref() == Some(&sent)
                            || told.is_some_and(|told| told.is_number() || told.is_null())),
                ),
            ],
            shown(&reply),
        )?;
    }
    Ok(())
}

fn nombre_may_be_required(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for body in [json!({}), json!({ "nombre": "" }), json!({ "nombre": 5 }), json!({ "nombre": null })] {
        let reply = create(cx, &keeper, &body)?;
        cx.observe(&[("400", reply.status() == 400), ("201", reply.status() == 201)], shown(&reply))?;
    }
    Ok(())
}
