import { describe, expect, onTestFinished, test } from "vitest";
import type { PracticePlatform } from "../../../src/sandbox/platform/practice-platform.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { runInstances, waiting } from "../../torture/instances.ts";
import { createPair, eventually, link, type Pair, ring, sees } from "../../torture/pair.ts";
import { goAhead, said } from "../story.ts";

async function pair(mode: "http" | "socket" = "http"): Promise<Pair> {
  const made = await createPair({}, mode);
  onTestFinished(() => made.end());
  return made;
}

function sent({ platform }: { platform: PracticePlatform }, wanted: string): string[] {
  return platform.calls().flatMap(({ method, path }) => (method === wanted ? [path] : []));
}

describe.runIf(hasRedis)("of two instances on one Redis", () => {
  test("one that is killed between the claim and the answer, and while it posts the cards of events, is taken over by the other: it finds out, runs nothing again, and has each card stand once", async () => {
    const story = await pair();
    const { ana, slack, platform } = story;
    const first = await story.start();
    story.toward(first);
    await link(story);
    await ring(story);
    platform.clearCalls();
    const second = await story.start({ ahead: 60_000 });
    await ana.type("/vps cancel web-1");
    const request = await sees(ana, "asks to");
    platform.faults.next({ how: "hang", method: "DELETE", applied: true });
    await ana.press(request, goAhead);
    await eventually(() => sent(story, "DELETE").length === 1, "the call");

    // The first card is posted and its answer lost; the second never gets through. The store has the message id of neither.
    slack.faults.lose("chat.postMessage");
    slack.faults.hangApi("chat.postMessage", 1);
    const [one, other] = platform.reseller.sold().filter(({ status }) => status === "active");
    for (const service of [one, other]) platform.reseller.supplier.suspend(service?.id ?? "", "Too much mail");
    await platform.reseller.webhooks.postDue();
    expect(
      platform.reseller
        .deliveries()
        .slice(-2)
        .map(({ state }) => state),
    ).toEqual(["delivered", "delivered"]);
    await eventually(() => posts().length === 2, "the posts");
    expect(cards()).toHaveLength(1);
    await first.kill();
    story.toward(second);

    // The message may say for a moment only that the app was interrupted.
    await sees(ana, ":white_check_mark: It was done after all");
    expect(sent(story, "DELETE")).toHaveLength(1);
    await eventually(
      () => cards().length === 2 && slack.calls("conversations.history").length > 1,
      "the other to take over the cards",
    );
    await eventually(async () => (await waiting(second)) === 0, "the other to be done");
    expect(cards()).toHaveLength(2);
    expect(posts()).toHaveLength(3);

    function cards() {
      return ana.sees().filter((message) => said(message).includes("Too much mail"));
    }
    function posts() {
      return slack.calls("chat.postMessage").filter(({ args }) => JSON.stringify(args).includes("Too much mail"));
    }
  }, 120_000);

  test("one that is killed in the middle of a change holds up nobody who asks for it again once it is clear", async () => {
    const story = await pair();
    const { ana, platform } = story;
    const first = await story.start();
    story.toward(first);
    await link(story);
    platform.faults.next({ how: "hang", method: "POST" });
    await ana.type("/vps snapshot web-2 name=before");
    await eventually(() => platform.calls().at(-1)?.method === "POST", "the call");
    await first.kill();
    story.toward(await story.start({ speed: 10 }));
    await sees(ana, "It was not done", "it is safe to ask again");
    await ana.type("/vps snapshot web-2 name=before");
    await sees(ana, "Taking the snapshot");
  }, 90_000);

  test("one that is killed while it follows is taken over by the other, to the end, over sockets as well", async () => {
    const story = await pair("socket");
    const { ana } = story;
    const first = await story.start();
    await link(story);
    await ana.type("/vps snapshot web-2 name=before");
    await sees(ana, "Taking the snapshot");
    await story.start();
    await first.kill();
    await sees(ana, "The snapshot `before` is taken");
    const before = ana.sees().length;
    await ana.type("/vps list");
    await eventually(() => ana.sees().length > before, "an answer of the other");
    expect(sent(story, "POST")).toHaveLength(1);
  }, 90_000);

  test("and Redis any may be killed at any time: nothing destructive or paid is sent twice, and no event and no entry is lost or doubled", async () => {
    const seed = Date.now() % 1_000_000;
    const { findings } = await runInstances({ seed, rounds: 3 });
    expect(findings, `npm run torture -- --instances 3 --seed ${seed}`).toEqual([]);
  }, 180_000);
});
