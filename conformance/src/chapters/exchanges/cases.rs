//! Cases of the chapter exchanges: whole requests and answers, held against their reviewed texts. Each case plays the text of its name in
//! `conformance/snapshots`; here is what a text cannot say: preparations, and what is learned from one answer for a later request.

use crate::chapters::prelude::*;
use crate::snapshot::{Transcript, headers};

cases! { "exchanges";
    /// Whole exchanges of one book: created, read, unchanged, replaced, deleted and gone.
    life_of_a_book judges ["books/create-status", "books/create-body", "books/read", "conditional/book-match",
        "conditional/304-no-body", "books/replace", "books/replace-is-full", "books/delete-status", "books/delete-removes",
        "errors/404-book"] and [headers::RULES] => |cx| {
        Transcript::new(cx)?.play(|transcript, step, reply| {
            match step {
                "create" => {
                    // Outlives the book of the transcript, so that its id is not given again while the transcript expects it to be unknown.
                    know_client(transcript, &books::create(cx, &json!({}))?);
                    transcript.call(format!("/libros/{}", books::id_of(reply).unwrap_or_default()), "path of A");
                }
                "read" => transcript.call(reply.header("ETag").unwrap_or_default(), "tag of A"),
                _ => {}
            }
            Ok(())
        })
    };
    /// Whole exchanges of lists: the first page, the last, one with selected fields, an unchanged and an empty one.
    pages_of_a_list judges ["books/list-shape", "paging/page-slice", "list/fields-select", "list/sort-ascending",
        "conditional/list-match", "conditional/304-no-body", "paging/object-pages-empty"] and [headers::RULES] => |cx| {
        let three = [
            json!({ "titulo": "Canto general", "autor": "Pablo Neruda", "paginas": 550 }),
            json!({ "titulo": "Altazor", "autor": "Vicente Huidobro", "paginas": 112 }),
            json!({ "titulo": "Desolación", "autor": "Gabriela Mistral", "paginas": 228 }),
        ];
        let mut transcript = Transcript::new(cx)?;
        transcript.call(books::create_set(cx, &three)?.marker, "lote");
        know_client(&mut transcript, &books::create(cx, &json!({}))?);
        transcript.play(|transcript, step, reply| {
            let tag = reply.header("ETag").filter(|_| step == "chosen fields");
            transcript.call(tag.unwrap_or_default(), "tag of the list");
            Ok(())
        })
    };
    /// Whole exchanges that the book interface refuses: bad bodies, bad paths, bad methods.
    refusals judges ["books/titulo-required", "books/autor-required", "books/create-with-id", "books/no-id-replace",
        "books/no-id-delete", "books/replace-unknown", "books/delete-unknown", "books/method-not-allowed",
        "errors/malformed-create", "errors/400-books", "errors/404-book", "errors/405-books"] and [headers::RULES]
        by plays(&[]);
    /// Whole exchanges that are denied: no credential, an unknown key, a key that lacks the permission.
    denials judges ["credentials/none", "credentials/key-unknown", "permissions/delete", "errors/401-body"]
        and [headers::RULES] by plays(&[]);
    /// Whole exchanges of an unknown path and of OPTIONS.
    outside_of_books judges ["routing/unknown-path", "errors/404-path", "routing/options-status", "routing/options-no-body"]
        and [headers::RULES] by plays(&[]);
    /// Whole exchanges of a user: registered, refused a second time, logged in with a wrong and the right password, with an API key.
    ways_in judges ["registration/created", "registration/answer-shape", "registration/email-taken", "errors/400-auth",
        "login/password-wrong", "login/success", "login/first-shape", "api-keys/created", "api-keys/answer-shape"]
        and [headers::RULES] by plays(&[("log in", "session token", "/tokens/sessionToken")]);
    /// Whole exchanges of a second factor: its status, enabling, a login that asks for it, a wrong and a right code.
    second_factor judges ["two-factor/status-unconfigured", "two-factor/enable-shape", "login/second-shape",
        "verification/invalid-code", "errors/400-auth", "verification/shape", "two-factor/status-shape",
        "two-factor/disable-wrong-password", "errors/400-two-factor", "two-factor/disable-shape"] and [headers::RULES]
        => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "admin")?;
        let mut transcript = Transcript::new(cx)?;
        for (value, label) in [(user.email, "e-mail"), (user.password, "password"), (tokens.session, "session token")] {
            transcript.call(value, label);
        }
        let learned = [("enable", "backup code", "/backupCodes/0"), ("log in again", "pending session", "/sessionId")];
        play_learning(transcript, &learned)
    };
    /// Whole exchanges of the users interface: a user created and read, its posts, and refusals.
    users_interface judges ["users/create-body", "users/read-status", "posts/created-user-empty", "users/unknown-id",
        "posts/unknown-user", "users/name-missing", "users/age-type", "users/malformed-json", "users/unknown-path",
        "users/error-body", "users/content-type", "users/options-status", "users/options-origin", "users/options-methods",
        "users/options-headers"] needs [Need::Interface(Interface::Users)] by plays(&[("create", "id of the user", "/id")]);
    /// Whole exchanges of the GraphQL endpoint: a user created by mutation, read under aliases, and an unknown one.
    graphql_full judges ["graphql/create-user", "graphql/data", "graphql/user", "graphql/user-unknown"]
        needs [Need::Interface(Interface::Graphql)] by plays(&[("create", "id of the user", "/data/createUser/id")]);
    /// Whole exchanges of the reduced GraphQL endpoint: an unknown user and refusals.
    graphql_reduced judges ["graphql-reduced/user-unknown", "graphql-reduced/query-missing", "graphql-reduced/query-type",
        "graphql-reduced/unsupported-form", "graphql-reduced/other-syntax",
        "graphql-reduced/no-mutation", "graphql-reduced/other-method", "graphql-reduced/other-path",
        "graphql-reduced/options-status"] needs [Need::Interface(Interface::GraphqlReduced)] by plays(&[]);
}

/// Learns the name of the initial admin client, which is free, from `creadoPor` of another book.
fn know_client(transcript: &mut Transcript<'_, '_>, book: &MadeBook) {
    let name = book.reply.at("/creadoPor").filter(|name| name.as_str().is_some_and(|name| !name.is_empty()));
    transcript.know("the client's name", name);
}

/// A text that the answer of a step has: the step, the name of the text from there on, and the JSON pointer to it.
type Learned = (&'static str, &'static str, &'static str);

/// Plays the steps with a unique e-mail and password.
fn plays(cx: &CaseContext<'_>, learned: &[Learned]) -> CaseResult {
    let mut transcript = Transcript::new(cx)?;
    transcript.call(users::email(cx, "escena"), "e-mail");
    transcript.call(PASSWORD, "password");
    play_learning(transcript, learned)
}

fn play_learning(transcript: Transcript<'_, '_>, learned: &[Learned]) -> CaseResult {
    transcript.play(|transcript, step, reply| {
        let of_step = learned.iter().filter(|(of, ..)| *of == step);
        of_step.for_each(|(_, label, pointer)| transcript.call(reply.text_at(pointer), label));
        Ok(())
    })
}
