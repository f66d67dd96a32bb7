//! The schema of the full endpoint and its resolvers. Source: demonstration-endpoints, "GraphQL endpoint", Schema.
//!
//! `seeds/schema.graphql` is this schema as text; a test holds the two together. Knows no HTTP.

use std::sync::Arc;

use async_graphql::{Context, EmptySubscription, ID, Object, Result};

use super::limits::Budget;
use crate::clock::Clock;
use crate::demo::users_store::{self, UsersStore};

pub(super) type Schema = async_graphql::Schema<Query, Mutation, EmptySubscription>;

pub(super) fn schema(users: &Arc<UsersStore>, clock: Clock) -> Schema {
    let query = Query { users: Arc::clone(users) };
    let mutation = Mutation { users: Arc::clone(users), clock };
    // `limits` checks depth and size before execution: the crate's own limits walk a fragment again at each place that
    // spreads it, so thirty lines could keep them busy for hours.
    Schema::build(query, mutation, EmptySubscription).limit_recursive_depth(usize::MAX).finish()
}

// rule: graphql/schema
pub(super) struct Query {
    users: Arc<UsersStore>,
}

/// What can be read.
#[Object]
impl Query {
    /// All users, in the order they were created.
    async fn users(&self, ctx: &Context<'_>) -> Result<Option<Vec<Option<User>>>> {
        // rule: graphql/users
        let users = self.users.all();
        charge(ctx, users.len())?;
        Ok(Some(users.into_iter().map(|user| Some(User(user))).collect()))
    }

    /// The user of this id; null when there is none.
    async fn user(&self, ctx: &Context<'_>, id: ID) -> Result<Option<User>> {
        charge(ctx, 1)?;
        // rule: graphql/user, graphql/user-unknown
        Ok(self.users.find(&id).map(User))
    }
}

pub(super) struct Mutation {
    users: Arc<UsersStore>,
    clock: Clock,
}

/// What can be changed.
#[Object]
impl Mutation {
    /// Creates a user. The id is the clock in milliseconds.
    async fn create_user(&self, ctx: &Context<'_>, name: String, age: i32) -> Result<Option<User>> {
        charge(ctx, 1)?;
        // rule: graphql/create-user, graphql/create-user-stays, graphql/create-user-arguments
        Ok(Some(User(self.users.create(name, f64::from(age), self.clock.now()))))
    }
}

struct User(Arc<users_store::User>);

/// A person.
#[Object]
impl User {
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    async fn name(&self) -> &str {
        // rule: graphql/property-of-the-name
        &self.0.name
    }

    async fn age(&self) -> i32 {
        // Only the initial data and `createUser` put ages here, whole numbers in the range of this type.
        self.0.age as i32
    }

    /// What the user has written; an empty list for nothing.
    async fn posts(&self, ctx: &Context<'_>) -> Result<Option<Vec<Option<Post>>>> {
        let count = self.0.posts.len();
        charge(ctx, count)?;
        // rule: graphql/posts, graphql/posts-empty
        Ok(Some((0..count).map(|place| Some(Post { author: Arc::clone(&self.0), place })).collect()))
    }
}

/// A post, found by its author and its place among the author's posts.
struct Post {
    author: Arc<users_store::User>,
    place: usize,
}

/// Something a user has written.
#[Object]
impl Post {
    async fn id(&self) -> ID {
        ID(self.author.posts[self.place].id.clone())
    }

    async fn title(&self) -> &str {
        &self.author.posts[self.place].title
    }

    /// Who wrote it.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        charge(ctx, 1)?;
        // rule: graphql/nesting
        Ok(Some(User(Arc::clone(&self.author))))
    }
}

/// Pays for `objects` objects with as many fields as the query asks of each.
fn charge(ctx: &Context<'_>, objects: usize) -> Result<()> {
    let fields = ctx.field().selection_set().count();
    Ok(ctx.data::<Arc<Budget>>()?.charge(objects.saturating_mul(fields))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_graphql::SDLExportOptions;

    fn exported() -> String {
        let options = SDLExportOptions::new().use_space_ident().indent_width(2).prefer_single_line_descriptions();
        schema(&Arc::new(UsersStore::initial()), Clock::new()).sdl_with_options(options)
    }

    #[test]
    fn the_seed_is_this_schema_as_text() {
        let exported = exported();
        let seed = include_str!("../../../../seeds/schema.graphql");
        let own = seed.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        assert_eq!(own.trim(), exported.trim(), "seeds/schema.graphql should read:\n{exported}");
    }

    #[test]
    fn the_fields_and_types_are_those_of_the_document() {
        let exported = exported();
        for line in [
            "type User {",
            "id: ID!",
            "name: String!",
            "age: Int!",
            "posts: [Post]",
            "type Post {",
            "title: String!",
            "user: User",
            "type Query {",
            "users: [User]",
            "user(id: ID!): User",
            "type Mutation {",
            "createUser(name: String!, age: Int!): User",
        ] {
            assert!(exported.lines().any(|own| own.trim() == line), "{line} is missing from\n{exported}");
        }
    }
}
