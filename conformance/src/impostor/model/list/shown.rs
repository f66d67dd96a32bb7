//! How a page is shown: the body of a list. Cuts nothing, counts nothing.

use serde_json::{Map, Value, json};

use super::Page;
use crate::impostor::faults::Faults;

/// The body that shows a page.
///
/// Source: catalogue-service, "Response shapes".
pub fn body(page: &Page, faults: &Faults) -> Value {
    let datos = &page.datos;
    if faults.on("list-is-a-bare-array") {
        return json!(datos);
    }
    let paginacion = pagination(page, faults);
    if faults.on("list-has-paginacion-at-top") {
        return json!({"datos": datos, "paginacion": paginacion});
    }
    if faults.on("list-has-total-at-top") {
        return json!({"datos": datos, "total": page.total, "metadata": {"paginacion": paginacion}});
    }
    json!({"datos": datos, "metadata": {"paginacion": paginacion}})
}

fn pagination(page: &Page, faults: &Faults) -> Value {
    let mut object = Map::new();
    let number = if faults.on("object-page-from-0") { page.page - 1.0 } else { page.page };
    object.insert("page".to_owned(), json!(number));
    let limit = if faults.on("object-limit-is-shown") { page.datos.len() as u64 } else { page.limit };
    object.insert("limit".to_owned(), json!(limit));
    object.insert("total".to_owned(), json!(page.total));
    object.insert("pages".to_owned(), json!(page.pages));
    let (next, prev) =
        if faults.on("pagination-in-snake-case") { ("has_next", "has_prev") } else { ("hasNext", "hasPrev") };
    object.insert(next.to_owned(), json!(page.has_next));
    object.insert(prev.to_owned(), json!(page.has_prev));
    if faults.on("pagination-has-offset") {
        object.insert("offset".to_owned(), json!((page.page - 1.0) * page.limit as f64));
    }
    if faults.on("pagination-as-text") {
        object.insert("total".to_owned(), json!(page.total.to_string()));
    }
    Value::Object(object)
}
