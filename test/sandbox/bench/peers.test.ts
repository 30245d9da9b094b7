import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { leftOutOf } from "../../../src/sandbox/bench/others.ts";
import { cpuMsOf } from "../../../src/sandbox/bench/process-figures.ts";
import { hasRedis } from "../../../src/sandbox/bench/redis.ts";
import { ask, createSlack } from "../../../src/sandbox/bench/slack.ts";
import { startBolt, startBullmq, startChatSdk } from "../../../src/sandbox/bench/subjects.ts";
import { openWorld, type World } from "../../../src/sandbox/bench/the-world.ts";
import { ownFolder } from "../../own-folder.ts";

const secrets = { botToken: "xoxb-peer", signingSecret: randomBytes(16).toString("hex"), encryptionKey: "" };
const typed = { command: "/vps", text: "start bulk-00002", user: "U1", channel: "C00000001" };

let world: World;
beforeAll(async () => {
  world = await openWorld({ bulk: 3 });
});
afterAll(() => world.stop());

const peers = [
  { name: "Bolt of 40 lines", start: startBolt, redis: false },
  { name: "Bolt + BullMQ", start: startBullmq, redis: true },
  { name: "Chat SDK + Redis", start: startChatSdk, redis: true },
];

for (const { name, start, redis } of peers)
  test(`${name} refuses a post with another signature, starts a command's machine once, and posts the answer`, async (context) => {
    context.skip(redis && !hasRedis, "there is no redis-server here");
    const subject = await start(world, secrets, { folder: ownFolder(), cache: ownFolder() });
    onTestFinished(() => subject.stop());
    const forged = createSlack(subject.url, "another secret", world);
    const slack = createSlack(subject.url, secrets.signingSecret, world);
    onTestFinished(async () => {
      await forged.close();
      await slack.close();
    });
    let text = "";
    const calls = await world.callsOf(async () => {
      expect((await forged.type({ ...typed, text: "start bulk-00003" })).status).toBe(401);
      ({ text } = await ask(slack, world, typed));
    });
    expect(text).toBe("bulk-00002 was started.");
    const writes = calls.filter((call) => call.startsWith("POST"));
    expect(writes).toEqual([expect.stringMatching(/^POST \/vps\/[\w-]+\/start$/)]);
    expect(await cpuMsOf(...subject.pids)).toBeGreaterThan(0);
    expect(subject.pids).toHaveLength(redis ? 2 : 1);
  });

test("the programs that need Redis are left out with a sentence where there is none", () => {
  expect(leftOutOf(true)).toEqual([]);
  expect(leftOutOf(false)).toEqual([
    {
      what: "Bolt + BullMQ and Chat SDK + Redis",
      figure: "left out: there is no redis-server here, which they need",
      goal: "",
      met: null,
    },
  ]);
});
