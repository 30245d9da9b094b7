import { inspect } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listBackups } from "../../../src/platform/customer/services.ts";
import { done } from "../../../src/platform/http/data.ts";
import {
  mayHaveRun,
  PlatformOffContract,
  PlatformRefused,
  PlatformUnanswered,
} from "../../../src/platform/http/errors.ts";
import { path } from "../../../src/platform/http/path.ts";
import {
  connect,
  createHastyClock,
  failure,
  json,
  ok,
  type Reply,
  refusal,
  Sample,
  startServer,
  startTcp,
} from "../server.ts";

type Ending = [name: string, reply: Reply, kind: unknown, mayRun: boolean];

const endings: Ending[] = [
  ["400", refusal(400, "BAD_REQUEST"), PlatformRefused, false],
  ["401", refusal(401, "UNAUTHORIZED"), PlatformRefused, false],
  ["409", refusal(409, "CONFLICT"), PlatformRefused, false],
  ["424", refusal(424, "PROVIDER_ERROR"), PlatformRefused, false],
  ["429", refusal(429, "ACTION_RATE_LIMITED", {}, { "retry-after": "1" }), PlatformRefused, false],
  ["500", refusal(500, "INTERNAL_ERROR"), PlatformRefused, true],
  ["503 with a time to retry", refusal(503, "UNAVAILABLE", {}, { "retry-after": "1" }), PlatformRefused, true],
  [
    "an HTML page",
    (response) => void response.writeHead(502).end("<html>Bad gateway</html>"),
    PlatformOffContract,
    true,
  ],
  ["half a JSON", (response) => void response.end('{"success":true,"data":{"n":'), PlatformOffContract, true],
  ["nothing at all", (response) => void response.end(), PlatformOffContract, true],
  ["JSON null", (response) => void response.end("null"), PlatformOffContract, true],
  ["a wrong shape", ok({ n: "one" }), PlatformOffContract, true],
  ["a success without data", (response) => json(response, 200, { success: true }), PlatformOffContract, true],
  [
    "a refusal without a code",
    (response) => json(response, 400, { success: false, error: "No" }),
    PlatformOffContract,
    true,
  ],
  ["a refusal that says 200", refusal(200, "CONFLICT"), PlatformOffContract, true],
  [
    "a success that says 500",
    (response) => json(response, 500, { success: true, data: { n: 1 } }),
    PlatformOffContract,
    true,
  ],
  [
    "a redirect",
    (response) => void response.writeHead(307, { location: "/api/v1/elsewhere" }).end(),
    PlatformOffContract,
    true,
  ],
  ["a reset", (response) => void response.socket?.resetAndDestroy(), PlatformUnanswered, true],
  ["a closed connection", (response) => void response.socket?.destroy(), PlatformUnanswered, true],
  [
    "an answer that breaks off",
    (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"success":true', () => response.socket?.destroy());
    },
    PlatformOffContract,
    true,
  ],
];

test.each(endings)(
  "a write that meets %s is sent once, fails in its own kind, and says what it left",
  async (_, reply, kind, mayRun) => {
    const server = await startServer(reply);
    const { client, attempts } = connect(server.url, { clock: createHastyClock() });

    const error = await failure(client.send("POST /things", "/things", Sample, { a: 1 }));

    expect(error).toBeInstanceOf(kind);
    expect(mayHaveRun(error)).toBe(mayRun);
    expect(server.seen).toHaveLength(1);
    expect(attempts).toHaveLength(1);
  },
);

test.each(endings)(
  "a read that meets %s every time fails in the same kind, after three tries at most",
  async (_, reply, kind) => {
    const server = await startServer(reply);
    const { client } = connect(server.url, { clock: createHastyClock() });

    expect(await failure(client.get("/things", Sample))).toBeInstanceOf(kind);
    expect(server.seen.length).toBeLessThanOrEqual(3);
  },
);

test("a refusal carries the status, the code, the words, the scope, the time to wait and the fields", async () => {
  const details = [{ field: "password", message: "Too short" }];
  const server = await startServer(
    refusal(403, "SCOPE_REQUIRED", { scope: "services", retry_after_seconds: 7, details }),
  );
  const { client } = connect(server.url);

  const error = await failure(client.send("POST /vps/{id}/start", path("/vps/{id}/start", { id: "a b" }), done));

  expect(error).toMatchObject({
    name: "PlatformRefused",
    status: 403,
    code: "SCOPE_REQUIRED",
    reason: "No: SCOPE_REQUIRED",
    scope: "services",
    retryAfterSeconds: 7,
    details,
    method: "POST",
    path: "/vps/a%20b/start",
  });
});

test("a refusal stays a refusal when what explains it is malformed", async () => {
  const server = await startServer(
    refusal(400, "BAD_REQUEST", { details: "many", scope: 5, retry_after_seconds: "soon" }),
  );
  const { client } = connect(server.url);

  const error = await failure(client.send("POST /things", "/things", done));

  expect(error).toMatchObject({ name: "PlatformRefused", code: "BAD_REQUEST", details: [], scope: undefined });
});

test("an answer of a wrong shape names the field and quotes nothing", async () => {
  const server = await startServer(ok({ n: "quoted text" }));
  const { client } = connect(server.url);

  const error = await failure(client.get("/things", Sample));

  expect(error).toMatchObject({ name: "PlatformOffContract", status: 200, problem: expect.stringContaining("data.n") });
  expect(inspect(error, { depth: 9 })).not.toContain("quoted text");
});

test("a redirect is not followed", async () => {
  const elsewhere = await startServer(ok({ n: 1 }));
  const server = await startServer(
    (response) => void response.writeHead(302, { location: `${elsewhere.url}/things` }).end(),
  );
  const { client } = connect(server.url);

  expect(await failure(client.get("/things", Sample))).toMatchObject({ name: "PlatformOffContract", status: 302 });
  expect(elsewhere.seen).toHaveLength(0);
});

test("an endless answer is cut off", async () => {
  const closed = Promise.withResolvers<void>();
  const server = await startServer((response) => {
    response.on("close", () => closed.resolve());
    response.on("drain", () => response.write("x".repeat(1000)));
    while (response.write("x".repeat(1000)));
  });
  const { client } = connect(server.url, { limits: { answerBytes: 5_000 } });

  expect(await failure(client.send("POST /things", "/things", Sample))).toMatchObject({
    name: "PlatformOffContract",
    problem: expect.stringContaining("5000 bytes"),
  });
  await closed.promise;
  expect(server.seen).toHaveLength(1);
});

test("an answer that is not HTTP is off the contract, and the error repeats none of it", async () => {
  const { port } = await startTcp("SSH-2.0-something\r\n\r\n");
  const { client } = connect(`http://127.0.0.1:${port}/api/v1`);

  const error = await failure(client.send("POST /things", "/things", Sample));

  expect(error).toBeInstanceOf(PlatformOffContract);
  expect(mayHaveRun(error)).toBe(true);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("SSH-2.0");
});

test.each([
  ["a success", 200, (deep: string) => `{"success":true,"data":{"n":1},"more":${deep}}`],
  ["a refusal", 409, (deep: string) => `{"success":false,"error":"No","code":"CONFLICT","more":${deep}}`],
])(
  "%s with more levels than any answer has is off the contract, and one with many brackets in a text is not",
  async (_, status, body) => {
    const answered = async (more: string) => {
      const server = await startServer((response) => void response.writeHead(status).end(body(more)));
      const { client } = connect(server.url, { clock: createHastyClock() });
      return client.send("POST /things", "/things", Sample).catch((error: unknown) => error);
    };
    for (const deep of ["[".repeat(50_000) + "]".repeat(50_000), `${'{"a":'.repeat(200)}1${"}".repeat(200)}`])
      expect(await answered(deep)).toBeInstanceOf(PlatformOffContract);
    expect(await answered(`"${"[".repeat(500)}\\"${"{".repeat(500)}"`)).not.toBeInstanceOf(PlatformOffContract);
  },
);

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("an answer that a proxy compressed with %s is read, though none was asked for", async (encoding, pack) => {
  const { url, seen } = await startServer((response) => {
    response.writeHead(200, { "content-encoding": encoding });
    response.end(pack(JSON.stringify({ success: true, data: { n: 1 } })));
  });
  expect(await connect(url).client.get("/x", Sample)).toEqual({ n: 1 });
  expect(seen[0]?.headers["accept-encoding"]).toBe("identity");
});

test("a compressed answer that unpacks beyond the limit of size, or not at all, is off the contract", async () => {
  const failing = async (content: Buffer) => {
    const { url } = await startServer((response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(content);
    });
    return failure(connect(url, { limits: { answerBytes: 10_000 } }).client.get("/x", Sample));
  };
  expect(await failing(gzipSync(Buffer.alloc(1_000_000)))).toMatchObject({
    problem: expect.stringContaining("longer"),
  });
  expect(await failing(Buffer.from("no gzip"))).toMatchObject({ problem: expect.stringContaining("cut off") });
});

test("an id that is a number above 2^53 keeps its digits, and other numbers stay numbers", async () => {
  const { url } = await startServer((response) =>
    response.end(
      '{"success":true,"data":{"backups":[{"id":9007199254740993,"size":12},{"id": 9007199254740995,"part":0.25000000000000000000}]}}',
    ),
  );
  expect(await listBackups(connect(url).client, "s1")).toMatchObject({
    backups: [
      { id: "9007199254740993", size: 12 },
      { id: "9007199254740995", part: 0.25 },
    ],
  });
});
