//! The users interface: the need of it, what it lists, and that no credential matters there.

use crate::chapters::prelude::*;

/// What every case of the chapter needs.
pub(crate) const USERS: Need = Need::Interface(Interface::Users);

/// A request without a credential is not denied, and wrong credentials of every kind change nothing about its status.
pub(crate) fn credentials_change_nothing<'t>(ask: impl Fn() -> Request<'t>) -> CaseResult {
    const WRONG: [(&str, &str); 4] = [
        ("Authorization", "Bearer nadie"),
        ("Authorization", "JWT a.b.c"),
        ("Authorization", "Basic bmFkaWU6bmFkYQ=="),
        ("X-API-Key", "ak_nadie"),
    ];
    let without = ask().send()?;
    without.check().that(
        !matches!(without.status(), 401 | 403),
        Place::STATUS.when("without a credential"),
        "neither 401 nor 403",
        format!("{} {}", without.status(), brief(&without.received().text())),
    )?;
    for (name, value) in WRONG {
        let with = ask().header(name, value).send()?;
        let text = brief(&with.received().text());
        with.check().that(
            with.status() == without.status(),
            Place::STATUS.when(format_args!("with {name}: {value}")),
            format!("{}, as without it", without.status()),
            format!("{} {text}", with.status()),
        )?;
    }
    Ok(())
}

/// The users listed; none when the list cannot be read.
pub(crate) fn listed(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let users = demo::get(cx, "/users")?.json();
    Ok(users.as_array().cloned().unwrap_or_default())
}
