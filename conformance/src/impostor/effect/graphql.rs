//! How effects misread the text of a GraphQL query. Knows no schema.

pub(crate) fn without_aliases(query: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0;
    for c in query.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ':' && depth == 0 {
            plain.truncate(plain.trim_end().rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1));
        } else {
            plain.push(c);
        }
    }
    plain
}

/// The query with further fields of each user that it asks for at its root.
pub(crate) fn ask_for(query: &str, fields: &str) -> String {
    let at = query.match_indices('{').nth(1).map(|(at, _)| at + 1).filter(|_| !query.contains("__schema"));
    at.map_or_else(|| query.to_owned(), |at| format!("{} {fields} {}", &query[..at], &query[at..]))
}

/// The query with the first of its roots alone.
pub(crate) fn first_root(query: &str) -> String {
    let mut depth = 0;
    let end = query.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        *c == '}' && depth == 1
    });
    end.map_or_else(|| query.to_owned(), |(at, _)| format!("{} }}", &query[..=at]))
}
