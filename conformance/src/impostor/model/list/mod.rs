//! The list operation as a pure function: books and a raw query in, a page out. The suite's oracle.

pub(crate) mod compare;
pub(crate) mod converted;
pub(crate) mod filter;
pub(crate) mod names;
pub(crate) mod page;
mod paging;
pub(crate) mod query;
pub(crate) mod sort;
pub(crate) mod value;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

pub use page::Page;

use crate::impostor::policy::Policy;
use crate::impostor::policy::list::{FieldsPolicy, Step};
use crate::impostor::policy::paging::{ListBody, Total};
use query::Query;

/// Answers the raw query (without `?`) over the books: filters, sort, pagination, field selection, in that order.
///
/// Source: catalogue-service, "List query parameters".
pub fn list(books: &[Value], raw_query: &str, policy: &Policy) -> Page {
    let Policy { list: policy, paging, .. } = policy;
    let query = Query::parse(raw_query, &policy.query);
    let (mut page, limit) = (paging::page(query.all("page"), paging), paging::limit(query.all("limit"), paging));
    let mut items: Vec<Cow<'_, Value>> = books.iter().map(Cow::Borrowed).collect();
    let mut total = books.len() as u64;
    for step in policy.steps.unwrap_or([Step::Filter, Step::Sort, Step::Page, Step::Select]) {
        match step {
            Step::Filter => {
                filter::filter(&mut items, &query, policy);
                total = items.len() as u64;
            }
            Step::Sort => sort::sort(&mut items, query.all("sort"), &policy.sort),
            Step::Page => {
                page = paging::within(page, limit, total, paging.beyond_end);
                let start = paging.start.unwrap_or(paging::start)(page, limit);
                items = items.into_iter().skip(start.max(0.0) as usize).take(limit as usize).collect();
            }
            Step::Select => select(&mut items, query.all("fields"), &policy.fields),
        }
    }
    let datos: Vec<Value> = items.into_iter().map(Cow::into_owned).collect();
    Page {
        total: match paging.total {
            Total::Filtered => total,
            Total::AllBooks => books.len() as u64,
            Total::ItemsOfThePage => datos.len() as u64,
        },
        page,
        limit,
        pages: paging.pages.unwrap_or(u64::div_ceil)(total, limit),
        has_next: paging.has_next.unwrap_or(paging::has_next)(page, limit, total),
        has_prev: paging.has_prev.map_or(page > 1.0, |has_prev| has_prev(page, total)),
        datos,
    }
}

/// The body that shows a page.
///
/// Source: catalogue-service, "Response shapes".
pub fn body(page: &Page, policy: &Policy) -> Value {
    let datos = &page.datos;
    let paginacion = policy.paging.object.unwrap_or(page::pagination)(page);
    match policy.paging.body {
        ListBody::DatosAndMetadata => json!({"datos": datos, "metadata": {"paginacion": paginacion}}),
        ListBody::BareArray => json!(datos),
        ListBody::PaginacionBesideDatos => json!({"datos": datos, "paginacion": paginacion}),
        ListBody::TotalBesideDatos => {
            json!({"datos": datos, "total": page.total, "metadata": {"paginacion": paginacion}})
        }
    }
}

/// Whether the books that a query keeps have an order by its `sort`; where they have none, any order is right.
pub fn have_order(books: &[Value], raw_query: &str, policy: &Policy) -> bool {
    let query = Query::parse(raw_query, &policy.list.query);
    let mut kept: Vec<Cow<'_, Value>> = books.iter().map(Cow::Borrowed).collect();
    filter::filter(&mut kept, &query, &policy.list);
    sort::have_order(kept, query.all("sort"), &policy.list.sort)
}

/// Leaves each item only the listed fields; all where none is listed.
fn select(items: &mut [Cow<'_, Value>], values: &[String], policy: &FieldsPolicy) {
    let names = policy.names.unwrap_or(names::names)(values);
    if values.is_empty() || names.is_empty() && !policy.no_name_leaves_nothing {
        return;
    }
    for item in items {
        *item = Cow::Owned(Value::Object(policy.select.unwrap_or(selected)(item, &names)));
    }
}

/// The listed fields that an item has, in the order they are listed.
pub(crate) fn selected(item: &Value, names: &[String]) -> Map<String, Value> {
    names.iter().filter_map(|name| Some((name.clone(), item.get(name)?.clone()))).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
