//! Books of a case under short labels, and what a list shows of them.
//!
//! A label is the book's titulo unless the case gives it another, so a failure reads as the case does.

use crate::chapters::prelude::*;
use crate::http::reply::Check;

/// Labelled books with a marker of their own.
#[derive(Debug)]
pub(crate) struct LabelledBooks<'t> {
    cx: &'t CaseContext<'t>,
    labels: Vec<&'static str>,
    set: BookSet,
}

/// A list as answered for labelled books.
#[derive(Debug)]
pub(crate) struct Listed<'s> {
    /// The whole answer.
    pub(crate) reply: Reply,
    books: &'s LabelledBooks<'s>,
    /// The parameters asked besides the marker.
    asked: String,
}

impl<'t> LabelledBooks<'t> {
    /// Creates the books in the order given.
    pub(crate) fn of(cx: &'t CaseContext<'t>, books: &[(&'static str, Value)]) -> Result<Self, CaseError> {
        let bodies: Vec<Value> = books.iter().map(|(label, fields)| named(label, fields)).collect();
        Ok(Self { cx, labels: books.iter().map(|(label, _)| *label).collect(), set: books::create_set(cx, &bodies)? })
    }

    /// The id of a book.
    pub(crate) fn id(&self, label: &str) -> u64 {
        let at = self.labels.iter().position(|known| *known == label);
        at.map_or(0, |at| self.set.books[at].id)
    }

    /// A book as its creation answered it.
    pub(crate) fn book(&self, label: &str) -> Value {
        let at = self.labels.iter().position(|known| *known == label);
        at.map_or(Value::Null, |at| self.set.books[at].value())
    }

    /// Lists these books with further parameters (`sort=titulo&limit=2`), which may be empty.
    pub(crate) fn ask(&self, parameters: &str) -> Result<Listed<'_>, CaseError> {
        self.ask_at(&self.set.path(parameters), parameters)
    }

    /// Lists by a path of the case's own, which must keep to these books by their marker.
    pub(crate) fn ask_at(&self, path: &str, asked: &str) -> Result<Listed<'_>, CaseError> {
        let key = &self.cx.target().credentials.test_key;
        Ok(Listed { reply: self.cx.get(path).key(key).send()?, books: self, asked: asked.to_owned() })
    }

    /// The marker of its books.
    pub(crate) fn marker(&self) -> &str {
        &self.set.marker
    }

    /// Whether a list with these parameters shows just these books, in any order; several parameters, one after the other.
    pub(crate) fn keeps(&self, asked: &[(&str, &str)]) -> CaseResult {
        for (parameters, labels) in asked {
            self.ask(parameters)?.keeps(labels)?;
        }
        Ok(())
    }

    /// Whether a list with these parameters shows these books in this order.
    pub(crate) fn orders(&self, asked: &[(&str, &str)]) -> CaseResult {
        for (parameters, labels) in asked {
            self.ask(parameters)?.orders(labels)?;
        }
        Ok(())
    }

    fn label(&self, book: &Value) -> String {
        let id = book.get("id").and_then(books::whole);
        let at = self.set.books.iter().position(|made| Some(made.id) == id);
        match (at, id) {
            (Some(at), _) => self.labels[at].to_owned(),
            (None, Some(id)) => format!("(book {id}, of others)"),
            (None, None) => "(a book without id)".to_owned(),
        }
    }
}

fn named(label: &str, fields: &Value) -> Value {
    let mut book = json!({ "titulo": label });
    if let (Some(book), Some(fields)) = (book.as_object_mut(), fields.as_object()) {
        book.extend(fields.clone());
    }
    book
}

impl Listed<'_> {
    /// The labels shown, in order; `None` when there is no list.
    pub(crate) fn labels(&self) -> Option<Vec<String>> {
        match self.reply.at("/datos") {
            Some(Value::Array(books)) => Some(books.iter().map(|book| self.books.label(book)).collect()),
            _ => None,
        }
    }

    /// How many items it shows.
    pub(crate) fn count(&self) -> usize {
        self.labels().map_or(0, |labels| labels.len())
    }

    /// The books it shows are just these, in any order.
    pub(crate) fn keeps(&self, labels: &str) -> CaseResult {
        self.shows(self.reply.check(), labels, sorted(self.labels()) == sorted(Some(owned(labels))))
    }

    /// As [`Self::keeps`], where the case judges several rules.
    pub(crate) fn keeps_by(&self, rule: &'static str, labels: &str) -> CaseResult {
        self.shows(self.reply.check_rule(rule), labels, sorted(self.labels()) == sorted(Some(owned(labels))))
    }

    /// The books it shows are just these or just those, in any order.
    pub(crate) fn keeps_either(&self, either: [&str; 2]) -> CaseResult {
        let holds = either.iter().any(|labels| self.is_any_order_of(labels));
        let want = either.map(|labels| self.with_values(&owned(labels))).join(", or ");
        self.reply.check().status(200)?.that(holds, self.place(), want, self.told())?;
        Ok(())
    }

    /// The books it shows are just these, in this order.
    pub(crate) fn orders(&self, labels: &str) -> CaseResult {
        self.shows(self.reply.check(), labels, self.labels() == Some(owned(labels)))
    }

    fn shows(&self, check: Check<'_>, labels: &str, holds: bool) -> CaseResult {
        check.status(200)?.that(holds, self.place(), self.with_values(&owned(labels)), self.told())?;
        Ok(())
    }

    /// An open rule: the first reading whose books it shows (in any order) is noted.
    pub(crate) fn reads(&self, readings: &[(&str, &str)]) -> CaseResult {
        let readings: Vec<(&str, bool)> =
            readings.iter().map(|(reading, labels)| (*reading, self.is_any_order_of(labels))).collect();
        self.books.cx.observe(&readings, self.got())
    }

    /// As [`Self::reads`], where the rule is read of several things.
    pub(crate) fn reads_of(&self, what: &str, readings: &[(&str, &str)]) -> CaseResult {
        let readings: Vec<(&str, bool)> =
            readings.iter().map(|(reading, labels)| (*reading, self.is_any_order_of(labels))).collect();
        self.books.cx.observe_of(what, &readings, self.got())
    }

    /// An open rule of order: the first reading whose books it shows, in that order, is noted.
    pub(crate) fn reads_in_order(&self, readings: &[(&str, &str)]) -> CaseResult {
        let readings: Vec<(&str, bool)> =
            readings.iter().map(|(reading, labels)| (*reading, self.is(labels))).collect();
        self.books.cx.observe(&readings, self.got())
    }

    /// The items it shows are just these.
    pub(crate) fn shows_items(&self, items: &Value) -> CaseResult {
        let got = self.reply.at("/datos").unwrap_or_default();
        self.reply.check().status(200)?.that(same(&got, items), self.place(), items, &got)?;
        Ok(())
    }

    /// It answers 200 with just these books, in this order.
    pub(crate) fn is(&self, labels: &str) -> bool {
        self.reply.is(200) && self.labels() == Some(owned(labels))
    }

    /// Whether it shows just these books, in any order.
    pub(crate) fn is_any_order_of(&self, labels: &str) -> bool {
        self.reply.is(200) && sorted(self.labels()) == sorted(Some(owned(labels)))
    }

    /// All the books are shown, each book once, in whatever order.
    pub(crate) fn is_whole(&self) -> bool {
        let labels = self.books.labels.iter().map(|label| (*label).to_owned());
        let all: BTreeSet<String> = labels.collect();
        let shown = self.labels().unwrap_or_default();
        self.reply.is(200) && shown.len() == all.len() && shown.into_iter().collect::<BTreeSet<_>>() == all
    }

    /// What came, for a reader.
    pub(crate) fn got(&self) -> String {
        format!("{} for `{}`: {}", self.reply.status(), self.asked, self.told())
    }

    fn place(&self) -> Place {
        Place::body("/datos").of_query(&self.asked)
    }

    fn told(&self) -> String {
        match self.labels() {
            None => brief(&self.reply.received().text()),
            Some(labels) => self.with_values(&labels),
        }
    }

    /// Labels, each with the values that the list was sorted by.
    fn with_values(&self, labels: &[String]) -> String {
        let names: Vec<&str> = self.asked.split('&').filter_map(|pair| pair.strip_prefix("sort=")).collect();
        let names: Vec<&str> = names.iter().flat_map(|names| names.split(',')).collect();
        let value = |label: &str, name: &str| {
            let book = self.books.book(label);
            let value = book.get(name).or_else(|| book.get(name.strip_prefix('-')?))?;
            Some(format!("{} {value}", name.trim_start_matches('-')))
        };
        let told = labels.iter().map(|label| {
            let values: Vec<_> = names.iter().filter_map(|name| value(label, name)).collect();
            if values.is_empty() { label.clone() } else { format!("{label} ({})", values.join(", ")) }
        });
        if labels.is_empty() { "no book".to_owned() } else { told.collect::<Vec<_>>().join(", ") }
    }
}

/// Labels written one after the other, with spaces between.
fn owned(labels: &str) -> Vec<String> {
    labels.split_whitespace().map(str::to_owned).collect()
}

fn sorted(labels: Option<Vec<String>>) -> Option<Vec<String>> {
    labels.map(|mut labels| {
        labels.sort();
        labels
    })
}
