//! The values that one side returned in a history, as `‹kind number›`, and the requests made from them.
//!
//! Numbers count from the latest, and begin anew after the earliest. A template whose value does not exist is left out. Compares nothing.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::Value;

use super::step::StepRequest;
use crate::http::exchange::Received;
use crate::oracle::{jwt, totp};

/// The values that both sides of a history share.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// `‹email n›` and `‹password n›`.
    pub people: Vec<(String, String)>,
    /// `‹agent n›` and `‹language n›`: the headers that make a device.
    pub agents: Vec<(String, String)>,
    /// `‹unknown-book›`: the path of a book that does not exist.
    pub unknown_book: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Given {
    kind: &'static str,
    /// The user's e-mail; for a tag the path, for a listed device its User-Agent.
    owner: String,
    value: String,
}

/// Backup codes that were issued together.
#[derive(Debug, Clone)]
struct Issue {
    owner: String,
    codes: Vec<String>,
    used: Vec<String>,
}

/// What one side returned in its replies.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    given: Vec<Given>,
    issues: Vec<Issue>,
    /// The number of replies learned from, which makes each wrong code another one.
    learned: usize,
    /// Whether pending logins are forgotten when two-factor is enabled or disabled: the documents do not say whether they hold.
    drops_pending: bool,
}

impl Memory {
    pub(super) fn new(drops_pending: bool) -> Self {
        Self { drops_pending, ..Self::default() }
    }

    /// The request of a template at that time; `None` if it names a value that does not exist.
    pub(super) fn filled(&self, template: &StepRequest, names: &Names, now_ms: i64) -> Option<StepRequest> {
        let path = self.text(&template.path, names, "", now_ms)?;
        let text = |text: &String| self.text(text, names, &path, now_ms);
        let header = |(name, value): &(String, String)| Some((name.clone(), text(value)?));
        let headers = template.headers.iter().map(header).collect::<Option<_>>()?;
        let body = match &template.body {
            Some(body) => Some(text(body)?),
            None => None,
        };
        Some(StepRequest { path: path.clone(), headers, body, ..*template })
    }

    fn text(&self, template: &str, names: &Names, path: &str, now_ms: i64) -> Option<String> {
        let mut text = template.to_owned();
        // The innermost first: `‹base64 {"exp":‹exp 30›}›`.
        while let Some((before, rest)) = text.split_once('›') {
            let (before, name) = before.rsplit_once('‹')?;
            let value = self.value(name, names, path, now_ms)?;
            text = format!("{before}{value}{rest}");
        }
        Some(text)
    }

    fn value(&self, placeholder: &str, names: &Names, path: &str, now_ms: i64) -> Option<String> {
        const MADE_UP: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        let (kind, argument) = placeholder.split_once(' ').unwrap_or((placeholder, ""));
        let mut numbers = argument.split(' ').map(|number| number.parse::<i64>().unwrap_or_default());
        let (back, ahead) = (usize::try_from(numbers.next()?).unwrap_or_default(), numbers.next().unwrap_or_default());
        let latest_or = |default: &str| Some(self.given(kind, back).unwrap_or(default).to_owned());
        let person = || names.people.get(back % names.people.len().max(1)).cloned().unzip();
        let device = || names.agents.get(back % names.agents.len().max(1)).cloned().unzip();
        match kind {
            "email" => person().0,
            "password" => person().1,
            "agent" => device().0,
            "language" => device().1,
            // The password of the token's user.
            "password-of" => {
                let (kind, back) = argument.split_once(' ')?;
                let owner = self.latest(kind, back.parse().ok()?).map(|token| token.owner.as_str());
                let user = names.people.iter().find(|(email, _)| Some(email.as_str()) == owner);
                user.or(names.people.first()).map(|(_, password)| password.clone())
            }
            "unknown-book" => Some(names.unknown_book.clone()),
            "session" => latest_or(MADE_UP),
            "jwt" => latest_or("x"),
            "client" => latest_or("ak_0"),
            "device" => latest_or("0"),
            "user" => latest_or("1"),
            "book" => latest_or(&(1 + back % 5).to_string()),
            // The latest tag is that of the path, if there is one.
            "tag" => {
                let tag = self.latest_of("tag", path).filter(|_| back == 0);
                tag.map_or_else(|| latest_or("0"), |tag| Some(tag.to_owned()))
            }
            // The id of the device with that User-Agent in the last list.
            "listed-device" => {
                let (agent, _) = names.agents.get(back)?;
                self.given.iter().find(|it| it.kind == "listed" && it.owner == *agent).map(|it| it.value.clone())
            }
            "exp" => Some((now_ms / 1_000 + argument.parse::<i64>().ok()?).to_string()),
            "base64" => Some(STANDARD.encode(argument)),
            "base64url" => Some(URL_SAFE_NO_PAD.encode(argument)),
            // Repeats the headers of the login: which device other headers would register is open.
            "pending" | "pending-agent" | "pending-language" => self.given(kind, back).map(str::to_owned),
            "any-backup-code" => {
                let issue = self.issues.get(self.issues.len().checked_sub(1)? - back % self.issues.len())?;
                issue.codes.get(back % issue.codes.len()).cloned()
            }
            _ => self.code(kind, &self.latest("pending", back)?.owner, ahead, now_ms),
        }
    }

    /// A code of a kind for the user of a pending login.
    fn code(&self, kind: &str, email: &str, number: i64, now_ms: i64) -> Option<String> {
        let now = totp::step_at(now_ms);
        let issues = || self.issues.iter().rev().filter(|issue| issue.owner == email);
        let at = usize::try_from(number).unwrap_or_default();
        match kind {
            // The code of the step that many steps from now.
            "code" => self.code_at(email, 0, now + number),
            "former-code" => self.code_at(email, 1, now),
            // The code of this step, or of the next if that was sent already: a code may be valid only once.
            "unsent-code" => {
                let sent = self.latest_of("sent", email).and_then(|sent| sent.parse().ok()).unwrap_or(0);
                let unsent = [now, now + 1].into_iter().find(|step| *step > sent)?;
                self.code_at(email, 0, unsent)
            }
            "wrong-code" => Some(totp::wrong_code(&self.key(email, 0).unwrap_or_default(), now, self.learned)),
            "wrong-backup-code" => Some(format!("{:010X}", 0xBA_DC0D_E000 + self.learned)),
            "backup-code" => issues().next().and_then(|issue| issue.codes.get(at % issue.codes.len())).cloned(),
            "small-backup-code" => {
                // A code without letters is the same in lower case.
                let lettered = |code: &&String| code.bytes().any(|byte| byte.is_ascii_alphabetic());
                issues().next()?.codes.iter().cycle().skip(at).take(8).find(lettered).map(|code| code.to_lowercase())
            }
            "unused-backup-code" => {
                issues().next().and_then(|issue| issue.codes.iter().find(|code| !issue.used.contains(code))).cloned()
            }
            "used-backup-code" => issues().next().and_then(|issue| issue.used.last()).cloned(),
            "replaced-backup-code" => issues().nth(1).and_then(|issue| issue.codes.last()).cloned(),
            _ => None,
        }
    }

    fn key(&self, email: &str, former: usize) -> Option<Vec<u8>> {
        let mut secrets = self.given.iter().rev().filter(|it| it.kind == "secret" && it.owner == email);
        hex::decode(&secrets.nth(former)?.value).ok()
    }

    fn code_at(&self, email: &str, former: usize, step: i64) -> Option<String> {
        self.key(email, former).map(|key| totp::code(&key, step))
    }

    fn latest(&self, kind: &str, back: usize) -> Option<&Given> {
        let of_kind: Vec<&Given> = self.given.iter().filter(|it| it.kind == kind).collect();
        of_kind.get(of_kind.len().checked_sub(1)? - back % of_kind.len()).copied()
    }

    fn latest_of(&self, kind: &str, owner: &str) -> Option<&str> {
        self.given.iter().rev().find(|it| it.kind == kind && it.owner == owner).map(|it| it.value.as_str())
    }

    /// The value of a kind; `back` counts from the latest.
    pub(super) fn given(&self, kind: &str, back: usize) -> Option<&str> {
        self.latest(kind, back).map(|it| it.value.as_str())
    }

    /// Whether this side returned the value before.
    pub fn holds(&self, value: &str) -> bool {
        self.given.iter().any(|it| it.value == value)
    }

    /// The e-mail that the tokens, secrets and codes in the reply belong to.
    fn owner(&self, request: &StepRequest) -> Option<String> {
        let token = || request.value_of("Authorization")?.split_once(' ').map(|(_, token)| token);
        let owner_of = |value: &str| self.given.iter().rev().find(|it| it.value == value).map(|it| it.owner.clone());
        match request.path.as_str() {
            "/auth/login" => request.field("email").as_str().map(str::to_owned),
            "/auth/verify-2fa" => owner_of(request.field("sessionId").as_str()?),
            path if path.starts_with("/2fa/") => {
                owner_of(token()?).or_else(|| jwt::json_of_segment(token()?, 1)?["email"].as_str().map(str::to_owned))
            }
            _ => None,
        }
    }

    pub(super) fn learn(&mut self, request: &StepRequest, reply: &Received, now_ms: i64) {
        self.learned += 1;
        if let Some(tag) = reply.header("etag") {
            self.remember("tag", &request.path, &tag);
        }
        let owner = self.owner(request);
        let Some(body) = reply.json() else { return };
        if let Some(id) = body["id"].as_u64() {
            self.remember("book", "", &id.to_string());
        }
        for (kind, pointer) in [("client", "/apiKey"), ("user", "/id"), ("user", "/data/createUser/id")] {
            // Ids of demonstration users are 13-digit times.
            let text = body.pointer(pointer).and_then(Value::as_str);
            let text = text.filter(|text| kind == "client" || text.len() == 13);
            text.into_iter().for_each(|text| self.remember(kind, "", text));
        }
        if let Some(devices) = body["dispositivos"].as_array() {
            self.given.retain(|it| it.kind != "listed");
            for device in devices {
                let [id, agent] = ["deviceId", "userAgent"].map(|key| device[key].as_str().unwrap_or_default());
                self.remember("device", "", id);
                self.remember("listed", agent, id);
            }
        }
        if let Some(email) = owner.filter(|_| reply.status == 200) {
            self.learn_from_success(&email, request, body, now_ms);
        }
    }

    fn learn_from_success(&mut self, email: &str, request: &StepRequest, body: &Value, now_ms: i64) {
        let pairs = [
            ("session", "/tokens/sessionToken"),
            ("jwt", "/tokens/jwtToken"),
            ("pending", "/sessionId"),
            ("secret", "/secret"),
        ];
        if self.drops_pending && matches!(request.path.as_str(), "/2fa/enable" | "/2fa/disable") {
            self.given.retain(|it| !it.kind.starts_with("pending") || it.owner != email);
        }
        if let Some(token) = request.field("token").as_str() {
            let now = totp::step_at(now_ms);
            let step = (now - 1..=now + 1).find(|step| self.code_at(email, 0, *step).as_deref() == Some(token));
            step.into_iter().for_each(|step| self.remember("sent", email, &step.to_string()));
            let issue = self.issues.iter_mut().rev().find(|issue| issue.owner == email);
            issue.filter(|issue| issue.codes.iter().any(|code| code == token)).into_iter().for_each(|issue| {
                issue.used.push(token.to_owned());
            });
        }
        for (kind, pointer) in pairs {
            let text = body.pointer(pointer).and_then(Value::as_str);
            text.into_iter().for_each(|text| self.remember(kind, email, text));
        }
        if body["sessionId"].is_string() {
            for (kind, header) in [("pending-agent", "User-Agent"), ("pending-language", "Accept-Language")] {
                self.remember(kind, email, request.value_of(header).unwrap_or_default());
            }
        }
        let codes = body["backupCodes"].as_array().into_iter().flatten();
        let codes: Vec<String> = codes.filter_map(|code| code.as_str().map(str::to_owned)).collect();
        if !codes.is_empty() {
            self.issues.push(Issue { owner: email.to_owned(), codes, used: Vec::new() });
        }
    }

    fn remember(&mut self, kind: &'static str, owner: &str, value: &str) {
        // The marks of placeholders: such a value would be filled in without end.
        if value.contains(['‹', '›']) {
            return;
        }
        self.given.push(Given { kind, owner: owner.to_owned(), value: value.to_owned() });
    }
}
