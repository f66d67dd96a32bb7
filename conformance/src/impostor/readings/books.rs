//! Permitted readings other than the reference's: how books are created, read, replaced, deleted and kept.

use super::Reading;

pub(crate) const READINGS: &[Reading] = readings! {
    "body-before-lookup" by "books/replace-lookup-before-body": "The body of a replace is looked at before the book.";
    "book-fields-sorted" by "books/field-order": "A book shows its fields in the order of their names.";
    "fecha-publicacion-checked" by "books/fecha-publicacion-form": "fechaPublicacion must be a date.";
    "head-is-get" by "books/head": "HEAD is GET without the body.";
    "id-digits-only" by "books/path-id-trailing-text": "A segment with anything but digits is no id.";
    "id-in-hex" by "books/path-id-hex": "A segment in hexadecimal form is read as such.";
    "initial-books-bare" by "books/initial-content": "The initial books have a titulo and an autor only.";
    "negative-id-is-400" by "books/path-id-negative": "A negative segment answers 400.";
    "new-book-has-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor.";
    "replace-keeps-creado-por" by "books/creado-por-after-replace": "A replaced book keeps its creadoPor.";
    "replaced-moves-to-end" by "books/collection-order": "A replaced book moves to the end.";
    "required-falsy-accepted" by "books/required-other-type": "titulo and autor may be 0 or false.";
    "required-texts-only" by "books/required-other-type": "titulo and autor must be texts.";
    "required-trimmed" by "books/required-blank": "titulo and autor must hold more than spaces.";
    "update-fields-dropped-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are dropped.";
};
