//! What is there after the service was killed and started again: kept, or gone as a whole, but never half.

use serde_json::{Value, json};

use crate::case::Need;
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::fixture::books::MadeBook;
use crate::fixture::clients::MadeClient;
use crate::fixture::two_factor::{Enrolled, tokens_in};
use crate::fixture::users::{MadeUser, PASSWORD, Tokens};
use crate::http::reply::{reading, reading_of};

cases! { "storage";
    /// What was confirmed before the service was killed is there when it is started again, or gone as a whole.
    what_a_restart_leaves judges ["storage/survives-restart", "storage/confirmed-is-durable"] needs [Need::Restart];
}

const RULE: &str = "storage/survives-restart";

fn what_a_restart_leaves(t: &Trial<'_>) -> Judged {
    if t.setting().control().is_some() {
        // A clock that was moved ahead goes back with the service.
        t.reset()?;
    }
    let users = Users::made(t)?;
    let factors = Factors::made(t)?;
    let books = Books::made(t)?;
    t.restart()?;
    books.look(t)?;
    users.look(t)?;
    factors.look(t)
}

/// Notes what became of something: kept, or gone.
fn noted(t: &Trial<'_>, what: &str, kept: bool, gone: bool, got: &str) -> Judged {
    reading_of(t, RULE, what, &[("kept", kept), ("gone", gone)], format!("{what}: {got}"))
}

struct Books {
    total: Option<Value>,
    kept: [(u64, Value); 2],
    deleted: u64,
    /// The last one confirmed before the service was killed.
    last: MadeBook,
}

impl Books {
    fn made(t: &Trial<'_>) -> Result<Self, Stop> {
        let rich = json!({ "año": 1985, "temas": ["mar", null, { "a": [1.5, true] }], "vacío": "", "nota": "\u{1F4DA} \"\\\n" });
        let rich = t.create_book(&rich)?;
        let replaced = t.create_book(&json!({ "edición": 1 }))?;
        let body = json!({ "titulo": "Otro", "edición": 2 });
        t.put(&replaced.path()).key(t.admin_key()).json(&body).send()?.prepared("replacing a book", 200)?;
        let deleted = t.create_book(&json!({}))?;
        let kept = [(rich.id, t.read_book(rich.id)?), (replaced.id, t.read_book(replaced.id)?)];
        // One above it, or its id would be given again.
        t.create_book(&json!({}))?;
        t.delete_book(&deleted)?;
        let last = t.create_book(&json!({}))?;
        Ok(Self { total: total(t)?, kept, deleted: deleted.id, last })
    }

    fn look(&self, t: &Trial<'_>) -> Judged {
        let read = |id: u64| -> Result<Option<Value>, Stop> {
            let reply = t.get(&format!("/libros/{id}")).key(t.admin_key()).send()?;
            Ok((reply.status() == 200).then(|| reply.json()))
        };
        let (mut same, mut missing) = (true, true);
        for (id, before) in &self.kept {
            let after = read(*id)?;
            same &= after.as_ref() == Some(before);
            missing &= after.is_none();
        }
        let last = read(self.last.id)?;
        let is_deleted = read(self.deleted)?.is_none();
        let after = total(t)?;
        let got = format!("the same: {same}, deleted: {is_deleted}; {:?} books before, {after:?} after", self.total);
        // Without the last write there is one book less; the initial ones again are none of those made.
        let is_lost = last.is_none() && !missing;
        noted(t, "books", same && is_deleted && (after == self.total || is_lost), missing && last.is_none(), &got)?;
        let in_time = last.as_ref() == Some(&self.last.value());
        let readings = [
            ("durable before the answer", in_time),
            ("durable some time after it", is_lost),
            ("nothing is durable", missing && last.is_none()),
        ];
        reading(t, "storage/confirmed-is-durable", &readings, format!("the last book: {last:?}"))?;
        let next = t.create_book(&json!({}))?;
        let goes_on = next.id == self.last.id + 1;
        noted(t, "the count of ids", goes_on, !in_time, &format!("{} after {}", next.id, self.last.id))
    }
}

/// How many books there are.
fn total(t: &Trial<'_>) -> Result<Option<Value>, Stop> {
    let reply = t.get("/libros?limit=1").key(t.admin_key()).send()?.prepared("listing books", 200)?;
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
    fn made(t: &Trial<'_>) -> Result<Self, Stop> {
        let (user, tokens) = t.register_and_log_in("moderator")?;
        t.get("/libros?limit=1").bearer(&tokens.session).send()?.prepared("using the session token", 200)?;
        let (keeper, admin) = t.register_and_log_in("admin")?;
        let reader = t.create_client_as(&admin, &["read:libros"])?;
        t.create_client_as(&admin, &["read:libros", "write:libros"])?;
        use_key(t, &reader)?;
        if t.setting().control().is_some() {
            t.advance(60.0)?;
            use_key(t, &reader)?;
        }
        let clients = clients(t, &admin)?;
        Ok(Self { user, tokens, keeper, reader, clients })
    }

    fn look(&self, t: &Trial<'_>) -> Judged {
        let login = t.try_log_in(&self.user.email, PASSWORD)?;
        let wrong = t.try_log_in(&self.user.email, "otra")?;
        let is_known = login.status() == 200 && login.text_at(&t.principal_field("id")) == self.user.id;
        let may = login.at(&t.principal_field("permissions"));
        let is_moderator = may == Some(json!(["read:libros", "write:libros", "delete:libros"]));
        let got = format!("login {}, with a wrong password {}, permissions {may:?}", login.status(), wrong.status());
        noted(t, "users", is_known && is_moderator && wrong.status() == 400, login.status() == 400, &got)?;
        let list = |with: &str| t.get("/libros?limit=1").header("Authorization", with).send();
        let session = list(&format!("Bearer {}", self.tokens.session))?.status();
        noted(t, "sessions", session == 200, session == 401, &session.to_string())?;
        let jwt = list(&format!("JWT {}", self.tokens.jwt))?.status();
        noted(t, "JWTs", jwt == 200, jwt == 401, &jwt.to_string())?;
        let newcomer = t.register("user")?;
        let is_new = newcomer.id != self.user.id && newcomer.id != self.keeper.id;
        noted(t, "the count of users", is_new, login.status() == 400, &newcomer.id)?;
        self.look_at_clients(t)
    }

    fn look_at_clients(&self, t: &Trial<'_>) -> Judged {
        let keeper = t.try_log_in(&self.keeper.email, PASSWORD)?;
        let session = keeper.text_at("/tokens/sessionToken");
        let admin = Tokens { session, jwt: keeper.text_at("/tokens/jwtToken") };
        let after = if keeper.status() == 200 { clients(t, &admin)? } else { Value::Null };
        let (was, is) = (entry(&self.clients, &self.reader.id), entry(&after, &self.reader.id));
        noted(t, "API keys listed", is == was, is.is_none(), &format!("{is:?}, and before {was:?}"))?;
        let read = t.get("/libros?limit=1").key(&self.reader.key).send()?.status();
        let book = json!({ "titulo": "x", "autor": "y" });
        let wrote = t.claim(t.post("/libros").key(&self.reader.key).json(&book).send()?).status();
        noted(t, "API keys", (read, wrote) == (200, 401), read == 401, &format!("read {read}, wrote {wrote}"))
    }
}

fn use_key(t: &Trial<'_>, client: &MadeClient) -> Judged {
    t.get("/libros?limit=1").key(&client.key).send()?.prepared("using a created key", 200).map(|_| ())
}

fn clients(t: &Trial<'_>, admin: &Tokens) -> Result<Value, Stop> {
    Ok(t.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing API keys", 200)?.json())
}

/// The entry of the client of that id, whichever key its fields stand under.
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
    fn made(t: &Trial<'_>) -> Result<Self, Stop> {
        let known = t.enroll()?;
        let ended = t.pend(&known.user)?;
        tokens_in(&t.verify_trusting(&ended, known.factor.backup_code(0)?, &t.laptop())?)?;
        let status = t.manage("GET", "status", &known.tokens).send()?.prepared("asking for the status", 200)?.json();
        let devices = t.manage("GET", "trusted-devices", &known.tokens).send()?;
        let devices = devices.prepared("listing trusted devices", 200)?.json();
        let without = t.enroll()?;
        t.disable(&without.tokens)?;
        let blocked = t.enroll()?;
        t.fail_checks(&blocked, 3)?;
        let waiting = t.enroll()?;
        let session = t.pend(&waiting.user)?;
        Ok(Self { known, ended, status, devices, without, blocked, waiting, session })
    }

    fn look(&self, t: &Trial<'_>) -> Judged {
        let gone = t.try_log_in(&self.known.user.email, PASSWORD)?.status() == 400;
        if gone {
            return noted(t, "second factors", false, true, "");
        }
        let status = t.manage("GET", "status", &self.known.tokens).send()?;
        let is_open = status.status() == 200;
        let got = format!("before {}; after {}", self.status, status.json());
        noted(t, "second factors", status.json() == self.status, !is_open, &got)?;
        let devices = t.manage("GET", "trusted-devices", &self.known.tokens).send()?.json();
        let trusted = t.log_in_from(&self.known.user, &t.laptop())?.at("/requiere2FA");
        let is_trusted = trusted == Some(json!(false)) && devices == self.devices;
        let got = format!("{trusted:?}; before {}; after {devices}", self.devices);
        noted(t, "trusted devices", is_trusted, trusted == Some(json!(true)), &got)?;
        let ended = t.verify(&self.ended, self.known.factor.backup_code(2)?)?.status();
        noted(t, "logins that ended", ended == 400, false, &ended.to_string())?;
        let session = t.pend_from(&self.known.user, &t.phone())?;
        let again = t.verify(&session, self.known.factor.backup_code(0)?)?.status();
        let other = t.verify(&session, self.known.factor.backup_code(1)?)?.status();
        let got = format!("a used one {again}, another {other}");
        noted(t, "backup codes", (again, other) == (400, 200), other == 400, &got)?;
        let plain = t.log_in_from(&self.without.user, &t.phone())?.at("/requiere2FA");
        noted(t, "what was disabled", plain == Some(json!(false)), plain == Some(json!(true)), &format!("{plain:?}"))?;
        let session = t.pend(&self.blocked.user)?;
        let refused = t.verify(&session, self.blocked.factor.backup_code(0)?)?.status();
        noted(t, "lockouts", refused == 400, refused == 200, &refused.to_string())?;
        let reply = t.verify(&self.session, &self.waiting.factor.code(t.step()?))?;
        noted(t, "pending logins", tokens_in(&reply).is_ok(), reply.status() == 400, &reply.status().to_string())
    }
}
