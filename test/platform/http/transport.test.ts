import { expect, onTestFinished, test } from "vitest";
import { done } from "../../../src/platform/http/data.ts";
import { path } from "../../../src/platform/http/path.ts";
import { connect, failure, ok, refusal, Sample, startServer, turnEventLoop } from "../server.ts";

test("a request carries the key, the project that it is narrowed to, the query and the idempotency key, and nothing that was not given", async () => {
  const server = await startServer(ok({ n: 1 }));
  const { client, key } = connect(server.url);

  await client.in("web").get("/things", Sample, { page: 2, status: undefined, hostname: "a b&c" });
  await client.send("POST /orders", "/orders", Sample, { a: 1 }, { "Idempotency-Key": "once" });

  const [read, write] = server.seen;
  expect(read).toMatchObject({
    url: "/api/v1/things?page=2&hostname=a+b%26c",
    headers: { authorization: `Bearer ${key}`, "x-project-id": "web" },
  });
  expect(read?.headers).not.toHaveProperty("content-type");
  expect(write).toMatchObject({
    url: "/api/v1/orders",
    body: { a: 1 },
    headers: { "idempotency-key": "once", "content-type": "application/json" },
  });
  expect(write?.headers).not.toHaveProperty("x-project-id");
});

test("a key that cannot stand in a header is refused before anything is sent, and not repeated", async () => {
  const server = await startServer(ok({ n: 1 }));
  const { withKey } = connect(server.url);

  expect(() => withKey("fbk_café\r\nX-Evil: 1")).toThrowError(/^(?!.*caf).*$/);
  expect(server.seen).toHaveLength(0);
});

test("each request is counted by the route of the spec, without ids", async () => {
  const server = await startServer((response) =>
    (server.seen.length === 1 ? ok({ n: 1 }) : refusal(409, "CONFLICT"))(response),
  );
  const { client, attempts } = connect(server.url);
  const at = path("/vps/{id}/snapshots/{snapshotId}", { id: "one", snapshotId: "two" });

  await client.get(at, Sample);
  await failure(client.send(`DELETE ${at}`, at, done));

  const route = "/vps/{id}/snapshots/{snapshotId}";
  expect(attempts).toEqual([
    { api: "customer", method: "GET", route, status: 200, ms: expect.any(Number) },
    { api: "customer", method: "DELETE", route, status: 409, error: "PlatformRefused", ms: expect.any(Number) },
  ]);
});

test("closing waits for the running write", async () => {
  const arrived = Promise.withResolvers<() => void>();
  const server = await startServer((response) => arrived.resolve(() => ok({ n: 1 })(response)));
  const { client, close } = connect(server.url);

  const write = client.send("POST /things", "/things", Sample);
  const answer = await arrived.promise;
  const closed = close();
  answer();

  expect(await write).toMatchObject({ value: { n: 1 } });
  await closed;
});

test("no failure is left unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const server = await startServer(refusal(409, "CONFLICT"));
  const { client } = connect(server.url);

  await failure(client.send("POST /things", "/things", Sample));
  await failure(client.get("/things", Sample));
  await turnEventLoop();

  expect(unhandled).toEqual([]);
});
