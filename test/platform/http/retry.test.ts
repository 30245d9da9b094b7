import { expect, test } from "vitest";
import { connect, createHastyClock, failure, ok, type Reply, refusal, Sample, startServer } from "../server.ts";

const passing: { name: string; first: Reply }[] = [
  { name: "an error of the platform's", first: refusal(503, "UNAVAILABLE") },
  { name: "a gateway's page", first: (response) => void response.writeHead(502).end("<html>") },
  { name: "a full window that opens soon", first: refusal(429, "RATE_LIMITED", {}, { "retry-after": "2" }) },
  { name: "a reset", first: (response) => void response.socket?.resetAndDestroy() },
];

test.each(passing)("a read gets over $name", async ({ first }) => {
  const server = await startServer((response, seen) =>
    server.seen.length === 1 ? first(response, seen) : ok({ n: 1 })(response),
  );
  const { client } = connect(server.url, { clock: createHastyClock() });

  expect(await client.get("/things", Sample)).toEqual({ n: 1 });
  expect(server.seen).toHaveLength(2);
});

test("a read waits as long as Retry-After says", async () => {
  const server = await startServer((response) =>
    server.seen.length === 1
      ? refusal(503, "UNAVAILABLE", {}, { "retry-after": "3" })(response)
      : ok({ n: 1 })(response),
  );
  const clock = createHastyClock();
  const { client } = connect(server.url, { clock });

  await client.get("/things", Sample);

  expect(clock.waits).toEqual([3_000]);
});

test.each([
  { wait: "1800", seconds: 1800 },
  { wait: new Date(Date.UTC(2026, 10, 20) + 90_000).toUTCString(), seconds: 90 },
])(
  "a wait of $wait is longer than a member's patience: the refusal comes at once, with its time",
  async ({ wait, seconds }) => {
    const server = await startServer(refusal(429, "RATE_LIMITED", {}, { "retry-after": wait }));
    const clock = createHastyClock();
    const { client } = connect(server.url, { clock });

    expect(await failure(client.get("/things", Sample))).toMatchObject({ status: 429, retryAfterSeconds: seconds });
    expect(server.seen).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  },
);

test.each(["999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])("a wait of years is not believed: %s", async (wait) => {
  const server = await startServer(refusal(429, "RATE_LIMITED", {}, { "retry-after": wait }));
  const { client } = connect(server.url, { clock: createHastyClock() });

  expect(await failure(client.get("/things", Sample))).toMatchObject({ status: 429, retryAfterSeconds: undefined });
});

test("the waits of one read together fit into the patience", async () => {
  const server = await startServer(refusal(503, "UNAVAILABLE", {}, { "retry-after": "4" }));
  const { client } = connect(server.url, { clock: createHastyClock() });

  await failure(client.get("/things", Sample));

  expect(server.seen).toHaveLength(2);
});

test("a client without patience does not wait", async () => {
  const server = await startServer(refusal(503, "UNAVAILABLE", {}, { "retry-after": "1" }));
  const { client } = connect(server.url, { clock: createHastyClock(), patient: false });

  await failure(client.get("/things", Sample));

  expect(server.seen).toHaveLength(1);
});
