import { inspect } from "node:util";
import { expect, test } from "vitest";
import { path } from "../../../src/platform/http/path.ts";
import { connect, failure, json, ok, type Reply, refusal, Sample, startServer } from "../server.ts";

const password = "correct horse battery";

test.each([
  {
    name: "a refusal that quotes what it was sent",
    reply: (response, { headers }) =>
      json(response, 400, {
        success: false,
        code: "BAD_REQUEST",
        error: `bad ${headers.authorization} with ${password}`,
        details: [{ field: headers.authorization, message: `${password} and ${headers.authorization?.slice(-96)}` }],
      }),
  },
  {
    name: "a page that quotes what it was sent",
    reply: (response, { headers }) => void response.writeHead(500).end(`<p>${headers.authorization} ${password}</p>`),
  },
  {
    name: "a shape that quotes what it was sent",
    reply: (response, { headers }) => ok({ n: `${headers.authorization} ${password}` })(response),
  },
  {
    name: "a redirect that quotes what it was sent",
    reply: (response, { headers }) => void response.writeHead(302, { location: `/?${headers.authorization}` }).end(),
  },
  {
    name: "no HTTP that quotes what it was sent",
    reply: (response, { headers }) =>
      void response.socket?.end(`HTTP/1.1 ${headers.authorization} ${password}\r\n\r\n`),
  },
  { name: "a reset", reply: (response) => void response.socket?.resetAndDestroy() },
] satisfies { name: string; reply: Reply }[])(
  "no key and no password is in the error or the log after $name",
  async ({ reply }) => {
    const server = await startServer(reply);
    const { client, key, lines } = connect(server.url);

    const error = await failure(client.send("POST /things", "/things", Sample, { password }));

    const all = inspect(error, { depth: 20, showHidden: true, maxStringLength: null }) + lines.join("");
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of [key, key.slice(-96), password]) expect(all).not.toContain(secret);
  },
);

test("a key that was taken for an id is not repeated either", async () => {
  const server = await startServer(refusal(404, "NOT_FOUND"));
  const { client, key, lines } = connect(server.url);

  const error = await failure(client.get(path("/vps/{id}", { id: key }), Sample));

  expect(inspect(error, { depth: 20, showHidden: true }) + lines.join("")).not.toContain(key);
});

test("a value under a secret's name in the body is not repeated, at any depth", async () => {
  const server = await startServer(refusal(400, "BAD_REQUEST", { details: [{ field: "x", message: password }] }));
  const { client, lines } = connect(server.url);
  const bodies = [
    { params: { admin: { newPassword: password } } },
    { vars: [{ RCON_PASSWORD: password }] },
    { tokens: [[password]] },
  ];

  for (const body of bodies) {
    const error = await failure(client.send("POST /things", "/things", Sample, body));
    expect(inspect(error, { depth: 20, showHidden: true }) + lines.join("")).not.toContain(password);
  }
});
