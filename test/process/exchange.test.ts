import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { connectionFault, createExchanges, ExchangeFailed } from "../../src/process/exchange.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

/** A server that keeps every answer back. */
async function silentServer() {
  const waiting: ServerResponse[] = [];
  const paths: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    paths.push(url);
    waiting.push(response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port");
  return { origin: `http://127.0.0.1:${address.port}`, waiting, paths };
}

test("a request whose time was up while it waited for a connection is not sent when one becomes free", async () => {
  const clock = createSandboxClock();
  const { origin, waiting, paths } = await silentServer();
  const exchanges = createExchanges({ clock });
  onTestFinished(() => exchanges.close());
  const usual = { origin, method: "GET", headers: {}, body: undefined, mostBytes: 1_000 };
  const send = (path: string, limitMs: number) => exchanges.send({ ...usual, path, limitMs });
  const connections = 64;
  const first = Array.from({ length: connections }, () => send("/first", 600_000));
  await expect.poll(() => waiting.length).toBe(connections);
  const late = send("/late", 1_000).catch((error: unknown) => error);
  clock.skip(1_000);
  const failure = await late;
  expect(failure).toBeInstanceOf(ExchangeFailed);
  expect(failure).toMatchObject({ failing: "too late", sent: false });
  for (const response of waiting.splice(0)) response.end("{}");
  await Promise.all(first);
  const next = send("/next", 600_000);
  await expect.poll(() => paths.at(-1)).toBe("/next");
  for (const response of waiting) response.end("{}");
  await next;
  expect(paths).not.toContain("/late");
});

test("a header that came twice is left out of an answer, and the others are in it", async () => {
  const { origin, waiting } = await silentServer();
  const exchanges = createExchanges({ clock: createSandboxClock() });
  onTestFinished(() => exchanges.close());
  const usual = { origin, method: "GET", headers: {}, body: undefined, mostBytes: 1_000 };
  const answer = exchanges.send({ ...usual, path: "/", limitMs: 600_000 });
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.writeHead(200, { "x-twice": ["1", "2"], "x-request": "one" }).end("{}");
  const { headers } = await answer;
  expect(headers).toMatchObject({ "x-request": "one" });
  expect(headers).not.toHaveProperty("x-twice");
});

test("of the large answers only four are read at a time, and each of the others when one of them has ended", async () => {
  const { origin, waiting, paths } = await silentServer();
  const exchanges = createExchanges({ clock: createSandboxClock() });
  onTestFinished(() => exchanges.close());
  const usual = { origin, method: "GET", headers: {}, body: undefined, mostBytes: 32 * 1024 * 1024 };
  const ended: string[] = [];
  const send = async (path: string) => {
    await exchanges.send({ ...usual, path, limitMs: 600_000 });
    ended.push(path);
  };
  const first = ["/1", "/2", "/3", "/4"].map(send);
  await expect.poll(() => waiting.length).toBe(4);
  const open = waiting.splice(0);
  const one = paths.map((path, at) => ({ path, response: open[at] }))[0];
  // More than the system itself holds on the way: so much of each has been read, and its turn taken.
  for (const response of open) response.write(Buffer.alloc(16 * 1024 * 1024));
  await expect.poll(() => open.map(({ writableLength }) => writableLength)).toEqual([0, 0, 0, 0]);
  const later = [send("/5"), send("/small")];
  await expect.poll(() => waiting.length).toBe(2);
  const small = waiting[paths.indexOf("/small") - 4];
  waiting[paths.indexOf("/5") - 4]?.end(Buffer.alloc(2 * 1024 * 1024));
  small?.end("{}");
  await expect.poll(() => ended).toEqual(["/small"]);
  one?.response?.end();
  await expect.poll(() => ended).toEqual(["/small", one?.path, "/5"]);
  for (const response of open) response.end();
  await Promise.all([...first, ...later]);
});

test.each([
  ["ENOTFOUND", /no address was found/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /another host name/],
])("the cause %s of a failed call is a sentence, however deep it is", (code, words) => {
  const cause = Object.assign(new Error("raw"), { code });
  expect(connectionFault(new Error("outer", { cause: new Error("inner", { cause }) }))).toMatch(words);
  expect(connectionFault(Object.assign(new Error("of Slack's client"), { original: cause }))).toMatch(words);
  expect(connectionFault(new Error("another"))).toBeNull();
});
