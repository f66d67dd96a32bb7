//! Replaces `${NAME}` in a profile by the environment, so that secrets need not be in the file. Reads no file.

use toml::Value;

/// Replaces `${NAME}` in every text; `$${` means `${`. Fails if a name is not set.
pub(super) fn filled_in(value: Value, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(text_filled_in(&text, lookup)?),
        Value::Array(items) => {
            let items: Result<Vec<_>, _> = items.into_iter().map(|item| filled_in(item, lookup)).collect();
            Value::Array(items?)
        }
        Value::Table(table) => {
            let filled = table.into_iter().map(|(key, item)| {
                let item = filled_in(item, lookup).map_err(|why| format!("{key}: {why}"))?;
                Ok::<_, String>((key, item))
            });
            Value::Table(filled.collect::<Result<_, _>>()?)
        }
        other => other,
    })
}

fn text_filled_in(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            filled.extend([before, "${"]);
            rest = after;
            continue;
        }
        let Some((name, after)) = after.split_once('}') else {
            return Err(format!("`${{` has no end in `{text}`; `$${{` stands for itself"));
        };
        let value = lookup(name).ok_or_else(|| format!("`${{{name}}}` is not set in the environment"))?;
        filled.extend([before, &value]);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Result<String, String> {
        text_filled_in(text, &|name| (name == "KEY").then(|| "${ak}".to_owned()))
    }

    #[test]
    fn a_name_becomes_its_value_and_what_is_missing_is_named() {
        assert_eq!(filled("a ${KEY}, ${KEY}").unwrap(), "a ${ak}, ${ak}");
        assert_eq!(filled("$${KEY} costs $5").unwrap(), "${KEY} costs $5");
        assert!(filled("${NO}").unwrap_err().contains("`${NO}` is not set"));
        assert!(filled("${KEY").unwrap_err().contains("no end"));
    }

    #[test]
    fn the_key_of_a_text_is_told() {
        let profile: Value = "[credentials]\ntest_key = '${NO}'\n".parse::<toml::Table>().unwrap().into();
        let why = filled_in(profile, &|_| None).unwrap_err();
        assert_eq!(why, "credentials: test_key: `${NO}` is not set in the environment");
    }
}
