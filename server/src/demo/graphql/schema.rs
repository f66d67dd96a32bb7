//! The schema of the full endpoint and its resolvers. Source: demonstration-endpoints, "GraphQL endpoint", Schema.
//!
//! `seeds/schema.graphql` is this schema as text; a test holds the two together. Knows no HTTP.

use std::sync::Arc;

use juniper::parser::{ParseError, ScalarToken, Token};
use juniper::{
    ArcStr, DefaultScalarValue, EmptySubscription, ExecutionResult, Executor, FieldResult, GraphQLScalar, GraphQLValue,
    ParseScalarResult, RootNode, Scalar, ScalarValue, Selection, graphql_object,
};

use super::limits::Budget;
use crate::demo::users_store::{self, UsersStore};
use libros_server_system::clock::Clock;

/// Most nested levels of selections, fragments, values and types, with fragments followed.
/// The library takes up to 12 KiB of stack for each level, unoptimised. The transport's threads have five times as much.
pub(in crate::demo) const DEPTH_MAX: usize = 256;
/// Most fields of an operation, with fragments followed.
pub(super) const FIELDS_MAX: usize = 2_000;

pub(super) type Schema = RootNode<Query, Mutation, EmptySubscription<Budget>>;

pub(in crate::demo) fn schema(users: &Arc<UsersStore>, clock: Clock) -> Schema {
    let query = Query { users: Arc::clone(users) };
    let mutation = Mutation { users: Arc::clone(users), clock };
    // rule: graphql/limits, graphql/nesting-32-levels
    Schema::new(query, mutation, EmptySubscription::new()).limit_depth(DEPTH_MAX).limit_fields(FIELDS_MAX)
}

// rule: graphql/schema, graphql/post-without-user-id
pub(crate) struct Query {
    users: Arc<UsersStore>,
}

/// What can be read.
#[graphql_object]
#[graphql(context = Budget, scalar = DefaultScalarValue)]
impl Query {
    /// All users, in the order they were created.
    fn users(&self, executor: &Executor<'_, '_, Budget>) -> FieldResult<Option<Vec<Option<User>>>> {
        // rule: graphql/users
        let users = self.users.all();
        charge(executor, users.len())?;
        Ok(Some(users.into_iter().map(|user| Some(User(user))).collect()))
    }

    /// The user of this id; null when there is none.
    fn user(&self, executor: &Executor<'_, '_, Budget>, id: Id) -> FieldResult<Option<User>> {
        let Id(id) = id;
        charge(executor, 1)?;
        // rule: graphql/user, graphql/user-unknown
        Ok(self.users.find(&id).map(User))
    }
}

pub(crate) struct Mutation {
    users: Arc<UsersStore>,
    clock: Clock,
}

/// What can be changed.
#[graphql_object]
#[graphql(context = Budget, scalar = DefaultScalarValue)]
impl Mutation {
    /// Creates a user. The id is the clock in milliseconds.
    fn create_user(&self, executor: &Executor<'_, '_, Budget>, name: String, age: i32) -> FieldResult<Option<User>> {
        charge(executor, 1)?;
        executor.context().charge_text(&name)?;
        // rule: graphql/create-user, graphql/create-user-stays, graphql/create-user-arguments
        Ok(Some(User(self.users.create(name, f64::from(age), self.clock.now()))))
    }
}

pub(crate) struct User(Arc<users_store::User>);

/// A person.
#[graphql_object]
#[graphql(context = Budget, scalar = DefaultScalarValue)]
impl User {
    fn id(&self) -> Id {
        Id(self.0.id.clone())
    }

    fn name(&self, executor: &Executor<'_, '_, Budget>) -> FieldResult<&str> {
        executor.context().charge_text(&self.0.name)?;
        // rule: graphql/property-of-the-name
        Ok(&self.0.name)
    }

    fn age(&self) -> i32 {
        // Only the initial data and `createUser` put ages here, whole numbers in the range of this type.
        self.0.age as i32
    }

    /// What the user has written; an empty list for nothing.
    fn posts(&self, executor: &Executor<'_, '_, Budget>) -> FieldResult<Option<Vec<Option<Post>>>> {
        let count = self.0.posts.len();
        charge(executor, count)?;
        // rule: graphql/posts, graphql/posts-empty
        Ok(Some((0..count).map(|place| Some(Post { author: Arc::clone(&self.0), place })).collect()))
    }
}

/// A post, found by its author and its place among the author's posts.
pub(crate) struct Post {
    author: Arc<users_store::User>,
    place: usize,
}

/// Something a user has written.
#[graphql_object]
#[graphql(context = Budget, scalar = DefaultScalarValue)]
impl Post {
    fn id(&self) -> Id {
        Id(self.author.posts[self.place].id.clone())
    }

    fn title(&self) -> &str {
        &self.author.posts[self.place].title
    }

    /// Who wrote it.
    fn user(&self, executor: &Executor<'_, '_, Budget>) -> FieldResult<Option<User>> {
        charge(executor, 1)?;
        // rule: graphql/nesting
        Ok(Some(User(Arc::clone(&self.author))))
    }
}

/// The ID of GraphQL: a text, or the digits of an integer. The library's own takes 32 bits, and the id of a created user is longer.
#[derive(GraphQLScalar)]
#[graphql(name = "ID", description = "The digits of an integer, or any text.")]
#[graphql(to_output_with = id_text, from_input_with = read_id, parse_token_with = parse_id)]
pub(crate) struct Id(String);

fn id_text(id: &Id) -> String {
    id.0.clone()
}

fn read_id(value: &Scalar<impl ScalarValue>) -> Result<Id, &'static str> {
    let text = value.try_to_string().or_else(|| value.try_to_int().map(|number| number.to_string()));
    // A variable beyond 32 bits arrives as a float.
    let text = text.or_else(|| {
        let number =
            value.try_to_float().filter(|number| number.fract() == 0.0 && number.abs() > f64::from(i32::MAX))?;
        Some(format!("{number}"))
    });
    text.map(Id).ok_or("an ID is a text or an integer")
}

fn parse_id<S: ScalarValue>(token: ScalarToken<'_>) -> ParseScalarResult<S> {
    match token {
        ScalarToken::String(text) => Ok(text.parse()?.into_owned().into()),
        ScalarToken::Int(digits) => Ok(digits.to_owned().into()),
        ScalarToken::Float(_) => Err(ParseError::unexpected_token(Token::Scalar(token))),
    }
}

/// Charges the budget for `objects` objects with the fields that the query selects of each.
fn charge(executor: &Executor<'_, '_, Budget>, objects: usize) -> FieldResult<()> {
    executor.resolve(&(), &Payment { objects }).map(drop)
}

/// A value whose resolution charges the budget: only there does the library pass the selection of the query.
struct Payment {
    objects: usize,
}

impl GraphQLValue for Payment {
    type Context = Budget;
    type TypeInfo = ();

    fn type_name(&self, (): &()) -> Option<ArcStr> {
        None
    }

    fn resolve(
        &self,
        (): &(),
        selections: Option<&[Selection<'_>]>,
        executor: &Executor<'_, '_, Budget>,
    ) -> ExecutionResult {
        let fields = fields_of(selections.unwrap_or_default(), executor);
        executor.context().charge(self.objects.saturating_mul(fields))?;
        Ok(juniper::Value::Null)
    }
}

/// Fields of a selection, fragments followed.
fn fields_of(selections: &[Selection<'_>], executor: &Executor<'_, '_, Budget>) -> usize {
    let fields = selections.iter().map(|selection| match selection {
        Selection::Field(_) => 1,
        Selection::InlineFragment(fragment) => fields_of(&fragment.item.selection_set, executor),
        Selection::FragmentSpread(spread) => {
            let fragment = executor.fragment_by_name(spread.item.name.item);
            fragment.map_or(0, |fragment| fields_of(&fragment.selection_set, executor))
        }
    });
    fields.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_the_schema_as_text() {
        let schema = schema(&Arc::new(UsersStore::initial()), Clock::default());
        let seed = include_str!("../../../../seeds/schema.graphql");
        let (_comment, seed) = seed.split_once("\n\n").expect("a comment and the schema");
        assert_eq!(seed, schema.as_sdl());
    }
}
