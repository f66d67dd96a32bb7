//! After the service is killed and restarted, data survives or is gone as a whole, never half.

use crate::chapters::prelude::*;
use crate::fixture::clients::MadeClient;
use crate::fixture::two_factor::tokens_in;
use crate::invariants::form::same_in_any_order;

cases! { "storage";
    /// Confirmed writes are there after the service was killed and restarted, or gone as a whole.
    what_a_restart_leaves judges ["storage/survives-restart"] needs [Need::Restart] => |cx| {
        if cx.session().control().is_some() {
            // A clock that was moved ahead goes back with the service.
            cx.reset()?;
        }
        let users = Users::made(cx)?;
        let factors = Factors::made(cx)?;
        let books = Books::made(cx)?;
        cx.restart()?;
        books.look(cx)?;
        users.look(cx)?;
        factors.look(cx)
    };
}

/// Notes whether `what` survived the restart or is gone.
fn noted(cx: &CaseContext<'_>, what: &str, kept: bool, gone: bool, got: &str) -> CaseResult {
    cx.observe_of(what, &[("kept", kept), ("gone", gone)], format!("{what}: {got}"))
}

struct Books {
    total: Option<Value>,
    kept: [(u64, Value); 2],
    deleted: u64,
    /// The last one confirmed before the service was killed.
    last: MadeBook,
}

impl Books {
    fn made(cx: &CaseContext<'_>) -> Result<Self, CaseError> {
        let rich = json!({ "año": 1985, "temas": ["mar", null, { "a": [1.5, true] }], "vacío": "", "nota": "\u{1F4DA} \"\\\n" });
        let rich = books::create(cx, &rich)?;
        let replaced = books::create(cx, &json!({ "edición": 1 }))?;
        books::replace(cx, &replaced, &json!({ "titulo": "Otro", "edición": 2 }))?;
        let deleted = books::create(cx, &json!({}))?;
        let kept = [(rich.id, books::stored(cx, rich.id)?), (replaced.id, books::stored(cx, replaced.id)?)];
        // One above it, or its id would be given again.
        books::create(cx, &json!({}))?;
        books::delete(cx, &deleted)?;
        let last = books::create(cx, &json!({}))?;
        Ok(Self { total: total(cx)?, kept, deleted: deleted.id, last })
    }

    fn look(&self, cx: &CaseContext<'_>) -> CaseResult {
        let read = |id: u64| -> Result<Option<Value>, CaseError> {
            let reply = cx.get(&format!("/libros/{id}")).key(cx.admin_key()).send()?;
            Ok((reply.is(200)).then(|| reply.json()))
        };
        let (mut same, mut missing) = (true, true);
        for (id, before) in &self.kept {
            let after = read(*id)?;
            same &= after.as_ref() == Some(before);
            missing &= after.is_none();
        }
        let last = read(self.last.id)?;
        let is_deleted = read(self.deleted)?.is_none();
        let after = total(cx)?;
        let [was, is] = [&self.total, &after].map(|total| total.clone().unwrap_or_default());
        let got = format!("the same: {same}, deleted: {is_deleted}; {was} books before, {is} after");
        // Without the last write there is one book less; the initial ones again are none of those made.
        let is_lost = last.is_none() && !missing;
        noted(cx, "books", same && is_deleted && (after == self.total || is_lost), missing && last.is_none(), &got)?;
        let in_time = last.as_ref() == Some(&self.last.value());
        cx.tell(format!("the book confirmed just before the crash is there: {in_time}"))?;
        let next = books::create(cx, &json!({}))?;
        let goes_on = next.id == self.last.id + 1;
        noted(cx, "the count of ids", goes_on, !in_time, &format!("{} after {}", next.id, self.last.id))
    }
}

fn total(cx: &CaseContext<'_>) -> Result<Option<Value>, CaseError> {
    let reply = cx.get("/libros?limit=1").key(cx.admin_key()).send()?.prepared("listing books", 200)?;
    Ok(reply.at("/metadata/paginacion/total"))
}

struct Users {
    user: MadeUser,
    tokens: Tokens,
    keeper: MadeUser,
    reader: MadeClient,
    clients: Value,
}

impl Users {
    fn made(cx: &CaseContext<'_>) -> Result<Self, CaseError> {
        let (user, tokens) = users::register_and_log_in(cx, "moderator")?;
        cx.get("/libros?limit=1").bearer(&tokens.session).send()?.prepared("using the session token", 200)?;
        let (keeper, admin) = users::register_and_log_in(cx, "admin")?;
        let reader = clients::create_as(cx, &admin, &["read:libros"])?;
        clients::create_as(cx, &admin, &["read:libros", "write:libros"])?;
        use_key(cx, &reader)?;
        if cx.session().control().is_some() {
            cx.advance(60.0)?;
            use_key(cx, &reader)?;
        }
        let clients = clients(cx, &admin)?;
        Ok(Self { user, tokens, keeper, reader, clients })
    }

    fn look(&self, cx: &CaseContext<'_>) -> CaseResult {
        let login = users::login_reply(cx, &self.user.email, PASSWORD)?;
        let wrong = users::login_reply(cx, &self.user.email, "otra")?;
        let is_known = login.is(200) && login.text_at(&users::principal_field(cx, "id")) == self.user.id;
        let may = login.at(&users::principal_field(cx, "permissions")).unwrap_or_default();
        let is_moderator = same_in_any_order(&may, &json!(["read:libros", "write:libros", "delete:libros"]));
        let got = format!("login {}, with a wrong password {}, permissions {may}", login.status(), wrong.status());
        noted(cx, "users", is_known && is_moderator && wrong.is(400), login.is(400), &got)?;
        let list = |with: &str| cx.get("/libros?limit=1").header("Authorization", with).send();
        let session = list(&format!("Bearer {}", self.tokens.session))?.status();
        noted(cx, "sessions", session == 200, session == 401, &session.to_string())?;
        let jwt = list(&format!("JWT {}", self.tokens.jwt))?.status();
        noted(cx, "JWTs", jwt == 200, jwt == 401, &jwt.to_string())?;
        let newcomer = users::register(cx, "user")?;
        let is_new = newcomer.id != self.user.id && newcomer.id != self.keeper.id;
        noted(cx, "the count of users", is_new, login.is(400), &newcomer.id)?;
        self.look_at_clients(cx)
    }

    fn look_at_clients(&self, cx: &CaseContext<'_>) -> CaseResult {
        let keeper = users::login_reply(cx, &self.keeper.email, PASSWORD)?;
        let session = keeper.text_at("/tokens/sessionToken");
        let admin = Tokens { session, jwt: keeper.text_at("/tokens/jwtToken") };
        let after = if keeper.is(200) { clients(cx, &admin)? } else { Value::Null };
        let (was, is) = (entry(&self.clients, &self.reader.id), entry(&after, &self.reader.id));
        noted(cx, "API keys listed", is == was, is.is_none(), &format!("{is:?}, and before {was:?}"))?;
        let read = cx.get("/libros?limit=1").key(&self.reader.key).send()?.status();
        let book = json!({ "titulo": "x", "autor": "y" });
        let wrote = books::adopt(cx, cx.post("/libros").key(&self.reader.key).json(&book).send()?).status();
        noted(cx, "API keys", (read, wrote) == (200, 401), read == 401, &format!("read {read}, wrote {wrote}"))
    }
}

fn use_key(cx: &CaseContext<'_>, client: &MadeClient) -> CaseResult {
    cx.get("/libros?limit=1").key(&client.key).send()?.prepared("using a created key", 200).map(|_| ())
}

fn clients(cx: &CaseContext<'_>, admin: &Tokens) -> Result<Value, CaseError> {
    Ok(cx.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing API keys", 200)?.json())
}

/// The entry of the client with that id, under any key.
fn entry(clients: &Value, id: &str) -> Option<Value> {
    let is_of = |entry: &&Value| entry.as_object().is_some_and(|entry| entry.values().any(|fields| fields["id"] == id));
    clients.as_array()?.iter().find(is_of).cloned()
}

struct Factors {
    /// Has used one backup code, and trusts its laptop.
    known: Enrolled,
    /// The pending session that ended so.
    ended: String,
    status: Value,
    devices: Value,
    /// Has switched two-factor on and off.
    without: Enrolled,
    /// Has sent three wrong codes.
    blocked: Enrolled,
    /// Has got up to the code.
    waiting: Enrolled,
    session: String,
}

impl Factors {
    fn made(cx: &CaseContext<'_>) -> Result<Self, CaseError> {
        let known = two_factor::enroll(cx)?;
        let ended = two_factor::pending_session(cx, &known.user)?;
        tokens_in(&two_factor::verify_trusting(cx, &ended, known.factor.backup_code(0)?, &two_factor::laptop(cx))?)?;
        let status = two_factor::status(cx, &known.tokens)?.json();
        let devices = two_factor::manage(cx, "GET", "trusted-devices", &known.tokens).send()?;
        let devices = devices.prepared("listing trusted devices", 200)?.json();
        let without = two_factor::enroll(cx)?;
        two_factor::disable(cx, &without.tokens)?;
        let blocked = two_factor::enroll(cx)?;
        two_factor::fail_checks(cx, &blocked, 3)?;
        let waiting = two_factor::enroll(cx)?;
        let session = two_factor::pending_session(cx, &waiting.user)?;
        Ok(Self { known, ended, status, devices, without, blocked, waiting, session })
    }

    fn look(&self, cx: &CaseContext<'_>) -> CaseResult {
        let gone = users::login_reply(cx, &self.known.user.email, PASSWORD)?.is(400);
        if gone {
            return noted(cx, "second factors", false, true, "");
        }
        // A JWT outlives sessions.
        let ask = |route: &str| cx.get(&format!("/2fa/{route}")).jwt(&self.known.tokens.jwt).send();
        let status = ask("status")?;
        let is_open = status.is(200);
        let got = format!("before {}; after {}", self.status, status.json());
        noted(cx, "second factors", status.json() == self.status, !is_open, &got)?;
        let devices = ask("trusted-devices")?.json();
        let trusted = two_factor::log_in_from(cx, &self.known.user, &two_factor::laptop(cx))?.at("/requiere2FA");
        let is_trusted = trusted == Some(json!(false)) && devices == self.devices;
        let got = format!("{trusted:?}; before {}; after {devices}", self.devices);
        noted(cx, "trusted devices", is_trusted, trusted == Some(json!(true)), &got)?;
        let ended = two_factor::verify(cx, &self.ended, self.known.factor.backup_code(2)?)?.status();
        noted(cx, "logins that ended", ended == 400, false, &ended.to_string())?;
        let session = two_factor::pending_session_from(cx, &self.known.user, &two_factor::phone(cx))?;
        let again = two_factor::verify(cx, &session, self.known.factor.backup_code(0)?)?.status();
        let other = two_factor::verify(cx, &session, self.known.factor.backup_code(1)?)?.status();
        let got = format!("a used one {again}, another {other}");
        noted(cx, "backup codes", (again, other) == (400, 200), (again, other) == (400, 400), &got)?;
        let plain = two_factor::log_in_from(cx, &self.without.user, &two_factor::phone(cx))?.at("/requiere2FA");
        noted(cx, "what was disabled", plain == Some(json!(false)), plain == Some(json!(true)), &format!("{plain:?}"))?;
        let session = two_factor::pending_session(cx, &self.blocked.user)?;
        let refused = two_factor::verify(cx, &session, self.blocked.factor.backup_code(0)?)?.status();
        noted(cx, "lockouts", refused == 400, refused == 200, &refused.to_string())?;
        let reply = two_factor::verify(cx, &self.session, &self.waiting.code(cx)?)?;
        noted(cx, "pending logins", tokens_in(&reply).is_ok(), reply.is(400), &reply.status().to_string())
    }
}
