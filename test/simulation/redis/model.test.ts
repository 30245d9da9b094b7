import { createConnection, type Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  apply,
  beat,
  namedIndexes,
  rangeAfter,
  type Script,
  takeTurnScript,
} from "../../../src/storage/redis/scripts.ts";
import { hasRedis, type RedisServer, startRedis } from "../../storage/redis/server.ts";
import { createRedisModel, type RedisModel } from "./model.ts";
import { createReplyReader, encodeRequest, isError, type Reply } from "./resp.ts";

if (!hasRedis) process.stdout.write("No redis-server was found: the model of Redis is compared with none.\n");

const runs = Number(process.env.MODEL_RUNS ?? 500);
const seed = process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) };

/** A connection that sends commands one after the other, in texts of bytes. */
function connectTo({ port }: RedisServer) {
  const socket: Socket = createConnection(port, "127.0.0.1");
  const read = createReplyReader();
  const waiting: ((reply: Reply) => void)[] = [];
  socket.setNoDelay(true);
  socket.on("data", (bytes) => {
    for (const reply of read(bytes.toString("latin1"))) waiting.shift()?.(reply);
  });
  return {
    send: (words: readonly string[]) =>
      new Promise<Reply>((resolve) => {
        waiting.push(resolve);
        socket.write(Buffer.from(encodeRequest(words), "latin1"));
      }),
    close: () => void socket.destroy(),
  };
}

type Connection = ReturnType<typeof connectTo>;

/** A step of a sequence: commands for both, or something that happens to both. */
type Step = { words: string[]; unordered?: boolean } | { does: "fill" | "room" | "forget" | "scan" };

const bytes = (text: string): string => Buffer.from(text).toString("latin1");
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);

const prefix = "{sim}:";
const names = ["a", "é 😀"].map(bytes);
const keyOf = (...kinds: string[]) =>
  fc.tuple(oneOf(...kinds), oneOf(...names)).map(([kind, name]) => prefix + kind + name);
const anyKey = fc.oneof(
  keyOf("value:", "index:", "counter:", "instance:"),
  oneOf(`${prefix}named`, `${prefix}instances`),
);
/** Mostly of the kind that a command takes: else it is refused, and nothing comes of it. */
const fitting = (own: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 8, arbitrary: own }, { weight: 1, arbitrary: anyKey });
const textKey = fitting(keyOf("value:", "instance:"));
const counterKey = fitting(keyOf("counter:"));
const setKey = fitting(oneOf(`${prefix}named`, `${prefix}instances`));
const indexKey = fitting(keyOf("index:"));
const member = oneOf(...["x", "é", "", "a\0b"].map(bytes));
const score = oneOf("0", "1", "1.5", "-1", "2", "1e21", "0.1", "1700000000000", "-0", "3");
const text = fc.oneof(
  member,
  oneOf("7", "-3", "9007199254740990", "9223372036854775806", "9223372036854775808", "{}", "not a number"),
);
const bound = fc.oneof(
  score,
  score.map((one) => `(${one}`),
  oneOf("-inf", "+inf"),
);
const place = oneOf("0", "1", "2", "-1", "-2", "5");
/** Longer than this test. */
const lasting = oneOf("600000", "86400000", "4503599627370496");

/** The words of a command, each given or drawn. */
function command(...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string[]> {
  return fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)));
}

const written = [
  command("SET", textKey, text),
  command("SET", textKey, text, "NX"),
  command("SET", textKey, text, "PX", fc.oneof(lasting, oneOf("0", "-1", "x"))),
  command("SET", textKey, text, "PXAT", oneOf("1", "1700000000000", "4102444800000")),
  command("INCR", counterKey),
  command("UNLINK", anyKey, anyKey),
  command("PEXPIRE", anyKey, fc.oneof(lasting, oneOf("0", "-5", "no"))),
  command("SADD", setKey, member),
  command("SREM", setKey, member),
  command("ZADD", indexKey, fc.oneof(score, oneOf("no", "inf")), member),
  command("ZADD", indexKey, "LT", score, member),
  command("ZREM", indexKey, member),
];
const read = [
  command("GET", textKey),
  command("MGET", textKey, anyKey),
  command("EXISTS", anyKey, anyKey),
  command("PEXPIRETIME", anyKey),
  command("SISMEMBER", setKey, member),
  command("ZSCORE", indexKey, member),
  command("ZCARD", indexKey),
  command("ZCOUNT", indexKey, bound, bound),
  command("ZRANGE", indexKey, place, place),
  command("ZRANGE", indexKey, place, place, "WITHSCORES"),
  command("ZRANGE", indexKey, bound, bound, "BYSCORE", "WITHSCORES"),
  command("ZRANGE", indexKey, bound, bound, "BYSCORE", "LIMIT", oneOf("0", "1"), oneOf("0", "2", "-1"), "WITHSCORES"),
  command("ZRANGE", indexKey, bound, bound, "BYSCORE", "REV", "LIMIT", "0", oneOf("1", "3"), "WITHSCORES"),
];
const plain: fc.Arbitrary<Step> = fc.oneof(
  ...[...written, ...read].map((words) => words.map((all): Step => ({ words: all }))),
  command("SMEMBERS", setKey).map((words): Step => ({ words, unordered: true })),
);

/** As a JSON text in the bytes in which a client sends it. */
const sent = (value: unknown) => bytes(JSON.stringify(value));
const fromBytes = (latin: string) => Buffer.from(latin, "latin1").toString();
const known = (arbitrary: fc.Arbitrary<string>) => arbitrary.map(fromBytes);
const recordKey = fc.tuple(oneOf("value:", "mark:"), oneOf("a", "é 😀")).map((parts) => parts.join(""));
const indexName = oneOf("~due job:", "~log events", "a");
const scoreText = oneOf("0", "1", "1.5", "-1", "1700000000000", "0.1");
/** Absent, as most conditions are: with many of them nothing would be changed. */
const rarely = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 6 });
const sometimes = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
const textPlan = fc.record({
  key: recordKey,
  was: rarely(fc.oneof(known(text), fc.constant(false))),
  text: fc.oneof(known(text), known(text), fc.constant(false)),
  ttl: fc.oneof(lasting, fc.constant(false)),
});
const memberPlan = fc.record({
  index: indexName,
  member: known(member),
  was: rarely(fc.oneof(scoreText, fc.constant(false))),
  score: fc.oneof(scoreText, scoreText, fc.constant(false)),
  least: sometimes(fc.boolean()),
  unless: rarely(fc.record({ key: recordKey, index: indexName })),
  takes: rarely(indexName),
});
const plan = fc.record({
  texts: fc.array(textPlan, { maxLength: 2 }),
  members: fc.array(memberPlan, { maxLength: 3 }),
  appends: fc.array(
    fc.record({ counter: oneOf("a", "b"), member: known(member), indexes: fc.array(indexName, { maxLength: 2 }) }),
    { maxLength: 2 },
  ),
  gone: rarely(oneOf("a", "b")),
  signs: sometimes(oneOf("a", "b")),
  signsFor: fc.constant("600000"),
});

/** The product's scripts, as it calls them: by their hash, and by their text if the server does not know that. */
function scripted(script: Script<unknown>, args: fc.Arbitrary<readonly string[]>, { reads = false } = {}) {
  const suffix = reads ? "_RO" : "";
  return fc.tuple(fc.boolean(), args).map(([byHash, given]): Step => {
    const [how, what] = byHash ? [`EVALSHA${suffix}`, script.sha] : [`EVAL${suffix}`, script.lua];
    return { words: [how, what, "1", prefix, ...given], unordered: script === namedIndexes };
  });
}

const bare = (arbitrary: fc.Arbitrary<string>) => arbitrary.filter((one) => !one.startsWith("("));
const scripts = fc.oneof(
  { weight: 6, arbitrary: scripted(apply, fc.array(plan.map(sent), { minLength: 1, maxLength: 3 })) },
  {
    weight: 2,
    arbitrary: scripted(
      rangeAfter,
      fc.tuple(indexName.map(bytes), bare(bound), bare(bound), oneOf("1", "2", "100"), scoreText, member),
      { reads: true },
    ),
  },
  { weight: 1, arbitrary: scripted(namedIndexes, fc.tuple(oneOf("~due ", "~log ")), { reads: true }) },
  { weight: 1, arbitrary: scripted(beat, fc.tuple(oneOf("a", "b"), fc.constant("600000"), oneOf("0", "1"))) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: plain },
  { weight: 10, arbitrary: scripts },
  {
    weight: 1,
    arbitrary: oneOf<Step>(
      { does: "fill" },
      { does: "room" },
      { does: "room" },
      { does: "room" },
      { does: "forget" },
      { does: "scan" },
    ),
  },
);

/** The same for replies that say the same: the server adds to an error where in the script it was raised, and its sets have no order. */
function canonical(reply: Reply, unordered = false): unknown {
  if (isError(reply)) return { error: reply.error.replace(/ script: .*/s, " script: ") };
  if (!Array.isArray(reply)) return reply;
  const all = reply.map((one) => canonical(one));
  return unordered ? all.map((one) => JSON.stringify(one)).toSorted() : all;
}

async function scanAll(execute: (words: string[]) => Reply | Promise<Reply>): Promise<unknown> {
  const found = new Set<string>();
  let cursor = "0";
  do {
    const reply = await execute(["SCAN", cursor, "MATCH", `${prefix}value:*`, "COUNT", "2"]);
    const [next, keys] = Array.isArray(reply) ? reply : [];
    for (const one of Array.isArray(keys) ? keys : []) found.add(String(one));
    cursor = String(next);
  } while (cursor !== "0");
  return [...found].toSorted();
}

async function onBoth(real: Connection, model: RedisModel, one: Step): Promise<[unknown, unknown]> {
  if ("words" in one) {
    const { words, unordered } = one;
    const [reply, own] = [await real.send(words), model.execute(words)];
    // Times of expiry that the server sets by its own clock differ by what a call takes.
    if (words[0] === "PEXPIRETIME") return [roughly(reply), roughly(own)];
    return [canonical(reply, unordered), canonical(own, unordered)];
  }
  switch (one.does) {
    case "fill":
    case "room":
      model.full = one.does === "fill";
      return [await real.send(["CONFIG", "SET", "maxmemory", model.full ? "1" : "0"]), { status: "OK" }];
    case "forget":
      model.restart(model.keys.unflushed);
      return [await real.send(["SCRIPT", "FLUSH"]), { status: "OK" }];
    case "scan":
      return [await scanAll((words) => real.send(words)), await scanAll((words) => model.execute(words))];
  }
}

/** In steps of ten seconds. */
function roughly(reply: Reply): unknown {
  return typeof reply === "number" && reply > 0 ? Math.round(reply / 10_000) : reply;
}

/** One of them reads the whole of a key, and the others are refused. */
function readingOf(key: string): string[][] {
  return [
    ["GET", key],
    ["SMEMBERS", key],
    ["ZRANGE", key, "0", "-1", "WITHSCORES"],
  ];
}

function contentOf(model: RedisModel): Record<string, unknown> {
  const all = model.keys.keys().map((key) => {
    const replies = readingOf(key).map((words) => model.execute(words));
    return [key, replies.filter((reply) => !isError(reply)).map((reply) => canonical(reply, true))] as const;
  });
  return Object.fromEntries(all);
}

describe.runIf(hasRedis)("the model of Redis", () => {
  let server: RedisServer;
  let real: Connection;

  beforeAll(async () => {
    server = await startRedis({ appendonly: "no" });
    real = connectTo(server);
  });
  afterAll(async () => {
    real.close();
    await server.remove();
  });

  async function begin(): Promise<RedisModel> {
    for (const words of [["FLUSHALL"], ["SCRIPT", "FLUSH"], ["CONFIG", "SET", "maxmemory", "0"]])
      await real.send(words);
    return createRedisModel(Date.now);
  }

  test("answers each command and each script of the product as the server does, and comes to the same keys", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), async (steps) => {
        const model = await begin();
        for (const one of steps) {
          const [expected, found] = await onBoth(real, model, one);
          expect(found, JSON.stringify(one)).toEqual(expected);
        }
        expect(contentOf(model)).toEqual(await contentOfServer());
      }),
      { numRuns: runs, ...seed },
    );
  }, 600_000);

  /** All keys, and all that is in each. */
  async function contentOfServer(): Promise<Record<string, unknown>> {
    const keys = await real.send(["KEYS", "*"]);
    const all: Record<string, unknown> = {};
    for (const key of Array.isArray(keys) ? keys.map(String) : []) {
      const replies = await Promise.all(readingOf(key).map((words) => real.send(words)));
      all[key] = replies.filter((reply) => !isError(reply)).map((reply) => canonical(reply, true));
    }
    return all;
  }

  test("answers with the same whole number for a number of a script that 64 bits do not hold", async () => {
    const model = await begin();
    for (const number of ["1e21", "-1e21", "9223372036854775808", "-9223372036854775808", "1e999", "-1e999", "-0.5"]) {
      const words = ["EVAL", "return tonumber(ARGV[1])", "1", prefix, number];
      expect(model.execute(words), number).toEqual(await real.send(words));
    }
  });

  test("lets the same keys expire as the server does", async () => {
    const ends = oneOf("1", "2", "600000");
    const timed = fc.oneof(
      command("SET", textKey, text, "PX", ends),
      command("PEXPIRE", anyKey, ends),
      ...[command("SET", textKey, text), command("SADD", setKey, member), command("ZADD", indexKey, score, member)],
      command("INCR", counterKey),
    );
    const later = fc.array(plain, { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.array(timed, { minLength: 1, maxLength: 10 }), later, async (first, steps) => {
        await begin();
        let now = 0;
        const model = createRedisModel(() => now);
        // All at one moment, in both: the server's clock moves between commands, and a key of a millisecond is gone before the next.
        const transaction = [["MULTI"], ...first, ["EXEC"]];
        const replies = await Promise.all(transaction.map((words) => real.send(words)));
        now = Math.floor(await timeOf(real));
        const own = first.map((words) => model.execute(words));
        expect(own).toEqual(replies.at(-1));
        // By the server's own time: it has gone on for longer than a key of two milliseconds lasts.
        const began = await timeOf(real);
        while ((await timeOf(real)) < began + 4);
        now += 5;
        for (const one of steps) {
          const [expected, found] = await onBoth(real, model, one);
          if ("words" in one && one.words[0] === "PEXPIRETIME") continue;
          expect(found, JSON.stringify(one)).toEqual(expected);
        }
        expect(contentOf(model)).toEqual(await contentOfServer());
      }),
      { numRuns: runs, ...seed },
    );
  }, 600_000);

  async function timeOf(connection: Connection): Promise<number> {
    const reply = await connection.send(["TIME"]);
    const [seconds, micros] = Array.isArray(reply) ? reply.map(Number) : [];
    return (seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000;
  }

  test("has the turns of a pace come as the server does", async () => {
    const turn = fc.tuple(oneOf("a", "b"), oneOf("1", "3"), oneOf("60000", "600000"));
    const call = scripted(takeTurnScript, turn);
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (steps) => {
        const model = await begin();
        for (const one of steps) {
          if (!("words" in one)) continue;
          const [expected, found] = [await real.send(one.words), model.execute(one.words)];
          expect(roughly(found), JSON.stringify(one)).toEqual(roughly(expected));
        }
      }),
      { numRuns: Math.ceil(runs / 3), ...seed },
    );
  }, 600_000);
});
