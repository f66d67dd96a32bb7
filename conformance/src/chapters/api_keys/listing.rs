//! The list of keys: who is in it, what it tells, and what it hides.

use super::fields::{created, entry_created, keeper, listed};
use crate::chapters::permissions::operations::{INITIAL_ADMIN, are_exactly};
use crate::chapters::prelude::*;

cases! { "api-keys";
    /// The list is an array with the initial clients and all created ones, whoever created them.
    list_has_every_client judges ["api-keys/list"] => |cx| {
        let (keeper, other) = (keeper(cx)?, keeper(cx)?);
        let create = |creator: &str| {
            Ok::<_, CaseError>(created(cx, creator, &json!({}))?.text_at(&clients::client_field(cx, "name")))
        };
        let names = [create(&keeper)?, create(&other)?, create(&keeper)?];
        let list = cx.get("/auth/api-keys").bearer(&keeper).send()?;
        list.check().status(200)?.at_where("", "an array", Value::is_array)?;
        let entries = list.json();
        let entries = entries.as_array().map(Vec::as_slice).unwrap_or_default();
        let shown =
            |entry: &Value, field: &str| entry.pointer(&clients::client_field(cx, field)).cloned().unwrap_or_default();
        let body = brief(&list.received().text());
        for name in &names {
            let there = entries.iter().filter(|entry| shown(entry, "name") == *name);
            cx.check(there.count() == 1, Place::BODY, format!("one entry of the client {name}"), &body)?;
        }
        // The initial clients go by any name: the beginning of the key, or permissions and limit, tell them.
        let initial = [
            (cx.test_key(), &INITIAL_ADMIN[..2], 1_000, "the initial test client"),
            (cx.admin_key(), INITIAL_ADMIN, 5_000, "the initial admin client"),
        ];
        for (key, permissions, limit, who) in initial {
            let start = |chars: usize| key.chars().take(chars).collect::<String>();
            let is_it = |entry: &Value| {
                let mask = entry["apiKey"].as_str().unwrap_or_default();
                let has_limit = same(&shown(entry, "rateLimit"), &json!(limit));
                let is_like = has_limit && are_exactly(&shown(entry, "permissions"), permissions);
                mask.starts_with(&start(8)) || (is_like && mask.starts_with(&start(4)))
            };
            cx.check(entries.iter().any(is_it), Place::BODY, format!("an entry of {who}"), &body)?;
        }
        Ok(())
    };
    /// Every entry has the masked key and the client with its six fields, and nothing besides.
    entries_have_two_keys_and_six_fields judges ["api-keys/list-entry-shape"] => |cx| {
        // What every list must hold is judged of this one.
        let keeper = keeper(cx)?;
        created(cx, &keeper, &json!({}))?;
        listed(cx, &keeper).map(drop)
    };
    /// A key is shown by its first 8 characters and three dots, and nowhere in full.
    keys_are_masked judges ["api-keys/list-mask"] => |cx| {
        let keeper = keeper(cx)?;
        let creation = created(cx, &keeper, &json!({}))?;
        let key = creation.text_at("/apiKey");
        let list = listed(cx, &keeper)?;
        let entry = entry_created(cx, &list, &creation)?;
        let masked = |key: &str| format!("{}...", key.chars().take(8).collect::<String>());
        list.check().at(&format!("/{entry}/apiKey"), &json!(masked(&key)))?;
        let text = list.received().text();
        let entries = list.json();
        for initial in [cx.test_key(), cx.admin_key()] {
            let want = json!(masked(initial));
            let is_listed = entries.as_array().is_some_and(|list| list.iter().any(|entry| entry["apiKey"] == want));
            list.check().that(is_listed, Place::BODY, format!("an entry with apiKey {want}"), brief(&text))?;
        }
        for key in [&key, cx.test_key(), cx.admin_key()] {
            let is_hidden = key.get(8..).is_none_or(str::is_empty) || !text.contains(key);
            let got = format!("the key that begins with {}", masked(key));
            list.check().that(is_hidden, Place::BODY, "no key in full", got)?;
        }
        Ok(())
    };
    /// createdAt of a client is the time of its creation, in ISO 8601 UTC with milliseconds.
    created_at_is_the_time_of_creation judges ["api-keys/list-created-at"] => |cx| {
        let keeper = keeper(cx)?;
        let before = cx.target_now()?;
        let creation = created(cx, &keeper, &json!({}))?;
        let after = cx.target_now()? + time::tolerance_ms(cx);
        let list = listed(cx, &keeper)?;
        let entry = entry_created(cx, &list, &creation)?;
        let place = format!("/{entry}{}", clients::client_field(cx, "createdAt"));
        let from = before - time::tolerance_ms(cx);
        let want =
            format!("an ISO 8601 UTC time with milliseconds between {} and {}", clock::iso(from), clock::iso(after));
        list.check().at_where(&place, &want, |time| {
            let time = time.as_str().and_then(clock::parse_iso);
            time.is_some_and(|time| (from..=after).contains(&time))
        })?;
        // And not that of the listing.
        time::let_a_moment_pass();
        let shown = list.at(&place).unwrap_or_default();
        let again = listed(cx, &keeper)?;
        let entry = entry_created(cx, &again, &creation)?;
        again.check().at(&format!("/{entry}{}", clients::client_field(cx, "createdAt")), &shown).map(drop)
    };
    /// lastUsed of a key is null until it is used, also while others are.
    last_used_is_null_before_use judges ["api-keys/last-used-null"] => |cx| {
        let keeper = keeper(cx)?;
        let unused = created(cx, &keeper, &json!({}))?;
        let used = created(cx, &keeper, &json!({}))?.text_at("/apiKey");
        cx.get("/libros?limit=1").key(&used).send()?.prepared("using a key", 200)?;
        let list = listed(cx, &keeper)?;
        let entry = entry_created(cx, &list, &unused)?;
        list.check().at(&format!("/{entry}{}", clients::client_field(cx, "lastUsed")), &Value::Null).map(drop)
    };
    /// lastUsed of a key is the time of its latest use, or stays null.
    last_used_is_the_latest_use_or_null judges ["api-keys/last-used-set"] => |cx| {
        let keeper = keeper(cx)?;
        let creation = created(cx, &keeper, &json!({}))?;
        let key = creation.text_at("/apiKey");
        let use_it = || -> CaseResult<Value> {
            cx.get("/libros?limit=1").key(&key).send()?.prepared("using a key", 200)?;
            let list = listed(cx, &keeper)?;
            let entry = entry_created(cx, &list, &creation)?;
            Ok(list.at(&format!("/{entry}{}", clients::client_field(cx, "lastUsed"))).unwrap_or_default())
        };
        let before = cx.target_now()?;
        let first = use_it()?;
        time::let_a_moment_pass();
        let second = use_it()?;
        let is_set = first.is_string() && second.is_string() && {
            let [first, second] = [time_in("lastUsed", Some(&first))?, time_in("lastUsed", Some(&second))?];
            time::is_now(cx, first, before)? && time::is_now(cx, second, before)? && first <= second
        };
        cx.observe(&[("set", is_set), ("null", first.is_null() && second.is_null())], format!("{first}, then {second}"))
    };
}
