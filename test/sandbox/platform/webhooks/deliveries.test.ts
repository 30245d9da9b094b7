import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createPractice, createPracticeWithEvents, webhookUrl, wholesaleOrder } from "../client.ts";

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { event: string; timestamp: string; data: Record<string, unknown> };
}

/** A practice platform whose events go to a real listener, which answers as `answers` says; 204 once that is used up. */
async function listening() {
  const received: Received[] = [];
  const answers: (number | "hang" | "long")[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString("utf8");
    received.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) });
    const answer = answers.shift() ?? 204;
    if (answer === "hang") return;
    if (answer === "long") {
      response.writeHead(200);
      response.write("x".repeat(100_000));
      return;
    }
    response.writeHead(answer, answer === 302 ? { location: "/elsewhere" } : {}).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const practice = await createPracticeWithEvents();
  const { webhooks } = practice.platform.reseller;
  webhooks.resolve("rackbell.example", `http://127.0.0.1:${address.port}`);
  const raise = () => practice.resell("POST /webhooks/test");
  /** Lets so many seconds pass, and what is due then be tried. */
  const after = async (seconds: number) => {
    practice.clock.skip(seconds * 1000);
    await webhooks.postDue();
  };
  return { ...practice, webhooks, received, answers, raise, after };
}

function signatureOf(secret: string | null, text: string): string {
  return `hmac-sha256=${createHmac("sha256", secret ?? "")
    .update(text)
    .digest("hex")}`;
}

test("an event is posted to the address on file with the headers and the signature of the spec", async () => {
  const { raise, webhooks, received, platform, clock } = await listening();
  await raise();
  expect(received).toEqual([]);
  await webhooks.postDue();
  const [one, ...others] = received;
  expect(others).toEqual([]);
  expect(one?.path).toBe("/webhooks/reseller/T1?a=b");
  expect(one?.headers).toMatchObject({
    host: "rackbell.example",
    "content-type": "application/json",
    "user-agent": "Practice-Reseller-Webhook/1.0",
    "x-webhook-event": "webhook.test",
    "x-webhook-id": platform.reseller.deliveries()[0]?.id,
    "x-webhook-timestamp": one?.body.timestamp,
    "x-webhook-signature": signatureOf(platform.reseller.signingSecret(), one?.text ?? ""),
  });
  expect(Math.abs(Date.parse(one?.body.timestamp ?? "") - clock.now())).toBeLessThan(5_000);
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "delivered", attempts: 1, error: null }]);
});

test("the queue is swept once a minute by itself", async () => {
  const { raise, received, clock } = await listening();
  await raise();
  clock.skip(59_000);
  expect(received).toEqual([]);
  clock.skip(2_000);
  await expect.poll(() => received.length).toBe(1);
  await raise();
  // The run ends before the next minute begins.
  await expect
    .poll(() => {
      clock.skip(60_000);
      return received.length;
    })
    .toBe(2);
});

test("an event that is raised while no webhook address is stored is dropped", async () => {
  const { platform, resell } = await createPractice();
  await resell("POST /services/{web-1}/suspend");
  await resell("PUT /account/webhook", { body: { webhookUrl } });
  expect(platform.reseller.deliveries()).toEqual([]);
});

test("a delivery that fails is tried again after a minute, then two, up to an hour, under the same id and dated and signed anew", async () => {
  const { raise, received, answers, after, platform } = await listening();
  answers.push(...Array.from({ length: 8 }, () => 500));
  await raise();
  await after(0);
  for (const [index, wait] of [60, 120, 240, 480, 960, 1920, 3600, 3600].entries()) {
    await after(wait - 2);
    expect(received).toHaveLength(index + 1);
    await after(3);
    expect(received).toHaveLength(index + 2);
  }
  expect(new Set(received.map(({ headers }) => headers["x-webhook-id"])).size).toBe(1);
  expect(new Set(received.map(({ body }) => body.timestamp)).size).toBe(9);
  expect(new Set(received.map(({ headers }) => headers["x-webhook-signature"])).size).toBe(9);
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "delivered", attempts: 9 }]);
});

test.each([302, 400, 410, 503])("an answer of %i is a failed attempt, and no redirect is followed", async (status) => {
  const { raise, received, answers, webhooks, platform } = await listening();
  answers.push(status);
  await raise();
  await webhooks.postDue();
  expect(received).toHaveLength(1);
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "waiting", error: `Answered with ${status}` }]);
});

test("a receiver that does not answer within 30 seconds has failed; only 64 KB of a long answer are read", async () => {
  const { raise, received, answers, webhooks, platform, clock } = await listening();
  answers.push("hang");
  await raise();
  const posting = webhooks.postDue();
  await expect.poll(() => received.length).toBe(1);
  clock.skip(30_000);
  await posting;
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "waiting", error: "No answer within 30 seconds" }]);
  answers.push("long");
  clock.skip(60_000);
  await webhooks.postDue();
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "delivered" }]);
});

test("after the last attempt a delivery has failed for good, until the operator lets it be tried again", async () => {
  const { raise, received, answers, after, webhooks, platform } = await listening();
  platform.reseller.settings.webhookAttempts = 2;
  answers.push(500, 500);
  await raise();
  await after(0);
  await after(61);
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "failed", attempts: 2 }]);
  await after(7_200);
  expect(received).toHaveLength(2);
  webhooks.requeue(platform.reseller.deliveries()[0]?.id ?? "");
  await after(0);
  expect(received).toHaveLength(3);
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "delivered" }]);
  expect(() => webhooks.requeue("none")).toThrow("no failed delivery");
});

test("a secret that is rotated signs what waits for another attempt, too", async () => {
  const { raise, received, answers, after, platform } = await listening();
  answers.push(401);
  await raise();
  await after(0);
  const secret = platform.reseller.rotateSecret();
  await after(61);
  const [, second] = received;
  expect(second?.headers["x-webhook-signature"]).toBe(signatureOf(secret, second?.text ?? ""));
});

test("deliveries pause while the profile is not active, and go on with all that waits", async () => {
  const { raise, received, after, platform } = await listening();
  await raise();
  platform.reseller.setProfile("suspended");
  platform.reseller.supplier.suspend(platform.find("web-1").id);
  await after(600);
  expect(received).toEqual([]);
  platform.reseller.setProfile("active");
  await after(0);
  expect(received.map(({ body }) => body.event)).toEqual(["webhook.test", "service.suspended"]);
});

test("a failed delivery does not hold up newer ones", async () => {
  const { raise, received, answers, after, resell } = await listening();
  answers.push(500);
  await raise();
  await resell("POST /services/{web-1}/suspend");
  await after(0);
  await after(61);
  expect(received.map(({ body }) => body.event)).toEqual(["webhook.test", "service.suspended", "webhook.test"]);
});

test("deliveries come twice, in reverse, or late, when the faults say so", async () => {
  const { received, after, webhooks, resell } = await listening();
  const suspend = (name: string) => resell(`POST /services/{${name}}/suspend`);
  const names = () => received.splice(0).map(({ body }) => body.data.hostname);
  webhooks.faults.twice = true;
  await suspend("web-1");
  await after(0);
  expect(new Set(received.map(({ headers }) => headers["x-webhook-id"])).size).toBe(1);
  expect(names()).toEqual(["web-1.example.test", "web-1.example.test"]);
  Object.assign(webhooks.faults, { twice: false, reversed: true });
  await suspend("web-2");
  await suspend("mail");
  await after(0);
  expect(names()).toEqual(["mail.example.test", "web-2.example.test"]);
  Object.assign(webhooks.faults, { reversed: false, lateMs: 3_600_000 });
  await suspend("worker-1");
  await after(3_590);
  expect(names()).toEqual([]);
  await after(20);
  expect(names()).toEqual(["worker-1.example.test"]);
});

test.each([
  ["https://elsewhere.example/hook", "elsewhere.example could not be resolved"],
  ["https://203.0.113.9/hook", "203.0.113.9 could not be resolved"],
])("%s gets no request: only hosts with an address are resolved", async (url, error) => {
  const { resell, raise, webhooks, platform } = await listening();
  await resell("PUT /account/webhook", { body: { webhookUrl: url } });
  await raise();
  await webhooks.postDue();
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "waiting", error }]);
});

test("an app that is not there is a failed attempt, and gets the delivery once it is", async () => {
  const { raise, webhooks, received, platform, clock } = await listening();
  const there = platform.url.replace(/:\d+.*/, ":1");
  webhooks.resolve("rackbell.example", there);
  await raise();
  await webhooks.postDue();
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  expect(platform.reseller.deliveries()[0]?.error).toMatch(/ECONNREFUSED/);
  expect(received).toEqual([]);
  clock.skip(61_000);
});

test("closing the platform ends what hangs", async () => {
  const { raise, answers, webhooks, received, platform } = await listening();
  answers.push("hang");
  await raise();
  const posting = webhooks.postDue();
  await expect.poll(() => received.length).toBe(1);
  await platform.close();
  await posting;
});

test("an order tells its story: paid, provisioned, suspended, unsuspended, terminated", async () => {
  const { resell, after, received, built } = await listening();
  const placed = await resell("POST /orders", { body: wholesaleOrder({ externalCustomerId: "borealis" }) });
  const { orderId, services } = Object(placed.body).data;
  built();
  const path = `/services/${services[0].serviceId}`;
  await resell(`POST ${path}/suspend`, { body: { reason: "unpaid" } });
  await resell(`POST ${path}/unsuspend`);
  await resell(`DELETE ${path}`);
  await after(0);
  expect(received.map(({ body: { event } }) => event)).toEqual([
    "order.paid",
    "service.provisioned",
    "service.suspended",
    "service.unsuspended",
    "service.terminated",
  ]);
  const ids = { orderId, externalOrderId: "ext-1", externalCustomerId: "borealis" };
  expect(received[0]?.body.data).toMatchObject({
    ...ids,
    orderNumber: expect.any(String),
    status: "paid",
    paymentMode: "saved_method",
    amount: 8,
    vat: 1.68,
    total: 9.68,
    currency: "EUR",
    invoiceId: expect.any(String),
  });
  expect(received[1]?.body.data).toMatchObject({ ...ids, status: "active", serverIp: expect.any(String) });
  expect(received[2]?.body.data).toMatchObject({ ...ids, status: "suspended", reason: "unpaid" });
  expect(received[4]?.body.data).toMatchObject({ ...ids, status: "terminated" });
});

test("a delivery that is under way when the clock skips an hour still arrives", async () => {
  const { raise, webhooks, received, platform, clock } = await listening();
  await raise();
  const posting = webhooks.postDue();
  clock.skip(3_600_000);
  await posting;
  expect(received).toHaveLength(1);
  expect(platform.reseller.deliveries()).toMatchObject([{ state: "delivered" }]);
});
