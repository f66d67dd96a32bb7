//! Which faults are switched on, and the table of all there are. A fault is one realistic slip of an implementer.
//!
//! A fault is declared in the file of the chapter whose rule it breaks, and asked for by its id at the deciding
//! line of the impostor.

/// Reads the lines of a table: `"id" breaks "rule" and "other rule": "what goes wrong";`
macro_rules! faults {
    ($($id:literal breaks $rule:literal $(and $also:literal)*: $text:literal;)*) => {
        &[$(Fault { id: $id, rule: $rule, also: &[$($also),*], text: $text }),*]
    };
}

mod api_keys;
mod backup_codes;
mod blog;
mod books;
mod codes;
mod conditional;
mod credentials;
mod devices;
mod errors;
mod graphql;
mod graphql_reduced;
mod headers;
mod list;
mod lockout;
mod login;
mod paging;
mod pending;
mod permissions;
mod posts;
mod registration;
mod routing;
mod sessions;
mod signup;
mod storage;
mod tokens;
mod two_factor;
mod users;
mod verification;
mod versioning;

#[cfg(test)]
mod tests;

/// One slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Words; unique.
    pub id: &'static str,
    /// The rule it breaks.
    pub rule: &'static str,
    /// Other rules that the same slip breaks.
    pub also: &'static [&'static str],
    /// What goes wrong, in one sentence.
    pub text: &'static str,
}

/// All tables.
const CHAPTERS: [&[Fault]; 29] = [
    api_keys::FAULTS,
    backup_codes::FAULTS,
    blog::FAULTS,
    books::FAULTS,
    codes::FAULTS,
    conditional::FAULTS,
    credentials::FAULTS,
    devices::FAULTS,
    errors::FAULTS,
    graphql::FAULTS,
    graphql_reduced::FAULTS,
    headers::FAULTS,
    list::FAULTS,
    lockout::FAULTS,
    login::FAULTS,
    paging::FAULTS,
    pending::FAULTS,
    permissions::FAULTS,
    posts::FAULTS,
    registration::FAULTS,
    routing::FAULTS,
    sessions::FAULTS,
    signup::FAULTS,
    storage::FAULTS,
    tokens::FAULTS,
    two_factor::FAULTS,
    users::FAULTS,
    verification::FAULTS,
    versioning::FAULTS,
];

/// All faults, chapter by chapter.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    CHAPTERS.into_iter().flatten()
}

/// The fault of an id.
pub fn find(id: &str) -> Option<&'static Fault> {
    all().find(|fault| fault.id == id)
}

/// The set of active faults and of permitted other readings; normally empty.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    faults: Vec<&'static str>,
    readings: Vec<&'static str>,
}

impl Faults {
    /// Nothing wrong.
    pub fn none() -> Self {
        Self::default()
    }

    /// One fault, or `None` when there is none of this id.
    pub fn one(id: &str) -> Option<Self> {
        Self::none().with(id)
    }

    /// This fault too, or `None` when there is none of this id.
    pub fn with(mut self, id: &str) -> Option<Self> {
        self.faults.push(find(id)?.id);
        Some(self)
    }

    /// These permitted readings too.
    pub fn reading(mut self, readings: Vec<&'static str>) -> Self {
        self.readings = readings;
        self
    }

    /// Whether the fault is active.
    pub(crate) fn on(&self, id: &str) -> bool {
        self.faults.contains(&id)
    }

    /// The wrong value if the fault is active, else the right one.
    pub(crate) fn pick<T>(&self, id: &str, wrong: T, right: T) -> T {
        if self.on(id) { wrong } else { right }
    }

    /// Whether a permitted reading, other than the reference's, is in force.
    pub(crate) fn reads(&self, id: &str) -> bool {
        self.readings.contains(&id)
    }
}
