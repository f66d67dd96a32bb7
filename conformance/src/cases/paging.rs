//! Cases of the chapter paging: `page`, `limit` and the pagination object.

use serde_json::json;

use crate::case::Judged;
use crate::cases;
use crate::trial::Trial;

cases! { "paging";
    /// A limit above the maximum answers with a page of 100.
    limit_above_100_is_clamped judges ["paging/limit-maximum"];
}

/// A shared target may hold few books, so the page size is read from `metadata.paginacion.limit`, never by counting `datos`.
fn limit_above_100_is_clamped(t: &Trial<'_>) -> Judged {
    for limit in ["101", "500", "100000000000"] {
        let reply = t
            .get(&format!("/libros?limit={limit}"))
            .key(&t.target().credentials.test_key)
            .send()?;
        reply
            .judge("paging/limit-maximum")
            .status(200)?
            .at("/metadata/paginacion/limit", &json!(100))?;
    }
    Ok(())
}
