import { describe, expect, test } from "vitest";
import type { Running } from "../../../src/app/app.ts";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis, type RedisServer } from "../../storage/redis/server.ts";
import { goAhead, peer, said, startStory, writes } from "../story.ts";
import { type TwoInstances, withOther } from "../two-instances.ts";

if (!hasRedis) process.stdout.write("No redis-server was found: the stories of several instances are left out.\n");

/** Two instances of the app on a Redis of their own. */
async function startTwo(
  linked: ("ana" | "ben" | "caro")[] = ["ana"],
  environment: Record<string, string> = {},
): Promise<TwoInstances & { redis: RedisServer }> {
  const redis = await ownRedis();
  const story = await startStory({ linked, mode: "http", environment: { STORE_URL: redis.url, ...environment } });
  return { ...(await withOther(story)), redis };
}

async function readiness(app: Running): Promise<{ status: number; problems: string[] }> {
  const answer = await fetch(`${app.url}/readyz`);
  const { problems }: { problems: string[] } = await answer.json();
  return { status: answer.status, problems };
}

async function figures(app: Running): Promise<string[]> {
  return (await (await fetch(`${app.url}/metrics`)).text()).split("\n");
}

describe.runIf(hasRedis)("two instances on one Redis", () => {
  test("run a request once if its press reaches both at the same time", async () => {
    const story = await startTwo();
    const { ana, toOne, toOther } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    toOther();
    const pressed = ana.press(request, goAhead);
    toOne();
    await Promise.all([pressed, ana.press(request, goAhead)]);
    await story.sees(ana, ":white_check_mark:", "web-1");
    expect(writes(story)).toHaveLength(1);
    await ana.press(request, goAhead);
    await story.sees(ana, "confirmed it, and it was done");
    expect(writes(story)).toHaveLength(1);
    const audit = await story.ask(ana, "/rackbell audit", "vps cancel");
    expect(said(audit).match(/Approved/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test("run a request once if each takes an approver's press in one millisecond, and one approver reads of the other", async () => {
    const story = await startTwo(["ana", "ben", "caro"], peer);
    const { ana, ben, caro, toOne, toOther } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    toOther();
    const pressed = ben.press(request, goAhead);
    toOne();
    await Promise.all([pressed, caro.press(request, goAhead)]);
    await story.sees(ana, ":white_check_mark:", "approved by");
    const isNotified = (actor: typeof ben) =>
      actor.sees().some((one) => /pressed first|was approved by/.test(said(one)));
    await story.slack.until(() => isNotified(ben) || isNotified(caro), "the notification of the other");
    expect(writes(story)).toHaveLength(1);
  });

  test("run a command once that a member sends to each of them in a moment", async () => {
    const story = await startTwo();
    const { ana, toOther } = story;
    story.platform.faults.next({ how: "hang", method: "POST" });
    const first = ana.type("/vps reboot web-1 force=yes");
    await expect.poll(() => writes(story)).toHaveLength(1);
    toOther();
    await ana.type("/vps reboot web-1 force=yes");
    await first;
    await story.sees(ana, "was requested a moment ago. Nothing was done twice");
    expect(writes(story)).toHaveLength(1);
  });

  test("poll a running snapshot from one of them alone, and notify its requester once", async () => {
    const story = await startTwo();
    const { ana, platform } = story;
    await story.ask(ana, "/vps snapshot web-2 name=before", "Taking the snapshot");
    await story.comesToSee(ana, "It took");
    const polls = platform.calls().filter(({ method, path }) => method === "GET" && path.endsWith("/snapshots"));
    const apart = polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0));
    // Its pace is one look in 3 s: two instances that both looked would come closer.
    expect(apart.length).toBeGreaterThan(1);
    expect(Math.min(...apart.slice(1))).toBeGreaterThanOrEqual(3_000);
    const replies = () =>
      ana.sees().filter(({ thread_ts, mentions }) => thread_ts && mentions.includes(`<@${ana.user.id}>`));
    await story.slack.until(() => replies().length > 0, "a reply in the thread");
    expect(replies()).toHaveLength(1);
    expect(writes(story)).toHaveLength(1);
  });

  test("both treat a member as not linked as soon as the member unlinks at one", async () => {
    const story = await startTwo();
    const { ana, toOne, toOther } = story;
    toOther();
    await story.ask(ana, "/vps list", "web-1");
    toOne();
    const question = await story.ask(ana, "/rackbell unlink", "Rackbell erases your key");
    await story.pressing(ana, question, "Unlink a key", "It still works on the platform");
    toOther();
    await story.ask(ana, "/vps list", "You have not linked a key yet");
  });

  test("both refuse a deactivated member's request and a new guest, whichever of the two Slack reports it to", async () => {
    const story = await startTwo(["ana", "ben"]);
    const { ana, ben, slack, toOne, toOther } = story;
    for (const to of [toOne, toOther]) {
      to();
      for (const actor of [ana, ben]) await story.ask(actor, "/vps list", "web-1");
    }
    const request = await story.ask(ben, "/vps cancel web-2", "asks to");
    toOne();
    slack.deactivate("ben");
    await expect.poll(() => story.log.join("")).toContain("A deactivated member's key was erased");
    toOther();
    await story.pressing(ana, request, goAhead, "was deactivated");
    expect(writes(story)).toEqual([]);
    // Slack reports the guest to the other one.
    slack.setRole("ana", "guest");
    await slack.until(() => slack.deliveries("events_api").length > 1, "the event");
    for (const to of [toOne, toOther]) {
      to();
      await story.ask(ana, "/vps list", "Guests of this workspace cannot use Rackbell");
    }
    // And to the first one that they are a guest no more.
    toOne();
    slack.setRole("ana", "member");
    await slack.until(() => slack.deliveries("events_api").length > 2, "the event");
    toOther();
    await story.ask(ana, "/vps list", "web-1");
  });

  test("run nothing while Redis is away, say so to the member, and go on by themselves when it is back", async () => {
    const story = await startTwo();
    const { ana, redis, other } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    expect(await figures(other)).toContain('rackbell_requests_open{state="pending"} 1');
    await redis.kill();
    await story.ask(
      ana,
      "/vps reboot web-1 force=yes",
      "Rackbell cannot write its records at the moment",
      "Try again in a minute",
    );
    await story.pressing(ana, request, goAhead, "Rackbell cannot write its records at the moment");
    expect(writes(story)).toEqual([]);
    for (const app of [story.app, other]) {
      expect(await readiness(app)).toEqual({
        status: 503,
        problems: [expect.stringMatching(/Redis at .* does not answer/)],
      });
    }
    const metrics = await figures(other);
    expect(metrics).toContain("rackbell_store_up 0");
    expect(metrics).toContain('rackbell_queue_depth{queue="work"} 0');
    expect(metrics.filter((line) => line.startsWith("rackbell_requests_open"))).toEqual([]);
    await redis.start();
    for (const app of [story.app, other]) {
      await expect.poll(() => readiness(app), { timeout: 20_000 }).toEqual({ status: 200, problems: [] });
    }
    for (const app of [story.app, other])
      expect(await figures(app)).toEqual(
        expect.arrayContaining(["rackbell_store_up 1", 'rackbell_requests_open{state="pending"} 1']),
      );
    await story.pressing(ana, request, goAhead, ":white_check_mark:", "web-1");
    expect(writes(story)).toHaveLength(1);
  });

  test("serve nothing if Redis comes back empty, so that no key or request counts as one that never existed", async () => {
    const story = await startTwo();
    const { ana, redis } = story;
    await redis.kill();
    await redis.start({ empty: true });
    await expect
      .poll(() => readiness(story.app), { timeout: 20_000 })
      .toMatchObject({
        status: 503,
        problems: [expect.stringMatching(/no longer has this store/)],
      });
    await story.ask(ana, "/vps list", "Rackbell cannot write its records at the moment");
    expect(redis.cli("DBSIZE")).toBe("0");
  });
});
