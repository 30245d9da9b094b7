import { expect, test } from "vitest";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { connect, ok, type Reply, Sample, type Seen, startServer, turnEventLoop } from "../server.ts";

/** Answers the first request of each connection and resets it at the second. A server that has just closed an idle connection does so. */
const giveUpKept: Reply = (response, { nth }) => {
  if (nth > 1) return void response.socket?.resetAndDestroy();
  ok({ n: 1 })(response);
};

/** Reads until the server gets a second request on one connection. */
async function readUntilKept(client: CustomerClient, seen: Seen[]): Promise<void> {
  for (let n = 0; n < 100 && !seen.some(({ nth }) => nth > 1); n += 1) {
    expect(await client.get("/things", Sample)).toEqual({ n: 1 });
    await turnEventLoop();
  }
}

test("a read on a stale kept connection is tried again on a new one", async () => {
  const server = await startServer(giveUpKept);
  const { client, attempts } = connect(server.url);

  await readUntilKept(client, server.seen);

  const [stale, again] = server.seen.slice(-2);
  expect([stale?.nth, again?.nth]).toEqual([2, 1]);
  expect(attempts.slice(-2)).toMatchObject([{ error: "PlatformUnanswered" }, { status: 200 }]);
});

test("writes between reads never meet a stale connection: each arrives exactly once, on a connection of its own", async () => {
  const server = await startServer(giveUpKept);
  const { client } = connect(server.url);

  for (let n = 0; n < 5; n += 1) {
    await client.get("/things", Sample);
    await turnEventLoop();
    await client.send("POST /things", "/things", Sample, { n });
  }
  await Promise.all([5, 6, 7, 8, 9].map((n) => client.send("POST /things", "/things", Sample, { n })));

  const writes = server.seen.filter(({ method }) => method === "POST");
  expect(writes.map(({ body }) => body).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
    Array.from({ length: 10 }, (_, n) => ({ n })),
  );
  expect(writes.every(({ nth }) => nth === 1)).toBe(true);
  expect(new Set(writes.map(({ socket }) => socket)).size).toBe(10);
});

test("reads share a kept connection", async () => {
  const server = await startServer(ok({ n: 1 }));
  const { client } = connect(server.url);

  await readUntilKept(client, server.seen);

  expect(server.seen.at(-1)?.nth).toBe(2);
});
