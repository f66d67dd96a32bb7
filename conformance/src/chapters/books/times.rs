//! The times and the authors that a book shows.

use crate::chapters::prelude::*;

cases! { "books";
    /// A created book tells the time of its creation, in the answer and when read.
    fecha_creacion_is_the_time_of_creation judges ["books/fecha-creacion-set"] by created_now();
    /// fechaCreacion follows the service's clock.
    fecha_creacion_follows_the_clock judges ["books/fecha-creacion-set"] needs [Need::Clock] => |cx| {
        created_now(cx)?;
        cx.advance(HOUR_S)?;
        created_now(cx)
    };
    /// A replace keeps fechaCreacion, whether the body is silent about it, null or otherwise.
    fecha_creacion_outlives_replaces judges ["books/fecha-creacion-preserved"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let bodies = [
            json!({ "titulo": "uno", "autor": "x" }),
            json!({ "titulo": "dos", "autor": "x", "fechaCreacion": "2001-01-01T00:00:00.000Z" }),
            json!({ "titulo": "tres", "fechaCreacion": null }),
            json!({ "titulo": "cuatro" }),
        ];
        keeps_fecha_creacion(cx, &made, &bodies)
    };
    /// An hour later a replace still keeps fechaCreacion.
    fecha_creacion_outlives_a_replace_an_hour_later judges ["books/fecha-creacion-preserved"] needs [Need::Clock]
        => |cx| {
        let made = books::create(cx, &json!({}))?;
        cx.advance(HOUR_S)?;
        keeps_fecha_creacion(cx, &made, &[json!({ "titulo": "uno", "autor": "x" }), json!({})])
    };
    /// A replace sets fechaActualizacion, each one anew, and never before fechaCreacion.
    fecha_actualizacion_is_the_time_of_the_replace judges ["books/fecha-actualizacion-set"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let created = time_in("fechaCreacion", made.reply.at("/fechaCreacion").as_ref())?;
        time::let_a_moment_pass();
        let first = updated_now(cx, &made)?;
        time::let_a_moment_pass();
        let second = updated_now(cx, &made)?;
        let (place, want) = ("the times of two replaces", "each later than the one before");
        let got = format!("created {}, then {}, then {}", clock::iso(created), clock::iso(first), clock::iso(second));
        made.reply.check().that(created < first && first < second, place, want, got).map(drop)
    };
    /// fechaActualizacion follows the service's clock.
    fecha_actualizacion_follows_the_clock judges ["books/fecha-actualizacion-set"] needs [Need::Clock] => |cx| {
        let made = books::create(cx, &json!({}))?;
        cx.advance(HOUR_S)?;
        updated_now(cx, &made)?;
        cx.advance(HOUR_S)?;
        updated_now(cx, &made).map(|_| ())
    };
    /// fechaCreacion is ISO 8601 UTC with milliseconds.
    fecha_creacion_has_milliseconds_and_z judges ["books/timestamp-form"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let read = books::read(cx, made.id)?;
        for reply in [&made.reply, &read] {
            reply.check().at_where("/fechaCreacion", clock::ISO_FORM, is_in_form)?;
        }
        let replaced = books::replace(cx, &made, &json!({ "titulo": "El Aleph" }))?;
        if replaced.at("/fechaCreacion").is_some() {
            replaced.check().at_where("/fechaCreacion", clock::ISO_FORM, is_in_form)?;
        }
        Ok(())
    };
    /// fechaActualizacion is ISO 8601 UTC with milliseconds.
    fecha_actualizacion_has_milliseconds_and_z judges ["books/timestamp-form"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let replaced = books::replace(cx, &made, &json!({ "titulo": "El Aleph" }))?;
        for reply in [replaced, books::read(cx, made.id)?] {
            if reply.at("/fechaActualizacion").is_none() {
                return Err(CaseError::blocked("replacing a book", "the replaced book has no fechaActualizacion"));
            }
            reply.check().at_where("/fechaActualizacion", clock::ISO_FORM, is_in_form)?;
        }
        Ok(())
    };
    /// How a time names UTC.
    how_times_name_utc judges ["books/timestamp-zone"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let got = made.reply.text_at("/fechaCreacion");
        cx.observe(&[("z", got.ends_with('Z')), ("offset", got.ends_with("+00:00"))], format!("fechaCreacion {got}"))
    };
    /// The initial clients have names too.
    creado_por_names_the_initial_clients judges ["books/creado-por-client"] => |cx| {
        let (_, admin) = users::register_and_log_in(cx, "admin")?;
        for key in [cx.test_key(), cx.admin_key()] {
            let made = books::created(cx, cx.post("/libros").key(key).json(&book()).send()?)?;
            let is_name = |name: &Value| name.as_str().is_some_and(|name| !name.is_empty() && name != key);
            let check = made.reply.check().at_where("/creadoPor", "the client's name, a text", is_name)?;
            if let Some(name) = listed_name(cx, &admin, key)? {
                check.at("/creadoPor", &name)?;
            }
        }
        Ok(())
    };
}

const HOUR_S: f64 = 3_600.0;

fn created_now(cx: &CaseContext<'_>) -> CaseResult {
    let before = cx.target_now()?;
    let made = books::create(cx, &json!({}))?;
    let read = books::read(cx, made.id)?;
    [&made.reply, &read].into_iter().try_for_each(|reply| shows_now(cx, reply, "fechaCreacion", before).map(drop))
}

/// The time that a field shows, which must be about now.
fn shows_now(cx: &CaseContext<'_>, reply: &Reply, field: &str, before: i64) -> CaseResult<i64> {
    let pointer = format!("/{field}");
    let check = reply.check().at_where(&pointer, "a time", |time| !time.is_null())?;
    let time = time_in(field, reply.at(&pointer).as_ref())?;
    let want = format!("about {}", clock::iso(before));
    check.that(time::is_now(cx, time, before)?, Place::body(pointer), want, clock::iso(time))?;
    Ok(time)
}

/// The judged replaces, each of which must show the first fechaCreacion, in the answer and when read.
fn keeps_fecha_creacion(cx: &CaseContext<'_>, made: &MadeBook, bodies: &[Value]) -> CaseResult {
    let first = made.reply.at("/fechaCreacion");
    let want = time_in("fechaCreacion", first.as_ref())?;
    for body in bodies {
        time::let_a_moment_pass();
        for reply in [books::replace(cx, made, body)?, books::read(cx, made.id)?] {
            let is_kept = |got: &Value| clock::parse_any_iso(got.as_str().unwrap_or_default()) == Some(want);
            reply.check().at_where("/fechaCreacion", clock::iso(want), is_kept)?;
        }
    }
    Ok(())
}

/// Replaces the book and judges fechaActualizacion, which comes back.
fn updated_now(cx: &CaseContext<'_>, made: &MadeBook) -> Result<i64, CaseError> {
    let before = cx.target_now()?;
    let replaced = books::replace(cx, made, &json!({ "titulo": "El Aleph", "autor": "Jorge Luis Borges" }))?;
    let read = books::read(cx, made.id)?;
    let mut time = 0;
    for reply in [replaced, read] {
        time = shows_now(cx, &reply, "fechaActualizacion", before)?;
        let created = time_in("fechaCreacion", made.reply.at("/fechaCreacion").as_ref())?;
        let want = format!("not before {}", clock::iso(created));
        reply.check().that(time >= created, Place::body("/fechaActualizacion"), want, clock::iso(time))?;
    }
    Ok(time)
}

fn is_in_form(value: &Value) -> bool {
    clock::parse_iso(value.as_str().unwrap_or_default()).is_some()
}

fn book() -> Value {
    json!({ "titulo": "La invención de Morel", "autor": "Adolfo Bioy Casares" })
}

/// The name that the list of keys shows beside this one, where it shows a single key of such a beginning.
fn listed_name(cx: &CaseContext<'_>, admin: &Tokens, key: &str) -> Result<Option<Value>, CaseError> {
    let reply = cx.get("/auth/api-keys").bearer(&admin.session).send()?;
    let masked = Value::from(format!("{}...", key.chars().take(8).collect::<String>()));
    let keys = reply.json();
    let mut fitting = keys.as_array().into_iter().flatten().filter(|entry| entry["apiKey"] == masked);
    let name = fitting.next().and_then(|entry| entry.pointer(&clients::client_field(cx, "name"))).cloned();
    Ok(name.filter(|name| name.is_string() && fitting.next().is_none()))
}
