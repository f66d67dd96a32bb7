//! Cases of exchanges that are data: their preparations, their requests in order, and the answer that each must get.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;

use super::files::{self, Row};
use super::scope::{Each, Lists, Scope};
use super::step::Step;
use crate::case::Case;
use crate::chapters::prelude::*;
use crate::fixture::reset;

/// Requests, and the answers that they must get.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Exchanges {
    given: Given,
    /// All that follows is done once for each of these values, for each combination of several.
    each: Each,
    /// Values by the name of their placeholder.
    #[serde(rename = "let")]
    defined: IndexMap<String, Value>,
    steps: Vec<Step>,
    /// The case that has the same steps, its chapter before it if it is of another; `given` and `each` may be the entry's own,
    /// and values of its own add to those of the other.
    steps_of: Option<String>,
    lists: Lists,
}

/// The preparations before the first step.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Given {
    /// The initial state, which is restored afterwards too.
    fresh: bool,
    /// A book with these fields: `${book.id}`, `${book.path}`.
    book: Option<Value>,
    /// Books that a list of their own shows: `${books.path}`, which further parameters may follow.
    books: Option<Vec<Value>>,
    /// A user of this role: `${user.id}`, `${user.email}`, `${user.password}`, `${user.login}` with both of them.
    user: Option<String>,
    /// An API client with these permissions: `${made.key}`, `${made.id}`, `${made.name}`.
    client: Option<Vec<String>>,
    /// A user of this role, who has logged in: `${session}` and `${jwt}` besides.
    session: Option<String>,
    /// That user, or one of the role `user`, has logged in, enabled two-factor and logged in up to the code: what a session gives, and
    /// `${pending}`, the id of that login, `${agent}` and `${language}`, the headers of its device, `${backup.0}`, `${wrong_codes.0}` and
    /// `${wrong_backup_codes.0}`, codes, and `${code}`, the current one of the latest `${secret}`.
    second_factor: bool,
    /// A user of the demonstration interface that the case needs: `${user.id}`, `${user.name}`.
    demo_user: bool,
    /// All that is given besides, under `other`: `${other.user.id}`, `${code:other.secret}`.
    other: Option<Box<Given>>,
}

static ROWS: LazyLock<Vec<Row<Exchanges>>> = LazyLock::new(|| files::rows(files::EXCHANGES, exchanged));

/// The cases of all files, each with the text of its file.
pub(crate) fn cases() -> impl Iterator<Item = (&'static Case, &'static str)> {
    ROWS.iter().map(|row| (&row.case, row.file))
}

/// Judges an entry. Repeats it with its preparations if a step came too late to be judged.
fn exchanged(cx: &CaseContext<'_>) -> CaseResult {
    time::in_time(|| attempted(cx))
}

/// Prepares, sends, compares; `None` if an answer came too late.
fn attempted(cx: &CaseContext<'_>) -> CaseResult<Option<()>> {
    let Row { case, content, .. } = files::of(&ROWS, cx)?;
    let steps = match &content.steps_of {
        Some(other) => &files::find(&ROWS, other, case)?.content,
        None => content,
    };
    // Beside the steps of another, its own values.
    let own = content.defined.iter().filter(|_| content.steps_of.is_some());
    let mut scope = Scope::new(cx, case.interface(), &steps.lists);
    let given = if content.given == Given::default() { &steps.given } else { &content.given };
    for (name, value) in given.prepared(cx, case.interface())? {
        scope.set(&name, value);
    }
    let each = if content.each.is_empty() { &steps.each } else { &content.each };
    let done = scope.for_each(each, &mut |scope, outer| {
        scope.deadline_ms = None;
        for (name, value) in steps.defined.iter().chain(own.clone()) {
            scope.define(name, value)?;
        }
        Step::take_all(&steps.steps, scope, outer)
    });
    let done = if given.fresh { done.and(reset::restore(cx)) } else { done };
    if scope.is_late { Ok(None) } else { done.map(Some) }
}

/// `login` is the body of a login.
fn of_user(user: &MadeUser) -> Value {
    let login = json!({ "email": user.email, "password": user.password });
    json!({ "id": user.id, "email": user.email, "password": user.password, "login": login })
}

impl Given {
    /// The values given, by name.
    fn prepared(&self, cx: &CaseContext<'_>, interface: Interface) -> CaseResult<Map<String, Value>> {
        let mut given = Map::new();
        let mut give = |name: &str, value: Value| _ = given.insert(name.to_owned(), value);
        if self.fresh {
            reset::restore(cx)?;
        }
        if let Some(fields) = &self.book {
            let book = books::create(cx, fields)?;
            give("book", json!({ "id": book.id, "path": book.path() }));
        }
        if let Some(fields) = &self.books {
            let set = books::create_set(cx, fields)?;
            give("books", json!({ "path": set.path("") }));
        }
        if let Some(permissions) = &self.client {
            let permissions: Vec<&str> = permissions.iter().map(String::as_str).collect();
            let client = clients::create(cx, &permissions)?;
            give("made", json!({ "key": client.key, "id": client.id, "name": client.name }));
        }
        let role = self.user.as_ref().or(self.session.as_ref());
        if self.second_factor {
            let Enrolled { user, tokens, factor } = two_factor::enroll_as(cx, role.map_or("user", String::as_str))?;
            let pending = two_factor::pending_session(cx, &user)?;
            let wrong_backup: Vec<String> = (0..4).map(|nth| factor.wrong_backup_code(nth)).collect();
            let texts =
                [("session", tokens.session), ("jwt", tokens.jwt), ("pending", pending), ("secret", factor.secret)];
            texts.into_iter().for_each(|(name, text)| give(name, text.into()));
            let laptop = two_factor::laptop(cx);
            give("agent", json!(laptop.user_agent));
            give("language", json!(laptop.accept_language));
            give("backup", json!(factor.backup_codes));
            give("wrong_backup_codes", json!(wrong_backup));
            give("user", of_user(&user));
        } else if let Some(role) = role {
            let user = users::register(cx, role)?;
            if self.session.is_some() {
                let tokens = users::log_in(cx, &user.email, &user.password)?;
                give("session", tokens.session.into());
                give("jwt", tokens.jwt.into());
            }
            give("user", of_user(&user));
        }
        if self.demo_user {
            let by_mutation = interface == Interface::Graphql;
            let user = if by_mutation { demo::create_by_mutation(cx) } else { demo::create_user(cx) }?;
            give("user", json!({ "id": user.id, "name": user.name }));
        }
        if let Some(other) = &self.other {
            give("other", other.prepared(cx, interface)?.into());
        }
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chapters::rows::scope::is_built_in;

    fn names(entry: &Exchanges) -> BTreeSet<&str> {
        let Given { fresh: _, book, books, client, user, session, second_factor, demo_user, other } = &entry.given;
        let given = [
            (other.is_some(), "other"),
            (client.is_some(), "made"),
            (book.is_some(), "book"),
            (books.is_some(), "books"),
            (user.is_some() || *demo_user, "user"),
            (session.is_some(), "user session jwt"),
            (
                *second_factor,
                "user session jwt pending secret code agent language backup wrong_codes wrong_backup_codes",
            ),
        ];
        let given = given.into_iter().filter(|(is_there, _)| *is_there).flat_map(|(_, names)| names.split(' '));
        let of_steps = entry.steps.iter().flat_map(Step::names);
        given.chain(entry.defined.keys().chain(entry.each.keys()).map(String::as_str)).chain(of_steps).collect()
    }

    /// The entry whose steps this entry repeats.
    fn of_other(Row { case, content, .. }: &Row<Exchanges>) -> Option<&'static Exchanges> {
        content.steps_of.as_ref().map(|other| &files::find(&ROWS, other, case).unwrap().content)
    }

    #[test]
    fn every_placeholder_of_an_entry_stands_for_a_value() {
        for row in ROWS.iter() {
            let names: BTreeSet<&str> = [&row.content].into_iter().chain(of_other(row)).flat_map(names).collect();
            let placeholders =
                files::entry_of(row.file, row.case.name).split("${").skip(1).filter_map(|rest| rest.split('}').next());
            for name in placeholders {
                let last = name.rsplit(':').next().unwrap_or_default();
                let is_known = names.contains(last.split('.').next().unwrap_or_default());
                let is_known = is_known || [name, last].into_iter().any(is_built_in);
                assert!(is_known, "{}: nothing is called `{name}`", row.case.id());
            }
        }
    }

    #[test]
    fn every_rule_of_an_entry_is_judged_by_a_step_or_on_every_answer() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/invariants")).unwrap();
        let invariants: String = folder.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        for row in ROWS.iter().filter(|row| row.case.rules.len() > 1) {
            let steps = &of_other(row).unwrap_or(&row.content).steps;
            let named: BTreeSet<&str> = steps.iter().flat_map(Step::rules).collect();
            for rule in row.case.rules {
                let is_judged = named.contains(rule) || invariants.contains(&format!("\"{rule}\""));
                assert!(is_judged, "{}: nothing judges {rule}", row.case.id());
            }
        }
    }

    #[test]
    fn every_step_of_an_entry_judges_what_its_case_declares_and_names_lists_of_its_file() {
        for row in ROWS.iter() {
            let (case, entry) = (&row.case, of_other(row).unwrap_or(&row.content));
            assert!(!entry.steps.is_empty(), "{} has no steps", case.id());
            for step in &entry.steps {
                let problem = step.problem(case, &entry.lists);
                assert!(problem.is_none(), "{}: {}", case.id(), problem.unwrap_or_default());
            }
        }
    }
}
