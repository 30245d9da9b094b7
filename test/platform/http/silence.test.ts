import { expect, test } from "vitest";
import { mayHaveRun, PlatformTooLate } from "../../../src/platform/http/errors.ts";
import { freePort } from "../../../src/sandbox/bench/ports.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { connect, failure, ok, Sample, startServer, startTcp } from "../server.ts";

test.each(["GET", "POST"] as const)("a %s that is never answered ends when its time is up", async (method) => {
  const clock = createSandboxClock();
  const arrived = Promise.withResolvers<void>();
  const server = await startServer(() => arrived.resolve());
  const { client } = connect(server.url, { clock });

  const work = method === "GET" ? client.get("/things", Sample) : client.send(`${method} /things`, "/things", Sample);
  const error = failure(work);
  await arrived.promise;
  clock.skip(60_000);

  expect(await error).toMatchObject({ name: "PlatformTooLate", sent: true });
  expect(mayHaveRun(await error)).toBe(true);
  expect(server.seen).toHaveLength(1);
});

test("an answer that trickles on for ever ends when its time is up", async () => {
  const clock = createSandboxClock();
  const begun = Promise.withResolvers<void>();
  const server = await startServer((response) => {
    response.writeHead(200);
    response.write("{", () => begun.resolve());
  });
  const { client } = connect(server.url, { clock });

  const error = failure(client.get("/things", Sample));
  await begun.promise;
  clock.skip(60_000);

  expect(await error).toBeInstanceOf(PlatformTooLate);
});

test("a write whose connection is never made changed nothing", async () => {
  const clock = createSandboxClock();
  const { port } = await startTcp(); // takes the connection and never answers the TLS greeting
  const { client } = connect(`https://127.0.0.1:${port}/api/v1`, { clock });

  const error = failure(client.send("POST /things", "/things", Sample));
  clock.skip(60_000);

  expect(await error).toMatchObject({ name: "PlatformTooLate", sent: false });
  expect(mayHaveRun(await error)).toBe(false);
});

test("a connection that takes longer than it may ends on its own limit, and changed nothing", async () => {
  const { port } = await startTcp();
  const { client } = connect(`https://127.0.0.1:${port}/api/v1`, { limits: { connectMs: 50 } });

  const error = await failure(client.send("POST /things", "/things", Sample));

  expect(error).toMatchObject({ name: "PlatformTooLate", sent: false });
  expect(mayHaveRun(error)).toBe(false);
});

test("a write to nobody changed nothing", async () => {
  const { client } = connect(`http://127.0.0.1:${await freePort()}/api/v1`);

  const error = await failure(client.send("POST /things", "/things", Sample));

  expect(error).toMatchObject({ name: "PlatformUnanswered", sent: false, cause: { code: "ECONNREFUSED" } });
  expect(mayHaveRun(error)).toBe(false);
});

test("a write to a name that does not exist changed nothing", async () => {
  const { client } = connect("http://platform.invalid:9/api/v1");

  const error = await failure(client.send("POST /things", "/things", Sample));

  expect(error).toMatchObject({ name: "PlatformUnanswered", sent: false });
  expect(mayHaveRun(error)).toBe(false);
});

test("a write to a server that speaks no TLS changed nothing", async () => {
  const server = await startServer(ok({ n: 1 }));
  const { client } = connect(`https://127.0.0.1:${server.port}/api/v1`);

  const error = await failure(client.send("POST /things", "/things", Sample));

  expect(error).toMatchObject({ name: "PlatformUnanswered", sent: false });
  expect(mayHaveRun(error)).toBe(false);
  expect(server.seen).toHaveLength(0);
});

test("an error of another kind leaves a write unknown", () => {
  expect(mayHaveRun(new Error("odd"))).toBe(true);
});
