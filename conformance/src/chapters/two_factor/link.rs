//! The link for authenticator apps, and switching the second factor off.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::chapters::prelude::*;
use crate::http::header_values;

cases! { "two-factor";
    /// qrUrl has scheme, label and five parameters in order; its secret is the one beside it.
    a_link_has_its_parts_in_order judges ["two-factor/qr-shape", "two-factor/qr-secret"] => |cx| enabled(cx, &[""]).map(drop);
    /// The issuer in qrUrl is the service's name, the same in label and parameter.
    the_issuer_of_a_link_is_the_service judges ["two-factor/qr-issuer-is-realm"] => |cx| {
        let (_, reply) = enabled(cx, &[""])?;
        let link = Link::of(&reply)?;
        let check = reply.check();
        let [label, parameter] =
            [link.issuer.as_str(), link.parameter("issuer")].map(|issuer| decoded(issuer, true).unwrap_or_default());
        let is_same = label == parameter && !label.is_empty();
        let place = "the issuer in label and parameter of /qrUrl";
        check.that(is_same, place, "the same twice", format!("`{label}`, `{parameter}`"))?;
        let denied = cx.get("/2fa/status").send()?.prepared("asking without a credential", 401)?;
        let header = denied.header("WWW-Authenticate").unwrap_or_default();
        let why = || format!("want WWW-Authenticate with a realm, got `{header}`");
        let realm = header_values::bearer_realm(&header);
        let realm = realm.ok_or_else(|| CaseError::blocked("reading the service's name", why()))?.trim_matches('"');
        let want = format!("`{realm}`, spelling aside");
        check.that(bare(&label) == bare(realm), "the issuer in /qrUrl", want, label).map(drop)
    };
    /// Characters of qrUrl that a URL cannot hold are percent-encoded in UTF-8: spaces of the issuer, accents of an e-mail.
    a_link_is_a_url judges ["two-factor/qr-shape"] => |cx| {
        // Where registration takes no accents, the issuer is still looked at.
        let (email, reply) = enabled(cx, &["ñandú.", ""])?;
        let text = reply.text_at("/qrUrl");
        let check = reply.check();
        let is_url = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte));
        check.that(is_url, Place::body("/qrUrl"), "characters of URLs alone, others encoded", &text)?;
        let user = Link::of(&reply)?.user;
        let decoded = decoded(&user, false).unwrap_or_default();
        // The letter case of an e-mail is its own, or lowered.
        check.that(decoded.to_lowercase() == email.to_lowercase(), "the user in /qrUrl", email, user).map(drop)
    };
    /// Characters of an e-mail that have a meaning in URLs do not end the label of qrUrl.
    what_is_encoded_in_a_link judges ["two-factor/qr-encoding"] => |cx| {
        let (email, reply) = enabled(cx, &["uno+dos&tres#cuatro%41=", "uno+dos", ""])?;
        let (text, link) = (reply.text_at("/qrUrl"), Link::of(&reply)?);
        let user = link.user.as_str();
        let issuer = link.parameter("issuer").to_owned() + &link.issuer;
        let is_user = decoded(user, false).as_deref() == Some(&email)
            // An ampersand may stand in a path as it is; a hash would end it.
            && !user.contains('#')
            && link.parameter("period") == "30";
        let readings = [
            ("plus", is_user && issuer.contains('+')),
            ("component", is_user && user == encode_component(&email)),
            ("at-sign", is_user && user.contains('@')),
            ("other", is_user),
        ];
        cx.observe(&readings, text)
    };
}

/// Enables two-factor for a new user whose e-mail begins with the first of these that registration takes; the e-mail and the
/// answer. An empty beginning, the last, must be taken.
fn enabled(cx: &CaseContext<'_>, beginnings: &[&str]) -> CaseResult<(String, Reply)> {
    for beginning in beginnings {
        let email = format!("{beginning}{}", users::email(cx, "user"));
        let body = json!({ "email": email, "password": PASSWORD, "nombre": "Prueba" });
        let reply = users::registration(cx, &body).send()?;
        if reply.is(201) || beginning.is_empty() {
            reply.prepared("registering a user", 201)?;
            let tokens = users::log_in(cx, &email, PASSWORD)?;
            let reply = two_factor::manage(cx, "POST", "enable", &tokens).send()?;
            return Ok((email, reply.prepared("enabling two-factor", 200)?));
        }
    }
    Err(CaseError::Broken("no e-mail to try".into()))
}

/// The parts of a link, not decoded.
struct Link {
    /// The label before the colon.
    issuer: String,
    /// The label after the colon.
    user: String,
    /// Names and values, in order.
    parameters: Vec<(String, String)>,
}

impl Link {
    fn parse(text: &str) -> Option<Self> {
        let (label, query) = text.strip_prefix("otpauth://totp/")?.split_once('?')?;
        let (issuer, user) = label.split_once(':')?;
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        let parameters = query.split('&').map(pair).collect::<Option<_>>()?;
        Some(Self { issuer: issuer.to_owned(), user: user.to_owned(), parameters })
    }

    fn of(reply: &Reply) -> CaseResult<Self> {
        let want = "otpauth://totp/<issuer>:<user>?<parameters> at /qrUrl";
        Self::parse(&reply.text_at("/qrUrl")).ok_or_else(|| reply.blocked("taking qrUrl apart", want))
    }

    fn parameter(&self, name: &str) -> &str {
        let found = self.parameters.iter().find(|(given, _)| given == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Percent sequences decoded, a plus sign taken for a space if asked; `None` where that is no UTF-8.
fn decoded(text: &str, plus_is_space: bool) -> Option<String> {
    let text = if plus_is_space { text.replace('+', " ") } else { text.to_owned() };
    percent_decode_str(&text).decode_utf8().ok().map(Cow::into_owned)
}

/// The letters and digits of a name, in lower case.
fn bare(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_come_apart_and_names_decode() {
        let link = Link::parse("otpauth://totp/A%20B:x%40y?secret=00&issuer=A+B").unwrap();
        assert_eq!(decoded(&link.issuer, false).unwrap(), "A B");
        assert_eq!(decoded(link.parameter("issuer"), true).unwrap(), "A B");
        assert_eq!(decoded(&link.user, false).unwrap(), "x@y");
        assert_eq!(encode_component("x@y-z ñ"), "x%40y-z%20%C3%B1");
        assert_eq!(decoded("%C3%B1%zz%4", false).unwrap(), "ñ%zz%4");
        assert!(Link::parse("otpauth://totp/AB?secret=00").is_none());
        assert!(Link::parse("otpauth://hotp/A:B?secret=00").is_none());
    }
}
