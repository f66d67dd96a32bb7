//! The steps of the demonstration interfaces. The default is right; decides nothing.

use serde_json::{Value, json};

use crate::impostor::model::steps::steps;

/// The refusal of a request without a readable query.
pub(crate) const NO_QUERY: &str = "send a query as a string";

/// Names and values of headers.
pub(crate) type Headers = &'static [(&'static str, &'static str)];

steps! {
    /// The demonstration interfaces.
    pub struct DemoPolicy {
        content_type: &'static str = "application/json";
        starts_empty: bool = false;
        collections: Collections = Collections::default();
        taken_id: TakenId = TakenId::default();
        users: UsersPolicy = UsersPolicy::default();
        graphql: GraphqlPolicy = GraphqlPolicy::default();
        graphql_reduced: GraphqlReducedPolicy = GraphqlReducedPolicy::default();
        signup: SignupPolicy = SignupPolicy::default();
        blog: BlogPolicy = BlogPolicy::default();
    }
}

/// Where the interfaces keep their users and posts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Collections {
    #[default]
    OneEach,
    Shared,
    /// One collection of users, and posts of each interface's own.
    UsersShared,
}

/// What becomes of a new id that another user has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum TakenId {
    #[default]
    CountsOn,
    GivenAgain,
    /// Given again, and the other user is gone.
    TakesItsPlace,
}

/// How OPTIONS is answered.
#[derive(Clone, Debug)]
pub(crate) struct Preflight {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    /// Whether a path that is not of the interface answers 404.
    pub(crate) unknown_path_is_404: bool,
}

/// The CORS headers of OPTIONS as the document prints them.
pub(crate) const USERS_PREFLIGHT: Headers = &[
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET,POST,OPTIONS"),
    ("Access-Control-Allow-Headers", "Content-Type"),
];

/// Takes the field of a body as it is kept, or refuses it. None: the model's own.
pub(crate) type Taken = Option<fn(Option<&Value>) -> Option<Value>>;

steps! {
    pub(crate) struct UsersPolicy {
        preflight: Preflight = Preflight { status: 204, headers: USERS_PREFLIGHT, unknown_path_is_404: false };
        /// Headers of every other answer, beside Content-Type.
        headers: Headers = &[];
        refuses_credentials: bool = false;
        ignores_trailing_slash: bool = false;
        /// Statuses.
        wrong_method: u16 = 404;
        unknown_path: u16 = 404;
        malformed: u16 = 400;
        name: Taken = None;
        age: Taken = None;
        keeps_other_fields: bool = false;
        /// The number of a new id, given the time and how many there are.
        new_id: fn(i64, usize) -> i64 = |now, _| now;
        posts_of_everybody: bool = false;
    }
}

steps! {
    pub(crate) struct GraphqlPolicy {
        /// Status of a known path under another method.
        wrong_method: u16 = 404;
        serves_get: bool = true;
        get_shows_page: bool = false;
        serves_every_path: bool = false;
        /// Status of OPTIONS.
        options: u16 = 204;
        /// Status and body for a request without a readable query.
        without_query: fn() -> (u16, Value) = || (400, json!({"error": NO_QUERY}));
        /// Whether a query that is a list of one text is that text.
        coerces_query: bool = false;
        takes_variables: bool = true;
        introspects: bool = true;
        /// Status of a query that does not fit.
        query_error: u16 = 400;
        /// Status and body from a query and its data. None: 200, under `data`.
        answer: Option<fn(&str, &Value) -> (u16, Value)> = None;
        ignores_aliases: bool = false;
        /// Whether a user carries its id, asked for or not.
        adds_id: bool = false;
        /// From this level of nesting on, everything is null.
        levels_max: usize = usize::MAX;
        /// Spoils the list of all users.
        users: Option<fn(&mut Vec<Value>)> = None;
        user_is_first: bool = false;
        unknown_user_is_empty: bool = false;
        posts_of_everybody: bool = false;
        no_posts_is_null: bool = false;
        /// Whether createUser takes this name, or this age. None: the model's own.
        takes_name: Option<fn(&Value) -> bool> = None;
        takes_age: Option<fn(&Value) -> bool> = None;
        /// Whether createUser forgets its user, and whether it keeps one that it refuses.
        forgets_created: bool = false;
        keeps_refused: bool = false;
        /// The number of a new id, given the time and how many there are.
        new_id: fn(i64, usize) -> i64 = |now, _| now;
        /// Whether introspection says that a post has userId.
        tells_user_id: bool = false;
        /// Types as introspection spells them.
        type_of_id_argument: &'static str = "ID!";
        type_of_name: &'static str = "String!";
        type_of_age: &'static str = "Int!";
    }
}

/// OPTIONS of the reduced GraphQL interface.
const REDUCED_PREFLIGHT: Preflight = Preflight {
    status: 204,
    headers: &[
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Methods", "POST, OPTIONS"),
        ("Access-Control-Allow-Headers", "Content-Type"),
    ],
    unknown_path_is_404: false,
};

steps! {
    pub(crate) struct GraphqlReducedPolicy {
        serves_any_path: bool = false;
        preflight: Preflight = REDUCED_PREFLIGHT;
        /// Statuses.
        wrong_method: u16 = 404;
        malformed: u16 = 400;
        /// Whether a body without a query gets null, and one whose query is of another type.
        null_without_query: bool = false;
        null_for_other_types: bool = false;
        lists_errors: bool = false;
        mutation_is_null: bool = false;
        reads_printed_forms_only: bool = false;
        ignores_aliases: bool = false;
        takes_first_of_several_roots: bool = false;
        takes_empty_selections: bool = false;
        unknown_field_is_null: bool = false;
        refuses_repeated_fields: bool = false;
        /// The fields of a user beside posts, and those of a post.
        user_fields: &'static [&'static str] = &["id", "name", "age"];
        post_fields: &'static [&'static str] = &["id", "title"];
        /// How many fields of a post may be asked for together.
        post_fields_max: usize = 1;
        /// Whether `posts` may stand inside `users`.
        posts_in_users: bool = true;
        /// Whether all fields of a user come back, asked for or not.
        answers_every_field: bool = false;
        /// How many users `users` lists at most.
        users_max: usize = usize::MAX;
        posts_of_everybody: bool = false;
        /// A post, shown for a field asked for. None: an object with it.
        post: Option<fn(&Value, &str) -> Value> = None;
        /// Status and body from the name of the root and its data. None: 200, under `data`.
        answer: Option<fn(&str, &Value) -> (u16, Value)> = None;
    }
}

steps! {
    pub(crate) struct SignupPolicy {
        /// The e-mail of a registration, or none when it is refused. None: the model's own.
        email: Option<fn(Option<&Value>) -> Option<String>> = None;
        /// Whether the password is taken. None: the model's own.
        takes_password: Option<fn(Option<&Value>) -> bool> = None;
        /// Status of an e-mail that is registered already; without one it is registered again.
        taken_email: Option<u16> = Some(400);
        /// The number of a new identifier, given the time and how many there are.
        new_id: fn(i64, usize) -> i64 = |_, count| count as i64 + 1;
    }
}

steps! {
    pub(crate) struct BlogPolicy {
        /// Status of an entry without a title.
        untitled: u16 = 400;
        put_creates: bool = false;
        /// Whether the list shows entries that were deleted.
        lists_deleted: bool = false;
    }
}
