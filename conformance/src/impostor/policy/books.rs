//! What the impostor does wherever an implementer may err or choose: how books are created, read, replaced, deleted and kept. The default is right.

use serde_json::{Map, Value};

use crate::impostor::model::steps::steps;

/// How books are created, read, replaced, deleted and kept.
#[derive(Clone, Debug, Default)]
pub struct BooksPolicy {
    pub(crate) first_check: FirstCheck,
    pub(crate) unsupported_method: UnsupportedMethod,
    pub(crate) permissions: BookPermissions,
    /// How old a copy may be that a list, or a read of one book, is made from; 0 is none.
    pub(crate) list_staleness_ms: i64,
    pub(crate) read_staleness_ms: i64,
    pub(crate) newest_first: bool,
    pub(crate) fields_by_name: bool,
    pub(crate) fecha_publicacion: FechaPublicacion,
    pub(crate) create: CreatePolicy,
    pub(crate) replace: ReplacePolicy,
    pub(crate) delete: DeletePolicy,
}

impl BooksPolicy {
    /// Changes the record of a create and of a replace.
    pub(crate) fn change_records(&mut self, change: RecordChange) {
        self.create.changes.push(change);
        self.replace.changes.push(change);
    }

    /// Whether an operation goes by the collection as it was when the head of its request came.
    pub(crate) fn looks_back(&self) -> bool {
        let seen = [
            self.create.id_from,
            self.create.written_onto,
            self.replace.place_from,
            self.replace.written_onto,
            self.delete.written_onto,
        ];
        seen.contains(&Collection::AtHead) || self.create.refused == RefusedCreate::RestoresTheCollection
    }
}

/// What a book operation checks before anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum FirstCheck {
    /// Credential and permission.
    #[default]
    Credential,
    /// Whether the book exists; then credential and permission.
    Book,
    /// The credential, then whether the book exists, then the permission.
    CredentialThenBook,
    /// Whether the path fits the method and the body can be used.
    PathAndBody,
    /// Whether a read has an If-None-Match; if so, it needs no credential.
    IfNoneMatch,
    /// Nothing: a delete is carried out before the credential is checked.
    AfterDelete,
    /// Nothing: a create is carried out before the credential is checked.
    AfterCreate,
    /// Nothing: a replace is carried out before the credential is checked, and taken back where that fails.
    AfterReplace,
}

/// Whether an unsupported method checks its credential.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum UnsupportedMethod {
    #[default]
    CredentialUnread,
    CredentialNeeded,
    /// An API key is checked, its absence accepted.
    KeyChecked,
    /// A session is extended.
    SessionUsed,
}

steps! {
    /// The permission that each operation needs; `None`: a credential is enough.
    pub(crate) struct BookPermissions {
        list: Option<&'static str> = Some("read:libros");
        read: Option<&'static str> = Some("read:libros");
        create: Option<&'static str> = Some("write:libros");
        replace: Option<&'static str> = Some("write:libros");
        delete: Option<&'static str> = Some("delete:libros");
    }
}

/// What is asked of fechaPublicacion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum FechaPublicacion {
    #[default]
    Nothing,
    /// If sent, it is a date.
    Date,
    /// It is sent on create.
    SentOnCreate,
}

/// The collection that a step of a write goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Collection {
    /// The current one, under a lock that is held until the write is done.
    #[default]
    Current,
    /// A copy, after which the lock is let go for a while: a race.
    BeforeOthers,
    /// As it was when the head of the request came.
    AtHead,
}

/// The fields of a book.
pub(crate) type Record = Map<String, Value>;

/// A change to the record that the model has made, before it is stored.
pub(crate) type RecordChange = fn(&mut Record, &Write<'_>);

/// What a record was made from.
pub(crate) struct Write<'a> {
    pub(crate) sent: &'a Record,
    /// The book replaced; nothing on create.
    pub(crate) old: &'a Value,
    /// Whether a user wrote, rather than an API client.
    pub(crate) by_user: bool,
    pub(crate) now: i64,
    /// The field that says when.
    pub(crate) time_field: &'static str,
}

/// How a book is created.
#[derive(Clone, Debug, Default)]
pub(crate) struct CreatePolicy {
    pub(crate) with_id: CreateWithId,
    /// Whether a required field of that name is given. None: the model's own.
    pub(crate) is_given: Option<fn(&str, Option<&Value>) -> bool>,
    pub(crate) refused: RefusedCreate,
    pub(crate) id_from: Collection,
    /// The id from those there are and the highest ever given. None: the model's own.
    pub(crate) next_id: Option<fn(&[u64], u64) -> u64>,
    pub(crate) written_onto: Collection,
    pub(crate) changes: Vec<RecordChange>,
}

/// The outcome of a create with an id in its path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum CreateWithId {
    #[default]
    Refused,
    CreatesIfUnknown,
    ReplacesIfKnown,
}

/// What a create leaves that is refused for a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum RefusedCreate {
    #[default]
    LeavesNothing,
    IsStored,
    /// The collection is what it was when the head of the request came, as a transaction leaves it that takes back too much.
    RestoresTheCollection,
}

/// How a book is replaced.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplacePolicy {
    pub(crate) reads_body_first: bool,
    pub(crate) creates_unknown: bool,
    pub(crate) heeds_if_none_match: bool,
    /// Whether a body that cannot be used costs the book.
    pub(crate) bad_body_removes: bool,
    pub(crate) requires_fields: bool,
    /// Whether fechaActualizacion of every book is set.
    pub(crate) stamps_every_book: bool,
    pub(crate) changes: Vec<RecordChange>,
    pub(crate) place_from: Collection,
    pub(crate) written_onto: Collection,
    pub(crate) stores_nothing: bool,
    pub(crate) answers_old: bool,
    pub(crate) moves_to_end: bool,
}

steps! {
    /// How a book is deleted.
    pub(crate) struct DeletePolicy {
        /// What a delete without an id, which is refused, does to the books, given the time.
        refused: fn(&mut Vec<Value>, i64) = |_, _| {};
        written_onto: Collection = Collection::default();
        /// Removes the book at a place, given the time.
        remove: fn(&mut Vec<Value>, usize, i64) = |books, at, _| _ = books.remove(at);
    }
}
