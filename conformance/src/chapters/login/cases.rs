//! The key under which answers show a user or a client.

use crate::chapters::prelude::*;

cases! { "login";
    /// Login and API key answers have user and client under `the service`, under one other key, or under a key each.
    principal_stands_under_one_key judges ["login/principal-key"] => |cx| {
        let user = users::register(cx, "admin")?;
        let login = users::try_log_in(cx, &user.email, &user.password)?.prepared("logging in", 200)?;
        let session = login.text_at("/tokens/sessionToken");
        let creation = cx.post("/auth/api-keys").bearer(&session).json(&json!({ "nombre": cx.unique("cliente") }));
        let created = creation.send()?.prepared("creating an API key", 201)?;
        let listing = cx.get("/auth/api-keys").bearer(&session).send()?.prepared("listing API keys", 200)?;
        let of_user = other_keys(&login.json(), &["requiere2FA", "tokens"]);
        let of_client = other_keys(&created.json(), &["apiKey", "advertencia"]);
        let mut seen = vec![of_user, of_client];
        seen.extend(listing.json().as_array().into_iter().flatten().map(|entry| other_keys(entry, &["apiKey"])));
        let (of_user, of_client) = (&seen[0], &seen[1]);
        let are_all = |key: &str| seen.iter().all(|keys| *keys == [key]);
        let is_one = of_user.len() == 1 && seen.iter().all(|keys| keys == of_user);
        let are_two = of_user.len() == 1 && of_client.len() == 1 && seen[1..].iter().all(|keys| keys == of_client);
        let readings = [("the-service", are_all("the service")), ("other", is_one), ("two", are_two)];
        cx.observe(&readings, brief(&format!("{seen:?}"))).seen_in([&login, &created, &listing])
    };
}

/// The keys of an object other than those the documents name.
fn other_keys(object: &Value, named: &[&str]) -> Vec<String> {
    let keys = object.as_object().map(|object| object.keys());
    keys.into_iter().flatten().filter(|key| !named.contains(&key.as_str())).cloned().collect()
}
