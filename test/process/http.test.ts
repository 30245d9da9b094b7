import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/process/clock.ts";
import { alive, metricsPage, ready } from "../../src/process/health.ts";
import { createHttp, type Handler, type HttpLimits } from "../../src/process/http.ts";
import { createLog } from "../../src/process/log.ts";
import { createMetrics } from "../../src/process/metrics.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

async function serve(routes: Record<string, Handler>, limits?: Partial<HttpLimits>) {
  const lines: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  const http = await createHttp({ host: "127.0.0.1", port: 0, routes, log, ...(limits && { limits }) });
  onTestFinished(() => http.close());
  return { ...http, lines, log };
}

/** As `fetch`, but with any header and any path. */
async function call(
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const sent = request(url, { ...options, agent: false });
  sent.end(options.body);
  const [response] = await once(sent, "response");
  const body: string = await text(response);
  const headers: IncomingHttpHeaders = response.headers;
  const status: number = response.statusCode;
  return { status, headers, body };
}

const hello: Handler = (_, response) => void response.end("hello");

describe("routes", () => {
  test("a known one is answered, whatever its query", async () => {
    const { url } = await serve({ "GET /hello": hello });
    expect(await call(`${url}/hello`)).toMatchObject({ status: 200, body: "hello" });
    expect(await call(`${url}/hello?a=/x`)).toMatchObject({ status: 200, body: "hello" });
    expect(await call(`${url}/hello`, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  test.each(["/", "/hello/", "/Hello", "/hello%2f", "//hello", "/constructor", "*", "http://other.example/"])(
    "%s is not one",
    async (path) => {
      const { url } = await serve({ "GET /hello": hello });
      expect(await call(url, { path })).toMatchObject({ status: 404 });
    },
  );

  test("the last part may be anything where a route says so, unless it is longer than any", async () => {
    const asked: string[] = [];
    const { url } = await serve({
      "GET /link/*": (incoming, response) => {
        asked.push(incoming.url ?? "");
        response.end("hello");
      },
    });
    expect(await call(`${url}/link/abc?x=${"y".repeat(5_000)}`)).toMatchObject({ status: 200 });
    for (const path of ["/link/", "/link", `/link/${"a".repeat(1_024)}`, `/${"a".repeat(15_000)}/`])
      expect(await call(url, { path })).toMatchObject({ status: 404 });
    expect(await call(url, { method: "POST", path: `/link/${"a".repeat(15_000)}` })).toMatchObject({ status: 404 });
    expect(asked).toHaveLength(1);
  });

  test("another method is refused, and the right ones are named", async () => {
    const { url } = await serve({ "GET /hello": hello, "POST /hello": hello, "POST /there": hello });
    const refused = await call(`${url}/hello`, { method: "DELETE" });
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe("GET, POST");
    expect((await call(`${url}/there`)).headers.allow).toBe("POST");
  });

  test("a body that nobody wants is not waited for", async () => {
    const { url } = await serve({});
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nstart");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("the body is the handler's", async () => {
    const { url } = await serve({
      "POST /echo": async (incoming, response) => void response.end(await text(incoming)),
    });
    expect((await call(`${url}/echo`, { method: "POST", body: "raw" })).body).toBe("raw");
  });
});

describe("failures", () => {
  test("one that a handler lets out shows nothing outside, and all in the log", async () => {
    const { url, lines } = await serve({
      "GET /later": () => Promise.reject(new Error("the database said no")),
      "GET /now": () => {
        throw new Error("the database said no");
      },
    });
    for (const path of ["/later", "/now"]) {
      const answered = await call(url, { path });
      expect(answered.status).toBe(500);
      expect(answered.body).not.toContain("database");
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { path: "/later", err: { message: "the database said no" } },
      { path: "/now", err: { message: "the database said no" } },
    ]);
  });

  test("one in the middle of an answer breaks it off, so that nobody takes it for whole", async () => {
    const { url } = await serve({
      "GET /half": async (_, response) => {
        response.writeHead(200, { "content-length": "10" });
        await new Promise((resolve) => response.write("half", resolve));
        throw new Error("gone");
      },
    });
    await expect(call(`${url}/half`)).rejects.toThrow();
  });

  test("a port that is taken is reported at the start", async () => {
    const { url, log } = await serve({});
    const port = Number(new URL(url).port);
    await expect(createHttp({ host: "127.0.0.1", port, routes: {}, log })).rejects.toThrow("EADDRINUSE");
  });
});

describe("a sender that takes its time", () => {
  /** Sends `parts`, one each 10 ms. Resolves with the answer when the connection has ended. */
  async function send(url: string, parts: Iterable<string>): Promise<string> {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    const got = text(socket).catch(() => "cut");
    for (const part of parts) {
      if (socket.destroyed || socket.writableEnded) break;
      socket.write(part);
      await new Promise((resolve) => systemClock.after(10, () => resolve(null)));
    }
    return got;
  }

  function* drops(head: string): Generator<string> {
    yield head;
    for (let count = 0; count < 1_000; count += 1) yield "a";
  }

  const post = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n";
  const echo: Handler = async (incoming, response) => void response.end(await text(incoming));

  test("and says nothing at all is let go", async () => {
    const { url } = await serve({ "GET /hello": hello }, { headersMs: 50 });
    expect(await send(url, [])).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("and never ends its headers is let go, be it that they come drop by drop", async () => {
    const { url } = await serve({ "GET /hello": hello }, { headersMs: 100 });
    expect(await send(url, ["GET /hello HTTP/1.1\r\nHost: x\r\n"])).toMatch(/^HTTP\/1\.1 408 /);
    expect(await send(url, drops("GET /hello HTTP/1.1\r\nHost: x\r\nX-Long: "))).toMatch(/^HTTP\/1\.1 408 |^cut$/);
  });

  test("and never ends its body is let go, be it that it comes drop by drop", async () => {
    const { url } = await serve({ "POST /echo": echo }, { headersMs: 50, requestMs: 100 });
    expect(await send(url, [`${post}half`])).not.toContain("200");
    expect(await send(url, drops(post))).not.toContain("200");
  });

  test("and then does not take its answer is let go", async () => {
    const big = Buffer.alloc(32 * 1024 * 1024);
    const ended = Promise.withResolvers<void>();
    const { url } = await serve(
      {
        "GET /big": (_, response) => {
          response.once("close", () => ended.resolve());
          response.end(big);
        },
      },
      { stillMs: 100 },
    );
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    await ended.promise;
    socket.destroy();
  });

  test("does not hold up another", async () => {
    const { url } = await serve({ "GET /hello": hello, "POST /echo": echo }, { headersMs: 100, requestMs: 500 });
    const slow = send(url, [post]);
    expect((await call(`${url}/hello`)).body).toBe("hello");
    expect(await slow).not.toContain("200");
  });
});

describe("a sender that takes too much", () => {
  test("of headers is refused, and the listener goes on", async () => {
    const { url } = await serve({ "GET /hello": hello });
    const headers = { "x-long": "a".repeat(17_000) };
    expect((await call(`${url}/hello`, { headers })).status).toBe(431);
    expect((await call(`${url}/hello`)).body).toBe("hello");
  });

  test.each([
    ["sends nothing", ""],
    ["never ends a head", "GET /hello HTTP/1.1\r\nHost: x\r\n"],
    ["never ends a body", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf"],
    ["was answered long ago", "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("of connections and %s loses the oldest of them to a newcomer", async (_, sent) => {
    const echo: Handler = async (incoming, response) => void response.end(await text(incoming).catch(() => ""));
    const { url } = await serve({ "GET /hello": hello, "POST /echo": echo }, { connections: 2 });
    const open: Socket[] = [];
    for (const _each of [1, 2]) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
      socket.resume();
      await once(socket, "connect");
      open.push(socket);
      socket.write(sent);
      if (sent.startsWith("GET") && sent.endsWith("\r\n\r\n")) await once(socket, "data");
    }
    expect((await call(`${url}/hello`)).body).toBe("hello");
    await expect.poll(() => open[0]?.destroyed).toBe(true);
    expect(open[1]?.destroyed).toBe(false);
    open[1]?.destroy();
  });

  test("of connections does not end a request that has come whole and waits for its answer", async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const slow: Handler = async (_, response) => {
      begun.resolve();
      await finish.promise;
      response.end("done");
    };
    const { url } = await serve({ "GET /hello": hello, "GET /slow": slow }, { connections: 1 });
    const running = call(`${url}/slow`);
    await begun.promise;
    await expect(call(`${url}/hello`)).rejects.toThrow();
    finish.resolve();
    expect((await running).body).toBe("done");
    expect((await call(`${url}/hello`)).body).toBe("hello");
  });

  test.each([
    ["CONNECT", "CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["an upgrade", "GET /none HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
    ["no HTTP", "\u0000\u0001\u0002\r\n\r\n"],
    ["two lengths", "POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "a length and chunks",
      "POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
  ])("upon itself, as by %s, is let go, and the listener goes on", async (_, bytes) => {
    const { url } = await serve({ "GET /hello": hello }, { headersMs: 200 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(bytes);
    socket.setTimeout(2_000, () => socket.destroy(new Error("kept")));
    socket.resume();
    const isOpen = await new Promise((resolve) => {
      socket.once("data", () => resolve(false));
      socket.once("close", () => resolve(false));
      socket.once("timeout", () => resolve(true));
    });
    expect(isOpen).toBe(false);
    socket.destroy();
    expect((await call(`${url}/hello`)).body).toBe("hello");
  });
});

describe("closing", () => {
  test("a running request gets its answer, and a new connection is refused", async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const { url, close } = await serve({
      "GET /slow": async (_, response) => {
        begun.resolve();
        await finish.promise;
        response.end("done");
      },
    });
    const running = call(`${url}/slow`);
    await begun.promise;
    const closed = close();
    await expect(call(`${url}/slow`)).rejects.toThrow("ECONNREFUSED");
    finish.resolve();
    expect((await running).body).toBe("done");
    await closed;
  });

  test("a connection that is kept open for later does not hold it up", async () => {
    const { url, close } = await serve({ "GET /hello": hello });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    await close();
    await text(socket);
    expect(socket.destroyed).toBe(true);
  });

  test("a kept connection ends after the answer that was running", async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const { url, close } = await serve({
      "GET /slow": async (_, response) => {
        begun.resolve();
        await finish.promise;
        response.end("done");
      },
    });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await begun.promise;
    const closed = close();
    finish.resolve();
    expect(await text(socket)).toContain("done");
    await closed;
  });
});

describe("health", () => {
  const log = createLog({ level: "silent" });

  test("an app that runs says so", async () => {
    const { url } = await serve({ "GET /healthz": alive });
    expect(await call(`${url}/healthz`)).toMatchObject({ status: 200, body: "ok\n" });
  });

  test("it is ready when every check finds nothing", async () => {
    const { url } = await serve({
      "GET /readyz": ready({ checks: { Storage: async () => [], Slack: async () => [] }, clock: systemClock, log }),
    });
    const answered = await call(`${url}/readyz`);
    expect(answered.status).toBe(200);
    expect(JSON.parse(answered.body)).toEqual({ ready: true, problems: [] });
  });

  test("every problem is named, that of a broken check without its details", async () => {
    const checks = {
      Storage: async () => ["Storage is read-only.", "Storage is nearly full."],
      Slack: () => Promise.reject(new Error("xoxb")),
      Clock: () => {
        throw new Error("early");
      },
    };
    const { url } = await serve({ "GET /readyz": ready({ checks, clock: systemClock, log }) });
    const answered = await call(`${url}/readyz`);
    expect(answered.status).toBe(503);
    expect(JSON.parse(answered.body).problems).toEqual([
      "Storage is read-only.",
      "Storage is nearly full.",
      "Slack could not be checked.",
      "Clock could not be checked.",
    ]);
  });

  test("a note is shown beside the problems, and does not make it unready", async () => {
    const notes = async () => ["The clock is off."];
    const { url } = await serve({ "GET /readyz": ready({ checks: {}, notes, clock: systemClock, log }) });
    const answered = await call(`${url}/readyz`);
    expect([answered.status, JSON.parse(answered.body)]).toEqual([
      200,
      { ready: true, problems: ["The clock is off."] },
    ]);
  });

  test("a check that hangs is a problem after 3 seconds, and hides no other", async () => {
    const clock = createSandboxClock();
    const arrived = Promise.withResolvers<void>();
    const checks = {
      Slack: () => {
        arrived.resolve();
        return new Promise<string[]>(() => {});
      },
      Storage: async () => ["Storage is read-only."],
    };
    const { url } = await serve({ "GET /readyz": ready({ checks, clock, log }) });
    const waiting = call(`${url}/readyz`);
    await arrived.promise;
    await setImmediate(); // the other check has answered by now
    clock.skip(3_000);
    expect(JSON.parse((await waiting).body).problems).toEqual([
      "Slack did not answer within 3 s.",
      "Storage is read-only.",
    ]);
  });
});

describe("metrics", () => {
  test("the page lists the counted values and the process's own figures", async () => {
    const metrics = createMetrics();
    metrics.commands.inc({ command: "vps list", outcome: "answered" });
    metrics.acknowledgement.observe(0.02);
    const vps = { api: "customer", route: "GET /vps" };
    metrics.countPlatformCall({ ...vps, status: 200, ms: 300 });
    metrics.countPlatformCall({ ...vps, error: "PlatformTooLate", ms: 10_000 });
    metrics.countPlatformCall({ ...vps, status: 409, error: "PlatformRefused", ms: 10 });
    metrics.auditEntries.inc({ what: "asked" });
    metrics.followUpsRunning.set(2);
    metrics.setQueue("chat", { depth: 7, ageSeconds: 1.5 });
    metrics.logScrubs.inc();
    const { url } = await serve({ "GET /metrics": metricsPage({ registry: metrics.registry }) });
    const answered = await call(`${url}/metrics`);
    expect(answered.headers["content-type"]).toContain("text/plain");
    for (const line of [
      'rackbell_commands_total{command="vps list",outcome="answered"} 1',
      'rackbell_acknowledgement_seconds_bucket{le="0.025"} 1',
      'rackbell_acknowledgement_seconds_bucket{le="0.01"} 0',
      'rackbell_platform_call_seconds_count{api="customer",route="GET /vps",status="200"} 1',
      'rackbell_platform_call_seconds_count{api="customer",route="GET /vps",status="too late"} 1',
      'rackbell_platform_errors_total{api="customer",kind="too late"} 1',
      'rackbell_platform_errors_total{api="customer",kind="refused"} 1',
      'rackbell_audit_entries_total{what="asked"} 1',
      "rackbell_follow_ups_running 2",
      'rackbell_queue_depth{queue="chat"} 7',
      'rackbell_queue_age_seconds{queue="chat"} 1.5',
      "rackbell_log_scrubs_total 1",
    ]) {
      expect(answered.body.split("\n")).toContain(line);
    }
    expect(answered.body).toContain("process_cpu_seconds_total");
  });

  test("two apps in one process do not count for each other", async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.logScrubs.inc();
    expect(await other.registry.metrics()).toContain("rackbell_log_scrubs_total 0");
  });

  test("with a token only who has it may read", async () => {
    const { registry } = createMetrics();
    const { url } = await serve({ "GET /metrics": metricsPage({ registry, token: "scrape-me" }) });
    const statuses = [];
    for (const authorization of [
      "Bearer scrape-me",
      "Bearer scrape-m",
      "Bearer scrape-me2",
      "scrape-me",
      "Bearer ",
      "",
    ]) {
      statuses.push((await call(`${url}/metrics`, { headers: { authorization } })).status);
    }
    statuses.push((await call(`${url}/metrics`)).status);
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401]);
  });

  test("without a token it is not there for anybody whom a proxy speaks for", async () => {
    const { registry } = createMetrics();
    const { url } = await serve({ "GET /metrics": metricsPage({ registry }) });
    expect((await call(`${url}/metrics`)).status).toBe(200);
    for (const name of ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"])
      expect((await call(`${url}/metrics`, { headers: { [name]: "127.0.0.1" } })).status).toBe(404);
  });

  test.each([
    ["localhost", 200],
    ["LocalHost:3000", 200],
    ["127.0.0.1:3000", 200],
    ["[::1]:3000", 200],
    ["rackbell.example.com", 404],
    ["rackbell.example.com:3000", 404],
    ["127.0.0.1.example.com", 404],
    ["localhost.example.com", 404],
    ["localhost@example.com", 404],
    ["10.0.0.7", 404],
  ])("without a token a request from this machine for the host %s gets %i", async (host, status) => {
    const { registry } = createMetrics();
    const { url } = await serve({ "GET /metrics": metricsPage({ registry }) });
    expect((await call(`${url}/metrics`, { headers: { host } })).status).toBe(status);
  });

  test("with a token it is there under every host name", async () => {
    const { registry } = createMetrics();
    const { url } = await serve({ "GET /metrics": metricsPage({ registry, token: "scrape-me" }) });
    const headers = { host: "rackbell.example.com", authorization: "Bearer scrape-me" };
    expect((await call(`${url}/metrics`, { headers })).status).toBe(200);
  });

  test.each([
    ["127.0.0.1", 200],
    ["127.9.9.9", 200],
    ["::1", 200],
    ["::ffff:127.0.0.1", 200],
    ["10.0.0.7", 404],
    ["::ffff:10.0.0.7", 404],
    ["2001:db8::127.0.0.1", 404],
    [undefined, 404],
  ])("without a token a reader at %s gets %i", async (remoteAddress, status) => {
    const { registry } = createMetrics();
    const page = metricsPage({ registry });
    const { url } = await serve({
      "GET /metrics": (incoming, response) => {
        Object.defineProperty(incoming.socket, "remoteAddress", { value: remoteAddress });
        return page(incoming, response);
      },
    });
    expect((await call(`${url}/metrics`)).status).toBe(status);
  });
});
