import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as dial } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { newestEvents } from "../../../src/alerts/event-log.ts";
import { alertMessage } from "../../../src/alerts/view.ts";
import { createResellerWebhook } from "../../../src/alerts/webhooks/reseller.ts";
import { EventData } from "../../../src/platform/reseller/events.ts";
import { verifySignature } from "../../../src/platform/reseller/signing.ts";
import { createHttp } from "../../../src/process/http.ts";
import { createIntake } from "../../../src/process/intake.ts";
import { createLog } from "../../../src/process/log.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openStore } from "../../../src/storage/open.ts";
import { displayed } from "../events.ts";

const path = "/webhooks/reseller/T1";
const day = 24 * 60 * 60_000;
const refused = "This delivery is not taken.\n";

/** The webhook handler on a real listener and a real store; `secret` may be rotated, or be null. */
async function listen() {
  const clock = createSandboxClock();
  const lines: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  const store = await openStore({ url: "sqlite::memory:", prefix: "test", clock, log });
  const outcomes: string[] = [];
  const signatures: string[] = [];
  const receiver = {
    secret: secretText(),
    signatures,
    clock,
    lines,
    store,
    outcomes,
    url: "",
    closeStore: () => store.close(),
  };
  const door = createResellerWebhook({
    onSignature: async (signature) => void receiver.signatures.push(signature),
    intake: createIntake({ clock }),
    store,
    clock,
    log,
    wakeFeed: () => {},
    onDelivery: (outcome) => void outcomes.push(outcome),
    connection: {
      verify: async (body, signature) => (verifySignature(receiver.secret, body, signature) ? "right" : "forged"),
    },
  });
  const http = await createHttp({ host: "127.0.0.1", port: 0, routes: { [`POST ${path}`]: door }, log });
  receiver.url = http.url;
  onTestFinished(async () => {
    await http.close();
    await store.close();
  });
  return receiver;
}

type Receiver = Awaited<ReturnType<typeof listen>>;

function secretText(): string {
  return randomBytes(32).toString("hex");
}

function bodyOf(
  { clock }: Receiver,
  event = "service.suspended",
  data: object = { serviceId: "s-1" },
  ageMs = 0,
): string {
  return JSON.stringify({ event, timestamp: new Date(clock.now() - ageMs).toISOString(), data });
}

function signatureOf(secret: string, body: string | Buffer): string {
  return `hmac-sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

async function deliver(receiver: Receiver, body: string | Buffer, headers: Record<string, string> = {}) {
  const signed = { "x-webhook-id": "d-1", "x-webhook-signature": signatureOf(receiver.secret, body) };
  const answer = await fetch(`${receiver.url}${path}`, {
    method: "POST",
    body: new Uint8Array(Buffer.from(body)),
    headers: { ...signed, ...headers },
  });
  return { status: answer.status, text: await answer.text() };
}

const storedEvents = (receiver: Receiver) => newestEvents(receiver, { limit: 100 });

test("an event with the right signature is kept before it is answered", async () => {
  const receiver = await listen();
  expect((await deliver(receiver, bodyOf(receiver))).status).toBe(200);
  expect(await storedEvents(receiver)).toMatchObject([
    { event: "service.suspended", aside: null, data: { serviceId: "s-1" } },
  ]);
  expect(receiver.outcomes).toEqual(["kept"]);
});

test("an attempt that comes again, dated and signed anew, is answered well and kept once", async () => {
  const receiver = await listen();
  await deliver(receiver, bodyOf(receiver));
  receiver.clock.skip(60_000);
  expect((await deliver(receiver, bodyOf(receiver))).status).toBe(200);
  expect(await storedEvents(receiver)).toHaveLength(1);
  expect(receiver.outcomes).toEqual(["kept", "known"]);
});

test("a body that comes again under another id, or with none, is a replay and kept once", async () => {
  const receiver = await listen();
  const body = bodyOf(receiver);
  const headers = { "x-webhook-signature": signatureOf(receiver.secret, body) };
  await deliver(receiver, body);
  expect((await deliver(receiver, body, { "x-webhook-id": "d-2", "x-webhook-timestamp": "2031-01-01" })).status).toBe(
    200,
  );
  await fetch(`${receiver.url}${path}`, { method: "POST", body, headers });
  expect(await storedEvents(receiver)).toHaveLength(1);
});

test("a hundred of one delivery at the same moment are kept once", async () => {
  const receiver = await listen();
  const body = bodyOf(receiver);
  const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(receiver, body)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await storedEvents(receiver)).toHaveLength(1);
});

test("a forged delivery makes no real one look known", async () => {
  const receiver = await listen();
  const forged = { "x-webhook-signature": signatureOf(secretText(), bodyOf(receiver)) };
  expect(await deliver(receiver, bodyOf(receiver), forged)).toEqual({ status: 401, text: refused });
  expect((await deliver(receiver, bodyOf(receiver))).status).toBe(200);
  expect(await storedEvents(receiver)).toHaveLength(1);
});

test("the secret that was before ends with the rotation, and what is signed anew is kept", async () => {
  const receiver = await listen();
  const old = { "x-webhook-signature": signatureOf(receiver.secret, bodyOf(receiver)) };
  const body = bodyOf(receiver);
  receiver.secret = secretText();
  expect((await deliver(receiver, body, old)).status).toBe(401);
  expect((await deliver(receiver, body)).status).toBe(200);
  expect(await storedEvents(receiver)).toHaveLength(1);
  expect(receiver.signatures).toEqual(["other", "right"]);
});

test("without a signature, or with one of another form, it is refused in the same words", async () => {
  const receiver = await listen();
  const body = bodyOf(receiver);
  const right = signatureOf(receiver.secret, body);
  for (const wrong of ["", right.slice(12), right.toUpperCase(), right.slice(0, -1), `${right}0`, `sha256=${right}`])
    expect(await deliver(receiver, body, { "x-webhook-signature": wrong })).toEqual({ status: 401, text: refused });
  expect(await storedEvents(receiver)).toEqual([]);
  // A delivery without a signature is no sign of a rotated secret.
  expect(receiver.signatures).toEqual([]);
});

test("a delivery whose body was cut, lengthened or changed is refused, and nothing of it is kept", async () => {
  const receiver = await listen();
  const body = Buffer.from(bodyOf(receiver, "order.paid", { orderId: "ü-1" }));
  const headers = { "x-webhook-signature": signatureOf(receiver.secret, body) };
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ change;
      for (const wrong of [changed, body.subarray(0, at), Buffer.concat([body, Buffer.from([change])])])
        expect((await deliver(receiver, wrong, headers)).status).toBe(401);
    }),
    { numRuns: 40 },
  );
  for (const encoded of [JSON.stringify(JSON.parse(body.toString()), null, 1), body.toString("latin1")])
    expect((await deliver(receiver, encoded, headers)).status).toBe(401);
  expect(await storedEvents(receiver)).toEqual([]);
});

test.each([
  ["no JSON", "hello"],
  ["a list", "[]"],
  ["null", "null"],
  ["no event", JSON.stringify({ timestamp: new Date(0).toISOString(), data: {} })],
  ["an event without a name", JSON.stringify({ event: "", timestamp: new Date(0).toISOString(), data: {} })],
])("a signed body that is %s is refused, since it can never be kept", async (_, body) => {
  const receiver = await listen();
  expect((await deliver(receiver, body)).status).toBe(400);
  expect(await storedEvents(receiver)).toEqual([]);
});

test("an event that nobody knew of, and fields that are odd, are kept", async () => {
  const receiver = await listen();
  await deliver(
    receiver,
    bodyOf(receiver, "service.moved", { serviceId: 7, status: { of: "what" }, services: "none" }),
  );
  expect(await storedEvents(receiver)).toMatchObject([
    { event: "service.moved", data: { serviceId: "7", status: null } },
  ]);
});

test("a time in ISO text, or in unix seconds or milliseconds, sets aside the same old delivery", async () => {
  const receiver = await listen();
  const at = Math.floor(receiver.clock.now() / 1_000) * 1_000;
  const forms = (time: number) => [time, time / 1_000, `${time}`, `${time / 1_000}`, new Date(time).toISOString()];
  const times = [...forms(at - 29 * day), ...forms(at - 31 * day), ...forms(at + 6 * 60_000)];
  for (const [index, timestamp] of times.entries()) {
    const body = JSON.stringify({ event: "order.paid", timestamp, data: { orderId: `${index}` } });
    expect((await deliver(receiver, body, { "x-webhook-id": `d-${index}` })).status).toBe(200);
  }
  const stored = (await storedEvents(receiver)).reverse();
  expect(stored.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
    [at - 29 * day, at - 31 * day, at + 6 * 60_000].flatMap((time) => forms(time).map(() => time)),
  );
  expect(new Set(stored.slice(0, 5).map(({ aside }) => aside))).toEqual(new Set([null]));
  expect(new Set(stored.slice(5, 10).map(({ aside }) => aside))).toEqual(new Set(["too old"]));
  expect(new Set(stored.slice(10).map(({ aside }) => aside))).toEqual(new Set(["ahead of our clock"]));
});

const oddValues = [undefined, null, "", "soon", [], {}, true, -1, 0, 9e99, "9".repeat(400), [null], { a: 1 }];
const oddBodies: [field: string, body: (odd: unknown) => object][] = [
  ["timestamp", (odd) => ({ timestamp: odd })],
  ["data", (odd) => ({ data: odd })],
  ...Object.keys(EventData.shape).map((field): (typeof oddBodies)[number] => [
    field,
    (odd) => ({ data: { [field]: odd } }),
  ]),
];

test.each(oddBodies)("a signed event is kept and alerted, however odd its %s is", async (field, change) => {
  const receiver = await listen();
  for (const [index, odd] of oddValues.entries()) {
    const event = { event: "order.paid", timestamp: receiver.clock.now() + index, data: {} };
    const body = JSON.stringify({ ...event, ...change(odd) });
    const answer = await deliver(receiver, body, { "x-webhook-id": `d-${index}` });
    expect(answer.status, `${field}: ${JSON.stringify(odd)}`).toBe(200);
  }
  const stored = await storedEvents(receiver);
  expect(stored.map(({ aside }) => aside)).toEqual(oddValues.map(() => null));
  for (const event of stored) expect(alertMessage([displayed(event)], []).text).toMatch(/Order `.+` is paid/);
});

test("a delivery without a time that can be read counts from its arrival, and the log says so", async () => {
  const receiver = await listen();
  await deliver(receiver, JSON.stringify({ event: "order.paid", timestamp: "soon", data: { orderId: "1" } }));
  const [stored] = await storedEvents(receiver);
  expect(Date.parse(stored?.timestamp ?? "")).toBe(stored?.at);
  expect(receiver.lines.join("")).toContain("no time that can be read");
});

test("one odd service in a list of an event leaves the others in it", async () => {
  const receiver = await listen();
  await deliver(
    receiver,
    bodyOf(receiver, "service.provisioning_failed", { services: [null, 7, { serviceId: "s-1" }] }),
  );
  expect(await storedEvents(receiver)).toMatchObject([{ data: { services: [{}, {}, { serviceId: "s-1" }] } }]);
});

test("an event with half of a surrogate pair in its names and fields is kept, and its names find it", async () => {
  const receiver = await listen();
  const data = { hostname: "web\ud83d-1", serviceId: "\udc00", reason: "\ud83d\ude00 \ud800", "odd\ud800": 1 };
  expect((await deliver(receiver, bodyOf(receiver, "service.suspended", data))).status).toBe(200);
  expect(await storedEvents(receiver)).toMatchObject([
    { data: { hostname: "web\ufffd-1", serviceId: "\ufffd", reason: "\ud83d\ude00 \ufffd", "odd\ufffd": 1 } },
  ]);
  expect(await newestEvents(receiver, { about: "web\ufffd-1", limit: 1 })).toHaveLength(1);
});

test("over 1 MB it is refused, with or without its length", async () => {
  const receiver = await listen();
  const body = bodyOf(receiver, "order.paid", { orderId: "o", reason: "x".repeat(1024 * 1024) });
  const { port } = new URL(receiver.url);
  const signed = signatureOf(receiver.secret, body);
  for (const length of [`content-length: ${body.length}`, "transfer-encoding: chunked"]) {
    const socket = dial(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nx-webhook-signature: ${signed}\r\n${length}\r\n\r\n`);
    if (length.startsWith("transfer")) socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /);
  }
  expect(await storedEvents(receiver)).toEqual([]);
});

test.each([
  ["no signature", "x-webhook-id: d-1"],
  ["a signature that is none", "x-webhook-signature: hmac-sha256=00"],
])("with %s a body is refused before it has come", async (_, line) => {
  const receiver = await listen();
  const socket = dial(Number(new URL(receiver.url).port), "127.0.0.1");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${line}\r\nContent-Length: 5000\r\n\r\nstart`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  expect(receiver.outcomes).toEqual(["unsigned"]);
});

test("a body that is not whole within 5 seconds is refused", async () => {
  const receiver = await listen();
  const socket = dial(Number(new URL(receiver.url).port), "127.0.0.1");
  socket.on("error", () => {});
  const answer = text(socket);
  const signed = `x-webhook-signature: ${signatureOf(receiver.secret, "start")}`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${signed}\r\nContent-Length: 5000\r\n\r\nstart`);
  expect((await deliver(receiver, bodyOf(receiver))).status).toBe(200);
  receiver.clock.skip(5_000);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(receiver.outcomes).toEqual(["kept", "too slow"]);
});

test("senders that stall in the middle hold up no other, and what they began is kept by nobody", async () => {
  const receiver = await listen();
  const { port } = new URL(receiver.url);
  const half = bodyOf(receiver, "service.terminated").slice(0, 40);
  const sockets = Array.from({ length: 100 }, () => dial(Number(port), "127.0.0.1"));
  for (const socket of sockets) {
    socket.on("error", () => {}).resume();
    const signed = `x-webhook-signature: ${signatureOf(receiver.secret, half)}`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${signed}\r\nContent-Length: 500\r\n\r\n${half}`);
  }
  await Promise.all(sockets.map((socket) => socket.readyState === "open" || once(socket, "connect")));
  const answers = await Promise.all(
    ["d-1", "d-2", "d-3"].map((id) =>
      deliver(receiver, bodyOf(receiver, "service.suspended", { serviceId: id }), { "x-webhook-id": id }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const socket of sockets) socket.end();
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
  expect((await storedEvents(receiver)).map(({ event }) => event)).toEqual(
    Array.from({ length: 3 }, () => "service.suspended"),
  );
});

test("one that was signed months ago, or in the future, is kept aside", async () => {
  const receiver = await listen();
  await deliver(receiver, bodyOf(receiver, "order.paid", { orderId: "1" }, 31 * day), { "x-webhook-id": "a" });
  await deliver(receiver, bodyOf(receiver, "order.paid", { orderId: "2" }, -6 * 60_000), { "x-webhook-id": "b" });
  await deliver(receiver, bodyOf(receiver, "order.paid", { orderId: "3" }, 29 * day), { "x-webhook-id": "c" });
  await deliver(receiver, bodyOf(receiver, "order.paid", { orderId: "4" }, -4 * 60_000), { "x-webhook-id": "d" });
  expect((await storedEvents(receiver)).map(({ aside }) => aside)).toEqual([
    null,
    null,
    "ahead of our clock",
    "too old",
  ]);
});

test("a delivery that cannot be kept is answered 503, so that the supplier sends it again", async () => {
  const receiver = await listen();
  await receiver.closeStore();
  expect((await deliver(receiver, bodyOf(receiver))).status).toBe(503);
  expect(receiver.outcomes).toEqual(["not kept"]);
});

test("refused deliveries are counted, and logged once without their content", async () => {
  const receiver = await listen();
  const body = bodyOf(receiver, "order.paid", { orderId: "nobody-reads-this" });
  for (let time = 0; time < 20; time += 1)
    await deliver(receiver, body, { "x-webhook-signature": `hmac-sha256=${time}` });
  expect(receiver.outcomes).toHaveLength(20);
  const refusals = receiver.lines.filter((line) => line.includes("was refused"));
  expect(refusals).toHaveLength(1);
  expect(receiver.lines.join("")).not.toContain("nobody-reads-this");
});

test("no other method and no other team's address is served", async () => {
  const receiver = await listen();
  expect((await fetch(`${receiver.url}${path}`)).status).toBe(405);
  expect((await fetch(`${receiver.url}/webhooks/reseller/T2`, { method: "POST", body: "x" })).status).toBe(404);
});
