import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { openPortable } from "../../../src/storage/copy.ts";
import { opened, ownRedis } from "./opened.ts";
import { hasRedis } from "./server.ts";

describe.runIf(hasRedis)("a copy of a Redis in which an instance died during its runs", () => {
  test("has the timers of those runs, due at once", async () => {
    const server = await ownRedis();
    const { store } = await opened(server.url);
    await store.timers.set("job:waiting", 5);
    await store.close();
    const lane = "{rackbell}:wakeup:job:";
    for (const id of ["running", "set again"]) server.cli("HSET", `${lane}:running`, id, "dead:1");
    server.cli("HSET", `${lane}:next`, "set again", "7");
    const portable = await openPortable({ url: server.url, prefix: "rackbell", log: pino({ level: "silent" }) });
    const timers: Record<string, number> = {};
    for await (const item of portable.items(0)) if (item.kind === "timer") timers[item.id] = item.at;
    await portable.close();
    expect(timers).toEqual({ waiting: 5, running: 0, "set again": 0 });
  });
});
