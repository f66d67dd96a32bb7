//! What a create answers, values of other types, texts cut by the network, and how the service writes its own fields.

use super::answers::has_no_strange_fields;
use crate::chapters::prelude::*;

cases! { "books";
    /// The answer to a create is the stored book: the fields sent and all that a read shows.
    create_answers_the_stored_book judges ["books/create-body"] => |cx| {
        let sent = json!({
            "titulo": "El Aleph", "autor": "Jorge Luis Borges", "fechaPublicacion": "1949-06-26", "paginas": 146,
            "temas": ["infinito", "espejos"],
        });
        let made = books::create(cx, &sent)?;
        let check = made.reply.check();
        for field in ["titulo", "autor", "fechaPublicacion", "paginas", "temas"] {
            check.at(&format!("/{field}"), &sent[field])?;
        }
        let stored = books::stored(cx, made.id)?;
        check.body(&stored)?;
        has_no_strange_fields(&made.reply, &sent)
    };
    /// titulo and autor that are not strings are judged by truthiness, refused, converted, or each value by itself.
    titulo_and_autor_of_another_type judges ["books/required-other-type"] => |cx| {
        books::create(cx, &json!({}))?;
        let truthy = [json!(5), json!(true), json!(["a", "b"]), json!({ "nombre": "x" })];
        let falsy = [json!(0), json!(false)];
        for field in ["titulo", "autor"] {
            let mut seen = Vec::new();
            let (mut is_text, mut is_each) = (true, true);
            let mut replies = Vec::new();
            for value in truthy.iter().chain(&falsy) {
                let mut book = json!({ "titulo": "Altazor", "autor": "Vicente Huidobro" });
                book[field] = value.clone();
                let reply = books::post(cx, &book)?;
                let got = reply.at(&format!("/{field}"));
                let is_kept = got.as_ref().is_some_and(|got| same(got, value));
                is_each &= match reply.status() {
                    201 => is_kept || got.as_ref().is_some_and(Value::is_string),
                    status => status == 400,
                };
                is_text &= reply.status() != 201 || got.is_some_and(|got| got.is_string());
                seen.push((reply.status(), is_kept));
                replies.push(reply);
            }
            let taken = |among: &[(u16, bool)]| among.iter().all(|seen| *seen == (201, true));
            let refused = |among: &[(u16, bool)]| among.iter().all(|(status, _)| *status == 400);
            let (of_truthy, of_falsy) = seen.split_at(truthy.len());
            let readings = [
                ("truthiness", taken(of_truthy) && refused(of_falsy)),
                ("strings-only", refused(&seen)),
                ("not-empty", taken(&seen)),
                ("converted", is_text && seen.iter().all(|(status, _)| matches!(status, 201 | 400))),
                ("each", is_each),
            ];
            let got = format!("for {field}, as (status, kept as sent): {seen:?}");
            let strange = replies.iter().filter(|reply| !matches!(reply.status(), 201 | 400));
            cx.observe(&readings, got).seen_in(strange.take(1))?;
        }
        Ok(())
    };
    /// A new book has no fechaActualizacion and actualizadoPor, or null, or those of its creation.
    a_new_book_was_never_updated judges ["books/update-fields-of-new-book"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let (date, by) = (made.reply.at("/fechaActualizacion"), made.reply.at("/actualizadoPor"));
        let time = |value: Option<Value>| clock::parse_any_iso(value?.as_str()?);
        // Equal, but for a clock that is read twice.
        let times = time(date.clone()).zip(time(made.reply.at("/fechaCreacion")));
        let is_created = times.is_some_and(|(updated, created)| (0..=50).contains(&(updated - created)));
        let by_nobody = by.as_ref().is_none_or(Value::is_null);
        let by_creator = by.is_some() && by == made.reply.at("/creadoPor");
        let readings = [
            ("absent", date.is_none() && by.is_none()),
            ("null", by_nobody && date.as_ref().is_none_or(Value::is_null)),
            ("as-created", (by_nobody || by_creator) && is_created),
        ];
        cx.observe(&readings, made.reply.summary())
    };
    /// A letter of a body whose bytes arrive in two pieces is stored whole, by a create and by a replace.
    a_letter_cut_by_the_network_stays_whole judges ["books/extra-fields-any-json"] => |cx| {
        // Two bytes, three and four: the cut is within the first.
        for letter in ["ñ", "本", "📚"] {
            let sent = json!({ "titulo": format!("{letter} y más"), "autor": "Íñigo" });
            let request = cx.post("/libros").key(cx.admin_key()).json(&sent);
            let (reply, ()) = concurrency::send_in_two_pieces(request, || Ok(()))?;
            let made = books::created(cx, reply)?;
            has_every_field(&made.reply, &sent)?;
            let request = cx.put(&made.path()).key(cx.admin_key()).json(&sent);
            let (reply, ()) = concurrency::send_in_two_pieces(request, || Ok(()))?;
            has_every_field(&reply.prepared("replacing a book", 200)?, &sent)?;
            has_every_field(&books::read(cx, made.id)?, &sent)?;
        }
        Ok(())
    };
    /// The times of books end in Z, or in +00:00.
    how_times_name_utc judges ["books/timestamp-zone"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let got = made.reply.text_at("/fechaCreacion");
        cx.observe(&[("z", got.ends_with('Z')), ("offset", got.ends_with("+00:00"))], format!("fechaCreacion {got}"))
    };
    /// creadoPor of a book created with an initial key is the name of its client.
    creado_por_names_the_initial_clients judges ["books/creado-por-client"] => |cx| {
        let (_, admin) = users::register_and_log_in(cx, "admin")?;
        let book = json!({ "titulo": "La invención de Morel", "autor": "Adolfo Bioy Casares" });
        for key in [cx.test_key(), cx.admin_key()] {
            let made = books::created(cx, cx.post("/libros").key(key).json(&book).send()?)?;
            let is_name = |name: &Value| name.as_str().is_some_and(|name| !name.is_empty() && name != key);
            let check = made.reply.check().at_where("/creadoPor", "the client's name, a text", is_name)?;
            if let Some(name) = listed_name(cx, &admin, key)? {
                check.at("/creadoPor", &name)?;
            }
        }
        Ok(())
    };
}

/// The answer has every field that was sent.
fn has_every_field(reply: &Reply, sent: &Value) -> CaseResult {
    let book = reply.json();
    for (name, want) in sent.as_object().into_iter().flatten() {
        let got = book.get(name);
        let holds = got.is_some_and(|got| same(got, want));
        reply.check().that(holds, Place::body(format_args!("/{name}")), want, got.cloned())?;
    }
    Ok(())
}

/// The name that the list of keys shows beside this one, where it shows a single key of such a beginning.
fn listed_name(cx: &CaseContext<'_>, admin: &Tokens, key: &str) -> Result<Option<Value>, CaseError> {
    let reply = cx.get("/auth/api-keys").bearer(&admin.session).send()?;
    let masked = Value::from(clients::masked(key));
    let keys = reply.json();
    let mut fitting = keys.as_array().into_iter().flatten().filter(|entry| entry["apiKey"] == masked);
    let name = fitting.next().and_then(|entry| entry.pointer(&clients::client_field(cx, "name"))).cloned();
    Ok(name.filter(|name| name.is_string() && fitting.next().is_none()))
}
