//! The key under which answers show a user or a client.

use crate::chapters::prelude::*;

cases! { "login";
    /// Login and API key answers have user and client under `the service`, under one other key, or under a key each.
    principal_stands_under_one_key judges ["login/principal-key"] => |cx| {
        let user = users::register(cx, "admin")?;
        let login = users::login_reply(cx, &user.email, &user.password)?.prepared("logging in", 200)?;
        let session = login.text_at("/tokens/sessionToken");
        let creation = cx.post("/auth/api-keys").bearer(&session).json(&json!({ "nombre": cx.unique("cliente") }));
        let created = creation.send()?.prepared("creating an API key", 201)?;
        let listing = cx.get("/auth/api-keys").bearer(&session).send()?.prepared("listing API keys", 200)?;
        let user_keys = other_keys(&login.json(), &["requiere2FA", "tokens"]);
        let client_keys = other_keys(&created.json(), &["apiKey", "advertencia"]);
        let mut shown_keys = vec![user_keys, client_keys];
        shown_keys.extend(listing.json().as_array().into_iter().flatten().map(|entry| other_keys(entry, &["apiKey"])));
        let (user_keys, client_keys) = (&shown_keys[0], &shown_keys[1]);
        let all_are = |key: &str| shown_keys.iter().all(|keys| *keys == [key]);
        let one_key = user_keys.len() == 1 && shown_keys.iter().all(|keys| keys == user_keys);
        let two_keys = user_keys.len() == 1 && client_keys.len() == 1 && shown_keys[1..].iter().all(|keys| keys == client_keys);
        let readings = [("the-service", all_are("the service")), ("other", one_key), ("two", two_keys)];
        cx.observe(&readings, brief(&format!("{shown_keys:?}"))).seen_in([&login, &created, &listing])
    };
}

/// The keys of an object other than those the documents name.
fn other_keys(object: &Value, named: &[&str]) -> Vec<String> {
    let keys = object.as_object().map(|object| object.keys());
    keys.into_iter().flatten().filter(|key| !named.contains(&key.as_str())).cloned().collect()
}
