import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createHttp } from "../../src/process/http.ts";
import { createIntake, type IntakeLimits } from "../../src/process/intake.ts";
import { createLog } from "../../src/process/log.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

/** An address that answers with the length of a body, or with why it was not read; `X-From` is the sender's address. */
async function listen(limits: Partial<IntakeLimits>, verify = async (_: Buffer): Promise<void> => {}) {
  const clock = createSandboxClock();
  const intake = createIntake({ clock, limits });
  const outcomes: string[] = [];
  const { url, close } = await createHttp({
    host: "127.0.0.1",
    port: 0,
    log: createLog({ level: "silent" }),
    routes: {
      "POST /": async (request, response) => {
        Object.defineProperty(request.socket, "remoteAddress", { value: request.headers["x-from"] });
        const read = await intake.read(request, async (body) => {
          await verify(body);
          return body.toString();
        });
        outcomes.push(typeof read === "string" ? read : "whole");
        response.setHeader("connection", "close");
        response.end(typeof read === "string" ? read : `whole: ${read.verified.length} ${read.verified.slice(0, 20)}`);
      },
    },
  });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await close();
  });

  /** A sender who says that a body of `length` bytes comes, and sends the first `first` of them. */
  async function begin(from: string, first: number, length = 5_000) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
    const answer = text(socket).catch(() => "cut");
    await once(socket, "connect");
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nX-From: ${from}\r\nContent-Length: ${length}\r\n\r\n${"a".repeat(first)}`,
    );
    return { answer, send: (bytes: number) => void socket.write("b".repeat(bytes)) };
  }

  return { begin, outcomes, clock };
}

/** Another sender, who is answered after all that was sent before has come. */
async function settle({ begin }: Awaited<ReturnType<typeof listen>>): Promise<void> {
  expect(await (await begin("192.0.2.250", 1, 1)).answer).toContain("whole: 1 a");
}

test("a body that comes in many pieces is handed on whole, in its order", async () => {
  const listening = await listen({});
  const sender = await listening.begin("192.0.2.1", 3, 1_003);
  for (let piece = 0; piece < 1_000; piece += 1) sender.send(1);
  expect(await sender.answer).toContain(`whole: 1003 aaa${"b".repeat(17)}`);
});

test("when all senders together hold too much, the oldest body that has not ended gives way, and the newest is read", async () => {
  const listening = await listen({ bytes: 10_000 });
  const slow = [];
  for (let host = 1; host <= 10; host += 1) {
    slow.push(await listening.begin(`192.0.2.${host}`, 950));
    await settle(listening);
  }
  const newest = await listening.begin("192.0.2.11", 900, 900);
  expect(await newest.answer).toContain("whole: 900");
  expect(await slow[0]?.answer).toContain("crowded out");
  slow[9]?.send(4_050);
  expect(await slow[9]?.answer).toContain("crowded out");
});

test("a sender who takes more than a tenth of the room crowds out their own oldest body, and nobody else's", async () => {
  const listening = await listen({ bytes: 10_000 });
  const other = await listening.begin("192.0.2.1", 900, 1_000);
  await settle(listening);
  const first = await listening.begin("192.0.2.2", 600);
  await settle(listening);
  const second = await listening.begin("::ffff:192.0.2.2", 600, 700);
  expect(await first.answer).toContain("crowded out");
  second.send(100);
  expect(await second.answer).toContain("whole: 700");
  other.send(100);
  expect(await other.answer).toContain("whole: 1000");
});

test.each([
  ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "crowded out"],
  ["2001:db8:0:1::1", "2001:db8::1:0:0:0:2", "crowded out"],
  ["2001:db8:0:1::1", "2001:db8:0:2::1", "whole: 700"],
])("two IPv6 senders, %s and %s: %s", async (one, another, outcome) => {
  const listening = await listen({ bytes: 10_000 });
  const first = await listening.begin(one, 600, 700);
  await settle(listening);
  const second = await listening.begin(another, 600, 600);
  expect(await second.answer).toContain("whole: 600");
  first.send(100);
  expect(await first.answer).toContain(outcome);
});

test("a body that waits for its verification counts, and what has been verified does not", async () => {
  const gate = Promise.withResolvers<void>();
  const listening = await listen({ bytes: 10_000 }, (body) => (body.length > 1 ? gate.promise : Promise.resolve()));
  const waiting = await listening.begin("192.0.2.1", 900, 900);
  await settle(listening);
  const next = await listening.begin("192.0.2.1", 200);
  expect(await next.answer).toContain("crowded out");
  gate.resolve();
  expect(await waiting.answer).toContain("whole: 900");
  for (let time = 0; time < 12; time += 1)
    expect(await (await listening.begin("192.0.2.1", 900, 900)).answer).toContain("whole: 900");
});

test("a body that is too large is refused by what it says of itself, or as soon as it is", async () => {
  const listening = await listen({ bodyBytes: 1_000 });
  expect(await (await listening.begin("192.0.2.1", 0, 1_001)).answer).toContain("too large");
  expect(await (await listening.begin("192.0.2.1", 1_000, 1_000)).answer).toContain("whole: 1000");
});

test("hundreds of slow senders of many addresses keep nobody out, and are let go after five seconds", async () => {
  const listening = await listen({ bytes: 100_000 });
  const slow = [];
  for (let host = 0; host < 200; host += 1) slow.push(await listening.begin(`192.0.2.${host}`, 1_000));
  for (let time = 0; time < 20; time += 1)
    expect(await (await listening.begin("198.51.100.1", 3_000, 3_000)).answer).toContain("whole: 3000");
  listening.clock.skip(5_000);
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  expect(answers.filter((answer) => /crowded out|too slow/.test(answer))).toHaveLength(200);
});
