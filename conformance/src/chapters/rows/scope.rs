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

    fn secret(&self, name: &str) -> CaseResult<Vec<u8>> {
        Ok(hex::decode(text_of(&self.value_of(name)?)).unwrap_or_default())
    }

    fn value_of(&self, name: &str) -> CaseResult<Value> {
        let cx = self.cx;
        Ok(match name.split_once(':') {
            Some(("unique", stem)) => cx.unique(stem).into(),
            Some(("quoted", name)) => quoted(&text_of(&self.value_of(name)?)).into(),
            Some(("encoded", name)) => {
                utf8_percent_encode(&text_of(&self.value_of(name)?), NON_ALPHANUMERIC).to_string().into()
            }
            Some(("wholly_encoded", name)) => percent_encoded(&text_of(&self.value_of(name)?)).into(),
            Some(("base64", name)) => STANDARD.encode(text_of(&self.value_of(name)?)).into(),
            Some(("upper", name)) => text_of(&self.value_of(name)?).to_uppercase().into(),
            Some(("cut", name)) => {
                let mut text = text_of(&self.value_of(name)?);
                text.pop();
                text.into()
            }
            Some(("in", seconds)) => {
                (cx.target_now()?.div_euclid(SECOND_MS) + seconds.parse::<i64>().unwrap_or_default()).into()
            }
            Some(("segment", number)) => {
                let number = number.parse().unwrap_or_default();
                text_of(&self.value_of("jwt")?).split('.').nth(number).unwrap_or_default().into()
            }
            Some(("mint", payload)) => self.mint()?.token(&self.value_of(payload)?).into(),
            Some(("mint_text", text)) => self.mint()?.token_of_text(&text_of(&self.value_of(text)?)).into(),
            Some(("mint_segment", name)) => self.mint()?.token_of_segment(&text_of(&self.value_of(name)?)).into(),
            Some(("code", secret)) => totp::code(&self.secret(secret)?, totp_steps::current(cx)?).into(),
            _ => match name {
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
            },
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
