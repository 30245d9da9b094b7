import { createHmac } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Running } from "../../../src/app/app.ts";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis, type RedisServer } from "../../storage/redis/server.ts";
import { waiting } from "../../torture/instances.ts";
import { createPair, eventually, ring } from "../../torture/pair.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { type Actor, goAhead, type Story, said } from "../story.ts";
import { type TwoInstances, withOther } from "../two-instances.ts";

/** Two instances on one Redis, in a workspace whose #ops gets an alert for each of the supplier's events. */
async function ringInTwo(): Promise<TwoInstances & { redis: RedisServer }> {
  const redis = await ownRedis();
  const story = await startResellerStory({ mode: "http", environment: { STORE_URL: redis.url } });
  const { ana } = story;
  const check = await story.ask(ana, "/rackbell connect check", "has arrived here yet");
  const question = await story.pressing(ana, check, "Set webhook address…", "The address before gets no more events");
  await story.pressing(ana, question, goAhead, "Events now go to");
  await story.ask(ana, "/rackbell alerts add #ops", "Saved");
  return { ...(await withOther(story)), redis };
}

function suspend({ platform }: Story, name: string, why: string): void {
  const service = platform.reseller.sold().find(({ hostname }) => hostname === name);
  platform.reseller.supplier.suspend(service?.id ?? "", why);
}

/** Posts the last event that was raised as its supplier would, dated and signed anew; what was answered. */
async function deliver({ platform, slack, clock }: Story, to: Running): Promise<string> {
  const raised = platform.reseller.deliveries().at(-1);
  const timestamp = new Date(clock.now()).toISOString();
  const body = JSON.stringify({ event: raised?.event, timestamp, data: raised?.data });
  const signature = createHmac("sha256", platform.reseller.signingSecret() ?? "")
    .update(body)
    .digest("hex");
  const headers = { "x-webhook-id": raised?.id ?? "", "x-webhook-signature": `hmac-sha256=${signature}` };
  const answer = await fetch(`${to.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body, headers });
  return `${answer.status} ${(await answer.text()).trim()}`;
}

const cards = ({ ben }: Story, ...texts: string[]) =>
  ben.sees().filter((message) => texts.every((text) => said(message).includes(text)));

/** The states of the suspensions alone: a test may have been delivered before. */
const states = ({ platform }: Story) =>
  platform.reseller
    .deliveries()
    .flatMap(({ event, state, error }) => (event === "service.suspended" ? [error ?? state] : []));

describe.runIf(hasRedis)("an instance whose clock is three minutes ahead", () => {
  test("posts an alert once, though Slack's answer to the post is lost", async () => {
    const story = await createPair();
    onTestFinished(() => story.end());
    const { slack, ben, platform } = { ...story, ben: story.slack.as("ben") };
    const app = await story.start({ ahead: 3 * 60_000 });
    story.toward(app);
    await ring(story);
    slack.faults.lose("chat.postMessage");
    const service = platform.reseller.sold().find(({ hostname }) => hostname === "mail.example.test");
    platform.reseller.supplier.suspend(service?.id ?? "", "Too much mail");
    await platform.reseller.webhooks.postDue();
    await eventually(() => slack.calls("conversations.history").length > 0, "it to be looked for");
    await eventually(async () => (await waiting(app)) === 0, "all to be told");
    expect(ben.sees().filter((message) => said(message).includes("Too much mail"))).toHaveLength(1);
  }, 60_000);
});

describe.runIf(hasRedis)("the supplier's events, of two instances on one Redis", () => {
  test("one that reaches both at once, and again and again, is kept once, and its card is posted once", async () => {
    const story = await ringInTwo();
    const { ana, ben, app, other, platform, slack, clock } = story;
    suspend(story, "mail.example.test", "Too much mail");
    const posts = () => slack.calls("chat.postMessage").length;
    const before = posts();
    const answers = await Promise.all(
      Array.from({ length: 6 }).flatMap(() => [deliver(story, app), deliver(story, other)]),
    );
    expect(answers.toSorted()).toEqual(["200 Kept.", ...Array.from({ length: 11 }, () => "200 Known already.")]);
    platform.reseller.webhooks.resolve("rackbell.example", other.url);
    await platform.reseller.webhooks.postDue();
    expect(states(story)).toEqual(["delivered"]);
    await story.sees(ben, "`mail.example.test` is suspended", "Too much mail");
    // Each looks again once a minute for what was not brought on.
    for (let minute = 0; minute < 3; minute += 1) {
      clock.skip(60_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(cards(story, "`mail.example.test` is suspended")).toHaveLength(1);
    expect(posts()).toBe(before + 1);
    const log = await story.ask(ana, "/rackbell alerts log", "Too much mail");
    expect(said(log).match(/Too much mail/g)).toHaveLength(1);
  });

  test("while Redis is away the supplier gets a 503 from both, and what it sends again is stored once and raises one alert", async () => {
    const story = await ringInTwo();
    const { ben, app, other, platform, redis, clock } = story;
    const { webhooks } = platform.reseller;
    await redis.kill();
    suspend(story, "mail.example.test", "Too much mail");
    for (const instance of [app, other]) expect(await deliver(story, instance)).toMatch(/^503 .*Send it again/);
    await webhooks.postDue();
    expect(states(story)).toEqual(["Answered with 503"]);
    await redis.start();
    for (const { url } of [app, other])
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    webhooks.resolve("rackbell.example", other.url);
    clock.skip(60_000);
    await webhooks.postDue();
    expect(states(story)).toEqual(["delivered"]);
    expect(await deliver(story, app)).toBe("200 Known already.");
    await story.sees(ben, "`mail.example.test` is suspended", "Too much mail");
    expect(cards(story, "`mail.example.test` is suspended")).toHaveLength(1);
  });

  test("that nobody takes notify the next once, whichever instance comes to it, also when one ends between two steps", async () => {
    const story = await ringInTwo();
    const { ana, ben, caro, dave, clock, other, platform } = story;
    await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m then2=@dave after2=1h", "Saved");
    suspend(story, "mail.example.test", "Too much mail");
    await platform.reseller.webhooks.postDue();
    await story.sees(ana, "is suspended", "Next: `@caro`");
    clock.skip(20 * 60_000);
    await story.sees(ana, `<@${caro.user.id}>`, "Nobody has taken this");
    await other.stop();
    clock.skip(40 * 60_000);
    await story.sees(ana, `<@${dave.user.id}>`, "Nobody has taken this");
    const notified = (one: Actor) => one.phone().filter(({ text }) => text.includes("mail.example.test")).length;
    expect([ben, caro, dave].map(notified)).toEqual([1, 1, 1]);
  });

  test("do not disturb the turns on call: each hand-over notifies its person once, whichever instance comes to it", async () => {
    const story = await ringInTwo();
    const { ana, ben, caro, clock, other } = story;
    const day = 24 * 60 * 60_000;
    await story.ask(ana, "/rackbell oncall night people=@ben,@caro day=daily zone=UTC", "Saved");
    await story.seesIn("dm", ben, "Your turn in the rotation `night` begins");
    clock.skip(day);
    await story.seesIn("dm", caro, "Your turn in the rotation `night` begins");
    await other.stop();
    clock.skip(day);
    const turns = (one: Actor) => one.phone().filter(({ text }) => text.includes("Your turn in")).length;
    await story.slack.until(() => turns(ben) === 2, "the second turn of ben");
    expect([ben, caro].map(turns)).toEqual([2, 1]);
  });
});
