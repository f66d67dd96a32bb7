//! Registrations at the same moment.

use crate::chapters::prelude::*;

cases! { "registration";
    /// Users registered at the same moment have distinct ids, other than those of the initial users.
    ids_are_distinct judges ["registration/id-distinct"] => |cx| {
        const AT_ONCE: usize = 4;
        let replies = concurrency::simultaneously(AT_ONCE, |_| {
            let body = json!({ "email": users::email(cx, "alta"), "password": PASSWORD, "nombre": "Prueba" });
            users::registration(cx, &body).send()?.prepared("registering a user", 201)
        })?;
        let mut answers: Vec<_> = replies.into_iter().map(|reply| (reply.text_at("/id"), reply)).collect();
        let credentials = &cx.target().credentials;
        for initial in [&credentials.admin_user, &credentials.regular_user] {
            let reply = users::login_reply(cx, &initial.email, &initial.password)?;
            // Where the initial users cannot log in, their ids are not known and the others are judged alone.
            answers.push((reply.text_at(&users::principal_field(cx, "id")), reply));
        }
        // An id that is not a string is judged by its form alone.
        answers.retain(|(id, _)| !id.is_empty());
        let ids: Vec<&str> = answers.iter().map(|(id, _)| id.as_str()).collect();
        let shared = ids.iter().copied().find(|id| ids.iter().filter(|other| *other == id).count() > 1);
        let sharing = answers.iter().filter(|(id, _)| Some(id.as_str()) == shared).map(|(_, reply)| reply);
        let place = Place::body("/id").of("several answers");
        cx.check(shared.is_none(), place, "a distinct id for every user", ids.join(", ")).seen_in(sharing.take(2))
    };
    /// Exactly one of many concurrent registrations of one e-mail succeeds, and its password counts.
    one_of_many_at_once_wins judges ["registration/email-one-winner"] => |cx| {
        // Few enough for a target that hashes slowly, one password at a time.
        const RIVALS: usize = 6;
        let email = users::email(cx, "alta");
        let password_of = |rival: usize| format!("Una-clave-larga-{rival:02}!");
        let body_of = |rival| json!({ "email": email, "password": password_of(rival), "nombre": "Rival" });
        let replies = concurrency::simultaneously(RIVALS, |rival| users::registration(cx, &body_of(rival)).send())?;
        let statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
        let winners: Vec<usize> = (0..RIVALS).filter(|&rival| statuses[rival] == 201).collect();
        let [winner] = winners[..] else {
            let shown = winners.iter().take(2).map(|winner| &replies[*winner]);
            return cx.check(false, "statuses of the answers", "one 201", format!("{statuses:?}")).seen_in(shown);
        };
        let loser = (winner + 1) % RIVALS;
        users::login_reply(cx, &email, &password_of(winner))?.check().status(200)?;
        users::login_reply(cx, &email, &password_of(loser))?.check().status(400).map(drop)
    };
}
