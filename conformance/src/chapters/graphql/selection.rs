//! Generated selections of users and posts in each other, and the result that such a selection must have.

use std::fmt::{self, Display, Formatter};
use std::iter;

use proptest::prelude::{BoxedStrategy, Just, Strategy, any};
use proptest::sample::subsequence;

use super::endpoint::posts_of;
use crate::chapters::prelude::*;

/// The type of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A user, with posts below.
    User,
    /// A post, with its user below.
    Post,
}

impl Kind {
    fn scalars(self) -> &'static [&'static str] {
        match self {
            Self::User => &["id", "name", "age"],
            Self::Post => &["id", "title"],
        }
    }

    fn below(self) -> (&'static str, Self) {
        match self {
            Self::User => ("posts", Self::Post),
            Self::Post => ("user", Self::User),
        }
    }
}

/// Fields of a user or a post, and of what is below it.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    scalars: Vec<&'static str>,
    below: Option<Box<Selection>>,
    is_below_first: bool,
}

impl Selection {
    /// Any selection of one to `levels` levels.
    pub(crate) fn any(kind: Kind, levels: usize) -> BoxedStrategy<Self> {
        let all = kind.scalars();
        if levels <= 1 {
            return subsequence(all, 1..=all.len())
                .prop_shuffle()
                .prop_map(|scalars| Self { scalars, below: None, is_below_first: false })
                .boxed();
        }
        let below = proptest::option::weighted(0.8, Self::any(kind.below().1, levels - 1));
        let scalars = subsequence(all, 0..=all.len()).prop_shuffle();
        (scalars, below, any::<bool>(), Just(all[0]))
            .prop_map(|(mut scalars, below, is_below_first, id)| {
                if scalars.is_empty() && below.is_none() {
                    scalars.push(id);
                }
                Self { scalars, below: below.map(Box::new), is_below_first }
            })
            .boxed()
    }

    /// A single field on each of `levels` levels.
    pub(crate) fn chain(kind: Kind, levels: usize) -> Self {
        let below = (levels > 1).then(|| Box::new(Self::chain(kind.below().1, levels - 1)));
        let scalars = if below.is_none() { vec!["id"] } else { Vec::new() };
        Self { scalars, below, is_below_first: false }
    }

    /// As GraphQL spells it, braces included.
    pub(crate) fn text(&self, kind: Kind) -> String {
        let mut fields: Vec<String> = self.scalars.iter().map(|field| (*field).to_owned()).collect();
        if let Some(below) = &self.below {
            let (name, kind) = kind.below();
            let place = if self.is_below_first { 0 } else { fields.len() };
            fields.insert(place, format!("{name} {}", below.text(kind)));
        }
        format!("{{ {} }}", fields.join(" "))
    }

    /// The result for a user that has `id`, `name`, `age` and a list `posts` of `id` and `title`.
    pub(crate) fn of_user(&self, user: &Value) -> Value {
        let mut result = self.scalars_of(user);
        if let Some(below) = &self.below {
            let posts = posts_of(user).iter().map(|post| below.of_post(post, user));
            result.insert("posts".into(), posts.collect());
        }
        Value::Object(result)
    }

    fn of_post(&self, post: &Value, user: &Value) -> Value {
        let mut result = self.scalars_of(post);
        if let Some(below) = &self.below {
            result.insert("user".into(), below.of_user(user));
        }
        Value::Object(result)
    }

    fn scalars_of(&self, source: &Value) -> Map<String, Value> {
        let fields = self.scalars.iter();
        fields.map(|field| ((*field).to_owned(), source[*field].clone())).collect()
    }
}

impl Display for Selection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let levels = iter::successors(Some(self), |level| level.below.as_deref()).count();
        write!(f, "{levels} levels")
    }
}

/// Everything wanted is there, on every level; other fields may be too, and an empty list may be null.
pub(crate) fn covers(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => {
            wanted.iter().all(|(key, value)| got.get(key).is_some_and(|got| covers(value, got)))
        }
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| covers(wanted, got))
        }
        (Value::Array(wanted), Value::Null) => wanted.is_empty(),
        _ => same(wanted, got),
    }
}

/// No object has a field that is not wanted, on any level; what is missing is not looked at.
pub(crate) fn has_no_more(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => {
            got.iter().all(|(key, value)| wanted.get(key).is_some_and(|wanted| has_no_more(wanted, value)))
        }
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.iter().zip(got).all(|(wanted, got)| has_no_more(wanted, got))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_selection_is_spelled_and_foretold() {
        let posts = Selection { scalars: vec!["title"], below: None, is_below_first: false };
        let user = Selection { scalars: vec!["age"], below: Some(Box::new(posts)), is_below_first: true };
        assert_eq!(user.text(Kind::User), "{ posts { title } age }");
        let known = json!({ "id": "1", "name": "Ada", "age": 3, "posts": [{ "id": "7", "title": "T" }] });
        let wanted = json!({ "age": 3, "posts": [{ "title": "T" }] });
        assert_eq!(user.of_user(&known), wanted);
        assert!(covers(&wanted, &known));
        assert!(!has_no_more(&wanted, &known));
        assert!(!covers(&wanted, &json!({ "age": 3, "posts": null })));
        assert_eq!(Selection::chain(Kind::User, 3).text(Kind::User), "{ posts { user { id } } }");
    }
}
