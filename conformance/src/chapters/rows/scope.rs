//! The values of placeholders such as `${user.id}`: what the entry was given, what it defines, what answers showed, and general ones.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::chapters::prelude::*;
use crate::fixture::demo::unknown_ids;
use crate::fixture::tokens::Mint;
use crate::json::{pointer_to, text_of};
use crate::oracle::jwt::json_of_segment;
use crate::oracle::totp;

/// Placeholders to their values, or to the name of a list.
pub(super) type Each = IndexMap<String, Value>;
/// The lists of a file, by name.
pub(super) type Lists = IndexMap<String, Vec<Value>>;

/// The list of ids that no user has, close to the one whose placeholder follows.
pub(super) const UNKNOWN_IDS: &str = "unknown_ids:";

/// The values of placeholders.
#[derive(Debug)]
pub(super) struct Scope<'c> {
    pub(super) cx: &'c CaseContext<'c>,
    pub(super) interface: Interface,
    lists: &'c Lists,
    known: Map<String, Value>,
    /// The names that the entry defines itself.
    defined: BTreeSet<String>,
    pub(super) moments: BTreeMap<String, Span>,
    /// The time of the edge before which answers must come.
    pub(super) deadline_ms: Option<i64>,
    /// Whether one came too late to be judged.
    pub(super) is_late: bool,
    /// Whether the steps that follow in a row are left out.
    pub(super) leaves_out_rest: bool,
}

impl<'c> Scope<'c> {
    pub(super) fn new(cx: &'c CaseContext<'c>, interface: Interface, lists: &'c Lists) -> Self {
        let credentials = &cx.target().credentials;
        let [admin, user] = [&credentials.admin_user, &credentials.regular_user]
            .map(|user| json!({ "email": user.email, "password": user.password }));
        let known = Map::from_iter([("initial".to_owned(), json!({ "admin": admin, "user": user }))]);
        Self {
            cx,
            interface,
            lists,
            known,
            defined: BTreeSet::new(),
            moments: BTreeMap::new(),
            deadline_ms: None,
            is_late: false,
            leaves_out_rest: false,
        }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.known.insert(name.to_owned(), value);
    }

    /// Sets a value of the entry's own, which stands where an answer has none to put in its place.
    pub(super) fn define(&mut self, name: &str, template: &Value) -> CaseResult {
        self.set(name, self.value(template)?);
        self.defined.insert(name.to_owned());
        Ok(())
    }

    pub(super) fn defines(&self, name: &str) -> bool {
        self.defined.contains(name)
    }

    pub(super) fn moment(&self, name: &str) -> CaseResult<Span> {
        let found = self.moments.get(name).copied();
        found.ok_or_else(|| CaseError::Broken(format!("no step has the moment `{name}`")))
    }

    /// The times that a moment may have, with the tolerance for clocks that differ.
    pub(super) fn about(&self, moment: &str) -> CaseResult<RangeInclusive<i64>> {
        let (Span { from, to }, slack) = (self.moment(moment)?, time::tolerance_ms(self.cx));
        Ok(from - slack..=to + slack)
    }

    /// The values themselves, or those of a list, named or given by a placeholder.
    pub(super) fn list(&self, values: &Value) -> CaseResult<Vec<Value>> {
        let Some(name) = values.as_str() else { return Ok(values.as_array().cloned().unwrap_or_default()) };
        if name.starts_with("${") {
            return self.list(&self.value(values)?);
        }
        if let Some(id) = name.strip_prefix(UNKNOWN_IDS) {
            return Ok(unknown_ids(self.cx, &text_of(&self.value_of(id)?)).into_iter().map(Value::from).collect());
        }
        let found = self.lists.get(name).cloned();
        found.ok_or_else(|| CaseError::Broken(format!("no list is called `{name}`")))
    }

    /// Calls `act` for every combination of values, with their names and texts.
    pub(super) fn for_each(
        &mut self,
        each: &Each,
        act: &mut dyn FnMut(&mut Self, &[(&str, String)]) -> CaseResult,
    ) -> CaseResult {
        let lists: Vec<_> =
            each.iter().map(|(name, values)| Ok((name, self.list(values)?))).collect::<CaseResult<_>>()?;
        let count: usize = lists.iter().map(|(_, list)| list.len()).product();
        (0..count).try_for_each(|combination| {
            // The last list goes fastest.
            let (mut chosen, mut stride) = (Vec::new(), count);
            for (name, list) in &lists {
                stride /= list.len();
                let value = self.value(&list[combination / stride % list.len()])?;
                chosen.push((name.as_str(), brief(&text_of(&value))));
                self.set(name, value);
            }
            act(self, &chosen)
        })
    }

    /// A text with its placeholders filled in.
    pub(super) fn text(&self, template: &str) -> CaseResult<String> {
        let mut parts = template.split("${");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap_or((part, ""));
            filled += &text_of(&self.value_of(name)?);
            filled += rest;
        }
        Ok(filled)
    }

    /// JSON with the placeholders in its texts filled in. A text that is one placeholder becomes the value itself.
    pub(super) fn value(&self, template: &Value) -> CaseResult<Value> {
        Ok(match template {
            Value::String(text) => match text.strip_prefix("${").and_then(|text| text.strip_suffix('}')) {
                Some(name) if !name.contains("${") => self.value_of(name)?,
                _ => self.text(text)?.into(),
            },
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect::<CaseResult<_>>()?,
            Value::Object(fields) => {
                let filled = fields.iter().map(|(key, value)| Ok((self.text(key)?, self.value(value)?)));
                Value::Object(filled.collect::<CaseResult<_>>()?)
            }
            other => other.clone(),
        })
    }

    /// Makes tokens like those that the target issues.
    fn mint(&self) -> CaseResult<Mint> {
        Mint::from_issued(&text_of(&self.value_of("jwt")?))
    }

    /// Whether the codes of the steps around this one are all different.
    pub(super) fn has_distinct_codes(&self, step: i64) -> CaseResult<bool> {
        let secret = self.secret("secret")?;
        Ok((step - 3..=step + 4).map(|near| totp::code(&secret, near)).collect::<BTreeSet<_>>().len() == 8)
    }

    fn secret(&self, name: &str) -> CaseResult<Vec<u8>> {
        Ok(hex::decode(text_of(&self.value_of(name)?)).unwrap_or_default())
    }

    fn value_of(&self, name: &str) -> CaseResult<Value> {
        let cx = self.cx;
        if let Some((kind, rest)) = name.split_once(':') {
            return self.made_of(kind, rest);
        }
        Ok(match name {
            "null" => Value::Null,
            "email" => users::email(cx, "user").into(),
            "password" => PASSWORD.into(),
            "password_of_nameless" => users::NAMELESS_PASSWORD.into(),
            "key.admin" => cx.admin_key().into(),
            "key.test" => cx.test_key().into(),
            "principal" => pointer_to("", &cx.target().principal).into(),
            "client" => pointer_to("", &cx.target().client).into(),
            "code" => self.value_of("code:secret")?,
            _ if name.contains("wrong_codes.") => {
                let (owner, nth) = name.split_once("wrong_codes.").unwrap_or_default();
                let secret = self.secret(&format!("{owner}secret"))?;
                totp::wrong_code(&secret, totp_steps::current(cx)?, nth.parse().unwrap_or_default()).into()
            }
            "unknown_book" => books::unknown_path(cx).into(),
            _ => {
                let (first, rest) = name.split_once('.').unwrap_or((name, ""));
                let pointer = rest.split('.').filter(|part| !part.is_empty()).map(|part| format!("/{part}"));
                let known = self.known.get(first).and_then(|known| known.pointer(&pointer.collect::<String>()));
                known.cloned().ok_or_else(|| CaseError::Broken(format!("no value is called `{name}`")))?
            }
        })
    }

    /// The value of `${KIND:REST}`; the rest is mostly the name of the value of which it is made.
    fn made_of(&self, kind: &str, rest: &str) -> CaseResult<Value> {
        let cx = self.cx;
        let text = || self.value_of(rest).map(|value| text_of(&value));
        Ok(match kind {
            "unique" => cx.unique(rest).into(),
            "quoted" => quoted(&text()?).into(),
            "encoded" => utf8_percent_encode(&text()?, NON_ALPHANUMERIC).to_string().into(),
            "wholly_encoded" => percent_encoded(&text()?).into(),
            "base64" => STANDARD.encode(text()?).into(),
            "upper" => text()?.to_uppercase().into(),
            "masked" => clients::masked(&text()?).into(),
            "hex" => format!("{:x}", self.value_of(rest)?.as_u64().unwrap_or_default()).into(),
            // `1:name`: one more.
            "plus" => {
                let (more, name) = rest.split_once(':').unwrap_or_default();
                let number = u128::from(self.value_of(name)?.as_u64().unwrap_or_default());
                let sum = number + more.parse::<u128>().unwrap_or_default();
                u64::try_from(sum).map_or_else(|_| sum.to_string().into(), Value::from)
            }
            // `email:name`: that field of the payload of a JWT.
            "claim" => {
                let (field, name) = rest.split_once(':').unwrap_or_default();
                let payload = json_of_segment(&text_of(&self.value_of(name)?), 1).unwrap_or_default();
                payload.get(field).cloned().unwrap_or_default()
            }
            // `4-7:name`: the characters from the fifth to the seventh.
            "part" => {
                let (range, name) = rest.split_once(':').unwrap_or_default();
                let (from, to) = range.split_once('-').unwrap_or_default();
                let [from, to] = [from, to].map(|place| place.parse().unwrap_or_default());
                text_of(&self.value_of(name)?).chars().take(to).skip(from).collect::<String>().into()
            }
            "cut" => {
                let mut text = text()?;
                text.pop();
                text.into()
            }
            "in" => (cx.target_now()?.div_euclid(SECOND_MS) + rest.parse::<i64>().unwrap_or_default()).into(),
            "segment" => {
                let number = rest.parse().unwrap_or_default();
                text_of(&self.value_of("jwt")?).split('.').nth(number).unwrap_or_default().into()
            }
            "mint" => self.mint()?.token(&self.value_of(rest)?).into(),
            "mint_text" => self.mint()?.token_of_text(&text()?).into(),
            "mint_segment" => self.mint()?.token_of_segment(&text()?).into(),
            // `-1:secret`: of the step before.
            "code" => {
                let (distance, name) = rest.split_once(':').unwrap_or(("0", rest));
                let step = totp_steps::current(cx)? + distance.parse::<i64>().unwrap_or_default();
                totp::code(&self.secret(name)?, step).into()
            }
            _ => return Err(CaseError::Broken(format!("no value is made as `{kind}`"))),
        })
    }
}

/// Whether every entry knows a value of this name.
#[cfg(test)]
pub(super) fn is_built_in(name: &str) -> bool {
    const NAMES: [&str; 9] = [
        "null",
        "email",
        "password",
        "password_of_nameless",
        "key.admin",
        "key.test",
        "principal",
        "client",
        "unknown_book",
    ];
    NAMES.contains(&name) || ["unique:", "initial.", "in:", "segment:"].iter().any(|kind| name.starts_with(kind))
}
