import { pino } from "pino";
import { afterAll, beforeAll, describe } from "vitest";
import { systemClock } from "../../src/process/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { type RedisServer, startRedis } from "../storage/redis/server.ts";
import { type Hands, hands, type Tool, verifiesRecords } from "./verifying.ts";

const log = pino({ level: "silent" });

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

let prefixes = 0;

function inRedis(): Hands {
  prefixes += 1;
  const prefix = `p${prefixes}`;
  const keyOf = (key: string) => `{${prefix}}:${key}`;
  const tool: Tool = {
    text: (key) => String(JSON.parse(redis.cli("--json", "GET", keyOf(key)))),
    put: (key, text) => void (text === null ? redis.cli("DEL", keyOf(key)) : redis.cli("SET", keyOf(key), text)),
    member(index, score) {
      const which = score === "last" ? ["-1", "-1"] : [String(score), String(score), "BYSCORE"];
      const found: [string, number][] = JSON.parse(
        redis.cli("--json", "ZRANGE", keyOf(`index:${index}`), ...which, "WITHSCORES"),
      ).flat();
      const [member, at] = found.flat();
      return { member: String(member), score: Number(at) };
    },
    score(index, member, score) {
      if (score === null) redis.cli("ZREM", keyOf(`index:${index}`), member);
      else redis.cli("ZADD", keyOf(`index:${index}`), String(score), member);
    },
    count: (counter, number) => redis.cli("SET", keyOf(`counter:${counter}`), String(number)),
  };
  return hands(tool, {
    clock: systemClock,
    open: () => openStore({ url: redis.url, prefix, clock: systemClock, log }),
  });
}

describe("a record in Redis", () => verifiesRecords(inRedis));
