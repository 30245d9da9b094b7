import { expect, test } from "vitest";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { connect, ok, type Reply, type Seen, startServer, Thing, turn } from "../server.ts";

/** Answers the first request of each connection and resets the connection at the second, as a server does that has just given it up. */
const giveUpKept: Reply = (response, { nth }) => {
  if (nth > 1) return void response.socket?.resetAndDestroy();
  ok({ n: 1 })(response);
};

/** Reads again and again until the server has met a connection for the second time. */
async function readUntilKept(client: CustomerClient, seen: Seen[]): Promise<void> {
  for (let n = 0; n < 100 && !seen.some(({ nth }) => nth > 1); n += 1) {
    expect(await client.get("/things", Thing)).toEqual({ data: { n: 1 } });
    await turn();
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
    await client.get("/things", Thing);
    await turn();
    await client.send("POST", "/things", Thing, { n });
  }
  await Promise.all([5, 6, 7, 8, 9].map((n) => client.send("POST", "/things", Thing, { n })));

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
