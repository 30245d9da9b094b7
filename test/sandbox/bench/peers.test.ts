import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ask, createSlack } from "../../../src/sandbox/bench/slack.ts";
import { startBolt } from "../../../src/sandbox/bench/subjects.ts";
import { openWorld, type World } from "../../../src/sandbox/bench/the-world.ts";
import { ownFolder } from "../../own-folder.ts";

const secrets = { botToken: "xoxb-peer", signingSecret: randomBytes(16).toString("hex"), encryptionKey: "" };
const typed = { command: "/vps", text: "start bulk-00002", user: "U1", channel: "C00000001" };

let world: World;
beforeAll(async () => {
  world = await openWorld({ bulk: 3 });
});
afterAll(() => world.stop());

test("Bolt of 40 lines refuses a post with another signature, starts the machine of a command once, and posts the answer", async () => {
  const subject = await startBolt(world, secrets, { cache: ownFolder() });
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
  expect(calls.filter((call) => call.startsWith("POST"))).toEqual([
    expect.stringMatching(/^POST \/vps\/[\w-]+\/start$/),
  ]);
});
