// Users with their posts over GraphQL, by graphql-js on node's own HTTP. Reads the users as JSON from standard input.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { buildSchema, executeSync, parse, validate } from "graphql";

const schema = buildSchema(`
  type User { id: ID! name: String! age: Int! posts: [Post] }
  type Post { id: ID! title: String! user: User }
  type Query { users: [User] user(id: ID!): User }
`);
const users = JSON.parse(readFileSync(0, "utf8"));
for (const user of users) for (const post of user.posts) post.user = user;
const byId = new Map(users.map((user) => [user.id, user]));
const rootValue = { users, user: ({ id }) => byId.get(id) };

function answer({ query, variables }) {
  const document = parse(query);
  const errors = validate(schema, document);
  return errors.length ? { errors } : executeSync({ schema, document, rootValue, variableValues: variables });
}

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.from(JSON.stringify(answer(JSON.parse(Buffer.concat(parts)))));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`ready graphql=http://127.0.0.1:${server.address().port}/graphql`));
