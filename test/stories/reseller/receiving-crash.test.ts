import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { freePort } from "../../../src/sandbox/bench/ports.ts";
import { createDraws } from "../../torture/draws.ts";
import { said } from "../story.ts";
import { deliver, keptEvents, type Raised } from "./delivering.ts";
import { startCrashingResellerStory } from "./selling.ts";

/** `DELIVERIES=2000 npx vitest run test/stories/reseller/receiving-crash.test.ts` tries it ten times as long, and prints its figures. */
const { DELIVERIES = "200" } = process.env;
const servicesOfOne = 18;
const ofOneOrder = servicesOfOne + 2;
const numbers = Array.from({ length: Math.ceil(Number(DELIVERIES) / ofOneOrder) }, (_, at) => at);
/** Ten times what it takes, for a machine that is busy. */
const patienceMs = Math.max(25_000, 100 * ofOneOrder * numbers.length);
const senders = 8;
/** A channel has five cards of its own in a minute, and then one for several. */
const channels = numbers.filter((at) => at % 5 === 0).map((at) => `orders-${at}`);
const ordersIn = (channel: number) => numbers.slice(channel * 5, channel * 5 + 5).map((order) => `RES-${order}`);

/** Of each order: that it is paid, that each of its services is ready, and that the first one is suspended. */
function raised(): Raised[] {
  const of = (event: string, data: object) => ({ id: randomUUID(), event, data });
  return numbers.flatMap((order) => {
    const about = { orderId: `order-${order}`, orderNumber: `RES-${order}` };
    const service = (at: number) => ({
      ...about,
      serviceId: `service-${order}-${at}`,
      hostname: `host-${order}-${at}`,
    });
    return [
      of("order.paid", about),
      ...Array.from({ length: servicesOfOne }, (_, at) => of("service.provisioned", service(at))),
      of("service.suspended", service(0)),
    ];
  });
}

test(
  "killed again and again while the supplier delivers: each event is kept once, and each card is posted once and is right",
  async () => {
    const story = await startCrashingResellerStory({ environment: { PORT: String(await freePort()) }, oneTime: true });
    const { ana, slack } = story;
    for (const channel of channels) slack.addChannel(channel, ["ana"]);
    for (const [at, channel] of channels.entries())
      await story.ask(ana, `/rackbell alerts add #${channel} about=${ordersIn(at).join(",")}`, "Saved");
    const all = raised();
    const waiting = [...all];
    const cards = () =>
      channels.flatMap((channel) => ana.sees(`#${channel}`)).filter((message) => said(message).includes("by webhook,"));
    const seed = Date.now() % 1_000_000;
    const draws = createDraws(seed);
    /** The app ends after so many answered deliveries, and after so many posted cards. */
    const afterAnswers = numbers.filter((at) => at % 5 === 0).map((at) => at * ofOneOrder + draws.between(30, 90));
    const afterCards = numbers.filter((at) => at % 5 === 0).map((at) => at + draws.between(1, 4));
    const figures = { seed, kills: 0, deliveries: 0, tries: 0 };
    let running = true;
    let restarted = Promise.resolve();
    /** Ends the app, unless it has just ended; the senders go on sending to what has died, and to what comes after it. */
    function dieIfDue(): void {
      if (!running) return;
      const due = [[figures.deliveries, afterAnswers] as const, [cards().length, afterCards] as const].find(
        ([count, [next = Number.POSITIVE_INFINITY]]) => count >= next,
      );
      if (!due) return;
      due[1].shift();
      running = false;
      figures.kills += 1;
      const killed = story.kill();
      restarted = killed.then(story.start).then(() => {
        running = true;
      });
    }
    // At this moment Slack has the card, and the app has no answer yet.
    slack.onChange(dieIfDue);
    async function send(): Promise<void> {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const tries = await deliver(story, next);
        figures.tries += tries;
        figures.deliveries += 1;
        // At least once, they say: some come again although they were answered.
        if (figures.deliveries % 5 === 0) await deliver(story, next);
        dieIfDue();
      }
    }
    await Promise.all(Array.from({ length: senders }, send));
    await story.later(
      () => {
        dieIfDue();
        return afterCards.length + afterAnswers.length === 0;
      },
      "each end of the app",
      patienceMs,
    );
    await restarted;
    const isRight = (text: string, order: number) =>
      text.includes(`\`RES-${order}\` is paid`) &&
      text.includes(`\`host-${order}-0\` is suspended`) &&
      text.match(/is ready/g)?.length === servicesOfOne - 1;
    await story.later(
      () => numbers.every((order) => cards().some((card) => isRight(said(card), order))),
      "every card is right",
      patienceMs,
    );
    expect(cards()).toHaveLength(numbers.length);
    await story.kill();
    const events = await keptEvents(story, 2 * all.length);
    expect(events).toHaveLength(all.length);
    expect(new Set(events.map(({ event, data }) => `${event} ${data.orderId} ${data.serviceId}`)).size).toBe(
      all.length,
    );
    const posts = slack.calls("chat.postMessage").length;
    if (process.env.DELIVERIES)
      process.stdout.write(`${JSON.stringify({ ...figures, cards: numbers.length, posts })}\n`);
  },
  3 * patienceMs + 15_000,
);
