import { createHmac } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasRedis } from "../../storage/redis/server.ts";
import { waiting } from "../../torture/instances.ts";
import { createPair, eventually, type Instance, isReady, type Pair, ring } from "../../torture/pair.ts";
import { pause } from "../../torture/pause.ts";
import { said } from "../story.ts";

/** Longer than an instance that gives no sign of life counts as living. */
const frozenMs = 8_500;
const services = Array.from({ length: 16 }, (_, at) => `00000000-0000-4000-8000-0000000000${at + 10}`);

/** Posts an event of each service to an instance, as the supplier does. */
async function deliverAll({ platform, slack }: Pair, to: Instance, event: string): Promise<void> {
  for (const serviceId of services) {
    const data = { serviceId, hostname: `${serviceId.slice(-2)}.example.test`, reason: "Too much mail" };
    const body = JSON.stringify({ event, timestamp: new Date().toISOString(), data });
    const signature = createHmac("sha256", platform.reseller.signingSecret() ?? "")
      .update(body)
      .digest("hex");
    const headers = { "x-webhook-id": `${event} ${serviceId}`, "x-webhook-signature": `hmac-sha256=${signature}` };
    const answer = await fetch(`${to.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body, headers });
    expect(answer.status).toBe(200);
  }
}

describe.runIf(hasRedis)("of two instances on one Redis", () => {
  test("one that stands still for some seconds in a burst of events posts no alert again when it goes on, and takes none back to what it was", async () => {
    const story = await createPair();
    onTestFinished(() => story.end());
    const { slack } = story;
    const first = await story.start();
    story.toward(first);
    await ring(story);
    const posts = () => slack.calls("chat.postMessage").length;
    const before = posts();
    await deliverAll(story, first, "service.suspended");
    await eventually(() => posts() > before, "the first alerts");
    // Later than the burst, so that all of it is the first one's work.
    const second = await story.start();
    first.freeze();
    // Each alert changes while the instance that was to post it is frozen.
    await deliverAll(story, second, "service.unsuspended");
    await pause(frozenMs);
    first.thaw();
    await eventually(() => isReady(first), "the first to go on");
    await eventually(async () => (await waiting(first)) + (await waiting(second)) === 0, "both to be done", 60_000);
    const alerts = Object.values(slack.state().channels)
      .flat()
      .filter(({ metadata }) => String(metadata?.event_payload.subject).startsWith("alert"));
    const marks = alerts.map(({ metadata }) => JSON.stringify(metadata?.event_payload));
    expect(marks.toSorted()).toEqual([...new Set(marks)].toSorted());
    const cards = alerts.filter(({ metadata }) => metadata?.event_payload.slot === "alert");
    // From the sixth on, one message names them.
    const bursts = alerts.filter(({ metadata }) => String(metadata?.event_payload.subject).startsWith("alert-burst:"));
    expect([cards.length, bursts.length]).toEqual([5, 1]);
    expect(cards.map(said).filter((words) => words.includes("is suspended"))).toEqual([]);
  }, 120_000);
});
