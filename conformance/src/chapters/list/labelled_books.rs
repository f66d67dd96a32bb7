//! Books of a case under short labels, and checks of the lists that show them. Knows no rule.
//!
//! A label is the book's titulo unless the case gives it another, so a failure reads as the case does.

use crate::chapters::prelude::*;
use crate::generate::queries::filtered_field;
use crate::http::reply::Check;

/// Creates labelled books: `labelled! { cx; "nine": { "n": 9 }, "lacking": {} }?`.
macro_rules! labelled {
    ($cx:expr; $($label:literal : { $($fields:tt)* }),* $(,)?) => {
        $crate::chapters::list::labelled_books::LabelledBooks::of(
            $cx,
            [$(($label, ::serde_json::json!({ $($fields)* }))),*],
        )
    };
}
pub(crate) use labelled;

/// Labelled books with a marker of their own.
#[derive(Debug)]
pub(crate) struct LabelledBooks<'t> {
    cx: &'t CaseContext<'t>,
    labels: Vec<String>,
    set: BookSet,
}

/// A list as answered for labelled books.
#[derive(Debug)]
pub(crate) struct Listed<'s> {
    pub(crate) reply: Reply,
    books: &'s LabelledBooks<'s>,
    /// The parameters of the query, without the marker.
    asked: String,
}

impl<'t> LabelledBooks<'t> {
    /// Creates the books in the order given.
    pub(crate) fn of(
        cx: &'t CaseContext<'t>,
        books: impl IntoIterator<Item = (impl Into<String>, Value)>,
    ) -> Result<Self, CaseError> {
        let (mut labels, mut bodies) = (Vec::new(), Vec::new());
        for (label, fields) in books {
            let label = label.into();
            let mut book = Map::from_iter([("titulo".to_owned(), json!(label))]);
            book.extend(fields.as_object().cloned().unwrap_or_default());
            labels.push(label);
            bodies.push(Value::Object(book));
        }
        Ok(Self { cx, labels, set: books::create_set(cx, &bodies)? })
    }

    /// That number of books, labelled b01, b02 and so on.
    pub(crate) fn numbered(cx: &'t CaseContext<'t>, count: usize) -> Result<Self, CaseError> {
        Self::of(cx, (1..=count).map(|number| (format!("b{number:02}"), json!({}))))
    }

    /// A book as its creation answered it.
    pub(crate) fn book(&self, label: &str) -> Value {
        let at = self.labels.iter().position(|known| known == label);
        at.and_then(|at| self.set.books.get(at)).map_or(Value::Null, MadeBook::value)
    }

    /// Lists these books with further parameters (`sort=titulo&limit=2`), which may be empty.
    pub(crate) fn ask(&self, parameters: &str) -> Result<Listed<'_>, CaseError> {
        let reply = self.cx.get(&self.set.path(parameters)).key(self.cx.test_key()).send()?;
        Ok(Listed { reply, books: self, asked: parameters.to_owned() })
    }

    fn label(&self, book: &Value) -> String {
        let id = book.get("id").and_then(books::as_integer);
        let at = self.set.books.iter().position(|made| Some(made.id) == id);
        match (at, id) {
            (Some(at), _) => self.labels[at].clone(),
            (None, Some(id)) => format!("(book {id}, of others)"),
            (None, None) => "(a book without id)".to_owned(),
        }
    }
}

impl Listed<'_> {
    /// The shown labels, in order; `None` if the answer is not a list.
    pub(crate) fn labels(&self) -> Option<Vec<String>> {
        let books = self.reply.at("/datos")?;
        Some(books.as_array()?.iter().map(|book| self.books.label(book)).collect())
    }

    pub(crate) fn items(&self) -> Vec<Value> {
        self.reply.at("/datos").and_then(|items| items.as_array().cloned()).unwrap_or_default()
    }

    /// The books it shows are just these, in any order.
    pub(crate) fn keeps(&self, labels: &str) -> CaseResult {
        self.shows_one_of(self.reply.check(), &[labels], Self::is_any_order_of)
    }

    /// The books it shows are just these or just those, in any order.
    pub(crate) fn keeps_either(&self, either: &[String]) -> CaseResult {
        self.shows_one_of(self.reply.check(), either, Self::is_any_order_of)
    }

    /// The books it shows are just these, in this order.
    pub(crate) fn orders(&self, labels: &str) -> CaseResult {
        self.shows_one_of(self.reply.check(), &[labels], Self::is)
    }

    fn shows_one_of<S: AsRef<str>>(
        &self,
        check: Check<'_>,
        accepted: &[S],
        shows: fn(&Self, &str) -> bool,
    ) -> CaseResult {
        let want: Vec<_> = accepted.iter().map(|labels| self.with_values(&self.meant(labels.as_ref()))).collect();
        let holds = accepted.iter().any(|labels| shows(self, labels.as_ref()));
        check.status(200)?.that(holds, self.place(), want.join(", or "), self.shown()).map(drop)
    }

    /// Notes the first reading of an open rule whose books it shows, in any order; `what` names the subject, of several.
    pub(crate) fn reads_of<S: AsRef<str>>(&self, what: &str, readings: &[(S, S)]) -> CaseResult {
        self.observes(what, readings, Self::is_any_order_of)
    }

    /// As [`Self::reads_of`], of a rule of order: the books must come in the order of the reading.
    pub(crate) fn reads_in_order<S: AsRef<str>>(&self, what: &str, readings: &[(S, S)]) -> CaseResult {
        self.observes(what, readings, Self::is)
    }

    /// As [`Self::reads_of`], of the items that it shows.
    pub(crate) fn reads_items(&self, what: &str, readings: &[(String, Value)]) -> CaseResult {
        let items = self.reply.at("/datos").filter(|_| self.reply.is(200)).unwrap_or_default();
        let seen = readings.iter().map(|(reading, wanted)| (reading.as_str(), same(&items, wanted)));
        self.books.cx.observe_of(what, &seen.collect::<Vec<_>>(), format!("{items} for `{}`", self.asked))
    }

    fn observes<S: AsRef<str>>(&self, what: &str, readings: &[(S, S)], shows: fn(&Self, &str) -> bool) -> CaseResult {
        let seen = readings.iter().map(|(reading, labels)| (reading.as_ref(), shows(self, labels.as_ref())));
        self.books.cx.observe_of(what, &seen.collect::<Vec<_>>(), self.got())
    }

    /// The items it shows are just these.
    pub(crate) fn shows_items(&self, items: &Value) -> CaseResult {
        let got = self.reply.at("/datos").unwrap_or_default();
        self.reply.check().status(200)?.that(same(&got, items), self.place(), items, &got).map(drop)
    }

    pub(crate) fn paginacion(&self, key: &str) -> Option<Value> {
        self.reply.at(&format!("/metadata/paginacion/{key}"))
    }

    /// Whether it answers 200 with this value in `metadata.paginacion` under a key.
    pub(crate) fn has_paginacion(&self, key: &str, value: &Value) -> bool {
        self.reply.is(200) && self.paginacion(key).is_some_and(|got| same(&got, value))
    }

    pub(crate) fn paginates(&self, key: &str, want: &Value) -> CaseResult {
        let place = Place::body(format_args!("/metadata/paginacion/{key}")).of_query(&self.asked);
        let check = self.reply.check().status(200)?;
        check.that(self.has_paginacion(key, want), place, want, self.paginacion(key)).map(drop)
    }

    /// As [`Self::reads_of`], of the value there.
    pub(crate) fn reads_paginacion(&self, what: &str, key: &str, readings: &[(String, Value)]) -> CaseResult {
        let seen = readings.iter().map(|(reading, value)| (reading.as_str(), self.has_paginacion(key, value)));
        let got = self.paginacion(key).unwrap_or_default();
        self.books.cx.observe_of(what, &seen.collect::<Vec<_>>(), format!("{key} {got} for `{}`", self.asked))
    }

    /// Whether the answer is 200 with just these books, in this order.
    pub(crate) fn is(&self, labels: &str) -> bool {
        if labels == ALL { self.is_whole() } else { self.reply.is(200) && self.labels() == Some(owned(labels)) }
    }

    /// Whether it shows just these books, in any order.
    pub(crate) fn is_any_order_of(&self, labels: &str) -> bool {
        let sorted = |mut labels: Vec<String>| {
            labels.sort();
            labels
        };
        self.reply.is(200) && self.labels().map(sorted) == Some(sorted(self.meant(labels)))
    }

    /// All the books are shown, each book once, in whatever order.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_any_order_of(ALL)
    }

    fn meant(&self, labels: &str) -> Vec<String> {
        if labels == ALL { self.books.labels.clone() } else { owned(labels) }
    }

    pub(crate) fn got(&self) -> String {
        format!("{} for `{}`: {}", self.reply.status(), self.asked, self.shown())
    }

    pub(crate) fn place(&self) -> Place {
        Place::body("/datos").of_query(&self.asked)
    }

    fn shown(&self) -> String {
        self.labels().map_or_else(|| brief(&self.reply.received().text()), |labels| self.with_values(&labels))
    }

    /// Labels, each with the values that the list was sorted or filtered by.
    fn with_values<'q>(&'q self, labels: &[String]) -> String {
        let names = |(name, value): (&'q str, &'q str)| match name {
            "sort" => value.split(',').collect(),
            "q" | "page" | "limit" | "fields" => Vec::new(),
            _ => vec![filtered_field(name)],
        };
        let mut names: Vec<&str> =
            self.asked.split('&').filter_map(|pair| pair.split_once('=')).flat_map(names).collect();
        names.dedup();
        let value = |label: &str, name: &str| {
            let book = self.books.book(label);
            let value = book.get(name).or_else(|| book.get(name.strip_prefix('-')?))?;
            Some(format!("{} {value}", name.trim_start_matches('-')))
        };
        let shown = labels.iter().map(|label| {
            let values: Vec<_> = names.iter().filter_map(|name| value(label, name)).collect();
            if values.is_empty() { label.clone() } else { format!("{label} ({})", values.join(", ")) }
        });
        let noun = ["no book", "book ", "books "][labels.len().min(2)];
        noun.to_owned() + &shown.collect::<Vec<_>>().join(", ")
    }
}

/// Stands for all the books, in whatever order.
const ALL: &str = "*";

/// Splits labels at spaces.
fn owned(labels: &str) -> Vec<String> {
    labels.split_whitespace().map(str::to_owned).collect()
}
