//! The options of a connection string that libpq knows and the driver does not: how certificates are checked. Connects to nothing.

use percent_encoding::percent_decode_str;

/// A connection string for the driver, which knows neither `sslrootcert` nor the modes that check certificates.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ConnectionString {
    /// With `sslmode=require` for those modes.
    pub(super) text: String,
    /// The value of `sslrootcert`: a file of the authorities to trust, or `system`.
    pub(super) authorities: Option<String>,
}

impl ConnectionString {
    /// Reads `postgres://...?option=value&...`, or `option=value ...`, without checking it.
    pub(super) fn read(given: &str) -> Self {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| given.starts_with(scheme));
        // As the driver reads a URL, its options begin at the first `?` after the password.
        let password_end = given.find('@').unwrap_or(0);
        let start = given[password_end..].find('?').map_or(given.len(), |at| password_end + at + 1);
        let (head, options) = given.split_at(if is_url { start } else { 0 });
        let options: Vec<&str> = if is_url { options.split('&').collect() } else { words(options) };
        let (mut authorities, mut known) = (None, Vec::new());
        for option in options {
            match option.split_once('=') {
                Some(("sslrootcert", file)) if is_url => {
                    authorities = Some(percent_decode_str(file).decode_utf8_lossy().into());
                }
                Some(("sslrootcert", file)) => authorities = Some(file.trim_matches('\'').to_owned()),
                // Each certificate is checked, with the name, as `verify-full` asks.
                Some(("sslmode", "verify-full" | "verify-ca")) => known.push("sslmode=require"),
                _ => known.push(option),
            }
        }
        Self { text: head.to_owned() + &known.join(if is_url { "&" } else { " " }), authorities }
    }
}

/// The words of a text; spaces in quotes or after a backslash end none.
fn words(text: &str) -> Vec<&str> {
    let (mut is_escaped, mut is_quoted, mut before) = (false, false, ' ');
    let ends_word = |letter: char| {
        let is_plain = !is_escaped;
        is_escaped = is_plain && letter == '\\';
        if letter == '\'' && is_plain && (is_quoted || before == '=') {
            is_quoted = !is_quoted;
        }
        before = letter;
        is_plain && !is_quoted && letter.is_whitespace()
    };
    text.split(ends_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_where_options_stand_alone() {
        let authorities = Some("/a b/ca.pem");
        for (given, text, found) in [
            (
                "postgres://u@h/d?sslmode=verify-full&sslrootcert=/a%20b/ca.pem",
                "postgres://u@h/d?sslmode=require",
                authorities,
            ),
            ("postgres://u@h/d?sslrootcert=system&options=-c", "postgres://u@h/d?options=-c", Some("system")),
            ("host=h sslrootcert='/a b/ca.pem' sslmode=verify-ca", "host=h sslmode=require", authorities),
        ] {
            let read = ConnectionString::read(given);
            assert_eq!((read.text.as_str(), read.authorities.as_deref()), (text, found));
        }
        for given in [
            "postgres://u:sslrootcert=x&sslmode=verify-full@h/d",
            "postgres://u:a?sslrootcert=x@h/sslrootcert=y?application_name=sslrootcert=z&no_sslrootcert=1",
            "host=h password='it\\'s sslrootcert=x' options='-c sslmode=verify-full'",
            "host=h password=it's\\ sslrootcert=x",
        ] {
            let read = ConnectionString::read(given);
            assert_eq!((read.text.as_str(), read.authorities), (given, None));
        }
    }
}
