//! Users with their posts over GraphQL, by async-graphql on hyper, on one thread. Reads the users as JSON from standard input.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::sync::LazyLock;

use async_graphql::{ComplexObject, EmptyMutation, EmptySubscription, ID, Object, Schema, SimpleObject};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

static USERS: LazyLock<Vec<User>> =
    LazyLock::new(|| serde_json::from_reader(io::stdin()).expect("users with their posts, as JSON"));

#[derive(serde::Deserialize, SimpleObject)]
struct User {
    id: ID,
    name: String,
    age: i32,
    posts: Vec<Post>,
}

#[derive(serde::Deserialize, SimpleObject)]
#[graphql(complex)]
struct Post {
    id: ID,
    title: String,
}

#[ComplexObject]
impl Post {
    async fn user(&self) -> Option<&User> {
        USERS.iter().find(|user| user.posts.iter().any(|post| post.id == self.id))
    }
}

struct Query;

#[Object]
impl Query {
    async fn users(&self) -> &[User] {
        &USERS
    }

    async fn user(&self, id: ID) -> Option<&User> {
        USERS.iter().find(|user| user.id == id)
    }
}

type Users = Schema<Query, EmptyMutation, EmptySubscription>;

async fn answer(schema: Users, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = request.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let answer = match serde_json::from_slice::<async_graphql::Request>(&body) {
        Ok(asked) => serde_json::to_vec(&schema.execute(asked).await),
        Err(error) => Ok(error.to_string().into_bytes()),
    };
    let mut response = Response::new(Full::new(answer.unwrap_or_default().into()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let schema: Users = Schema::new(Query, EmptyMutation, EmptySubscription);
    LazyLock::force(&USERS);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(io::stdout(), "ready graphql=http://{}/graphql", listener.local_addr()?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let schema = schema.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| answer(schema.clone(), request));
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).await
        });
    }
}
