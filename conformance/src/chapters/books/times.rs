//! fechaCreacion and fechaActualizacion: when they are set, what keeps them, how they are written.

use crate::chapters::prelude::*;
use crate::clock;
use crate::fixture::books::MadeBook;
use crate::fixture::time::time_in;

cases! { "books";
    /// A created book tells the time of its creation, in the answer and when read.
    fecha_creacion_is_the_time_of_creation judges ["books/fecha-creacion-set"] by created_now();
    /// fechaCreacion follows the service's clock.
    fecha_creacion_follows_the_clock judges ["books/fecha-creacion-set"] needs [Need::Clock];
    /// A replace keeps fechaCreacion, whether the body is silent about it, null or otherwise.
    fecha_creacion_outlives_replaces judges ["books/fecha-creacion-preserved"];
    /// An hour later a replace still keeps fechaCreacion.
    fecha_creacion_outlives_a_replace_an_hour_later judges ["books/fecha-creacion-preserved"] needs [Need::Clock];
    /// A replace sets fechaActualizacion, each one anew, and never before fechaCreacion.
    fecha_actualizacion_is_the_time_of_the_replace judges ["books/fecha-actualizacion-set"];
    /// fechaActualizacion follows the service's clock.
    fecha_actualizacion_follows_the_clock judges ["books/fecha-actualizacion-set"] needs [Need::Clock];
    /// fechaCreacion is ISO 8601 UTC with milliseconds.
    fecha_creacion_has_milliseconds_and_z judges ["books/timestamp-form"];
    /// fechaActualizacion is ISO 8601 UTC with milliseconds.
    fecha_actualizacion_has_milliseconds_and_z judges ["books/timestamp-form"];
    /// How a time names UTC.
    how_times_name_utc judges ["books/timestamp-zone"];
}

const HOUR_S: f64 = 3_600.0;

fn replace(cx: &CaseContext<'_>, book: &MadeBook, body: &Value) -> Result<Reply, CaseError> {
    cx.put(&book.path()).key(cx.admin_key()).json(body).send()?.prepared("replacing a book", 200)
}

fn created_now(cx: &CaseContext<'_>) -> CaseResult {
    let before = cx.target_now()?;
    let made = books::create(cx, &json!({}))?;
    let read = books::read(cx, made.id)?;
    for reply in [&made.reply, &read] {
        let check = reply.check();
        check.at_where("/fechaCreacion", "a time", |time| !time.is_null())?;
        let time = time_in("fechaCreacion", reply.at("/fechaCreacion").as_ref())?;
        check.that(
            time::is_now(cx, time, before)?,
            Place::body("/fechaCreacion"),
            format!("about {}", clock::iso(before)),
            clock::iso(time),
        )?;
    }
    Ok(())
}

fn fecha_creacion_follows_the_clock(cx: &CaseContext<'_>) -> CaseResult {
    created_now(cx)?;
    cx.advance(HOUR_S)?;
    created_now(cx)
}

/// The judged replaces, each of which must show the first fechaCreacion, in the answer and when read.
fn keeps_fecha_creacion(cx: &CaseContext<'_>, made: &MadeBook, bodies: &[Value]) -> CaseResult {
    let first = made.reply.at("/fechaCreacion");
    let want = time_in("fechaCreacion", first.as_ref())?;
    for body in bodies {
        time::let_a_moment_pass();
        let replaced = replace(cx, made, body)?;
        let read = books::read(cx, made.id)?;
        for reply in [replaced, read] {
            let check = reply.check();
            let is_kept = |got: &Value| clock::parse_any_iso(got.as_str().unwrap_or_default()) == Some(want);
            check.at_where("/fechaCreacion", clock::iso(want), is_kept)?;
        }
    }
    Ok(())
}

fn fecha_creacion_outlives_replaces(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let bodies = [
        json!({ "titulo": "uno", "autor": "x" }),
        json!({ "titulo": "dos", "autor": "x", "fechaCreacion": "2001-01-01T00:00:00.000Z" }),
        json!({ "titulo": "tres", "fechaCreacion": null }),
        json!({ "titulo": "cuatro" }),
    ];
    keeps_fecha_creacion(cx, &made, &bodies)
}

fn fecha_creacion_outlives_a_replace_an_hour_later(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    cx.advance(HOUR_S)?;
    keeps_fecha_creacion(cx, &made, &[json!({ "titulo": "uno", "autor": "x" }), json!({})])
}

/// Replaces the book and judges fechaActualizacion, which comes back.
fn updated_now(cx: &CaseContext<'_>, made: &MadeBook) -> Result<i64, CaseError> {
    let before = cx.target_now()?;
    let replaced = replace(cx, made, &json!({ "titulo": "El Aleph", "autor": "Jorge Luis Borges" }))?;
    let read = books::read(cx, made.id)?;
    let mut time = 0;
    for reply in [replaced, read] {
        let check = reply.check();
        check.at_where("/fechaActualizacion", "a time", |time| !time.is_null())?;
        time = time_in("fechaActualizacion", reply.at("/fechaActualizacion").as_ref())?;
        let want = format!("about {}", clock::iso(before));
        check.that(time::is_now(cx, time, before)?, Place::body("/fechaActualizacion"), want, clock::iso(time))?;
        let created = time_in("fechaCreacion", made.reply.at("/fechaCreacion").as_ref())?;
        let want = format!("not before {}", clock::iso(created));
        check.that(time >= created, Place::body("/fechaActualizacion"), want, clock::iso(time))?;
    }
    Ok(time)
}

fn fecha_actualizacion_is_the_time_of_the_replace(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let created = time_in("fechaCreacion", made.reply.at("/fechaCreacion").as_ref())?;
    time::let_a_moment_pass();
    let first = updated_now(cx, &made)?;
    time::let_a_moment_pass();
    let second = updated_now(cx, &made)?;
    let check = made.reply.check();
    let got = format!("created {}, then {}, then {}", clock::iso(created), clock::iso(first), clock::iso(second));
    check
        .that(created < first && first < second, "the times of two replaces", "each later than the one before", got)
        .map(drop)
}

fn fecha_actualizacion_follows_the_clock(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    cx.advance(HOUR_S)?;
    updated_now(cx, &made)?;
    cx.advance(HOUR_S)?;
    updated_now(cx, &made).map(|_| ())
}

fn is_in_form(value: &Value) -> bool {
    clock::parse_iso(value.as_str().unwrap_or_default()).is_some()
}

fn fecha_creacion_has_milliseconds_and_z(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let read = books::read(cx, made.id)?;
    for reply in [&made.reply, &read] {
        reply.check().at_where("/fechaCreacion", clock::ISO_FORM, is_in_form)?;
    }
    let replaced = replace(cx, &made, &json!({ "titulo": "El Aleph" }))?;
    if replaced.at("/fechaCreacion").is_some() {
        replaced.check().at_where("/fechaCreacion", clock::ISO_FORM, is_in_form)?;
    }
    Ok(())
}

fn fecha_actualizacion_has_milliseconds_and_z(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let replaced = replace(cx, &made, &json!({ "titulo": "El Aleph" }))?;
    let read = books::read(cx, made.id)?;
    for reply in [replaced, read] {
        if reply.at("/fechaActualizacion").is_none() {
            return Err(CaseError::blocked("replacing a book", "the replaced book has no fechaActualizacion"));
        }
        reply.check().at_where("/fechaActualizacion", clock::ISO_FORM, is_in_form)?;
    }
    Ok(())
}

fn how_times_name_utc(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let got = made.reply.text_at("/fechaCreacion");
    cx.observe(&[("z", got.ends_with('Z')), ("offset", got.ends_with("+00:00"))], format!("fechaCreacion {got}"))
}
