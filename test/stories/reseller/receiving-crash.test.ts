import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { freePort } from "../../free-port.ts";
import { tellCrashing } from "../crashing.ts";
import { said } from "../story.ts";
import { deliver, keptEvents, type Raised } from "./delivering.ts";
import { connect } from "./selling.ts";

const numbers = Array.from({ length: 10 }, (_, at) => at);
const servicesOfOne = 18;
const senders = 8;

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

test("killed again and again while the supplier delivers: each event is kept once, and each card is posted once and is right", async () => {
  const story = await tellCrashing({ environment: { PORT: String(await freePort()) }, oneTime: true });
  const { ana, slack, platform } = story;
  await ana.type("/rackbell link");
  await story.modal(ana, "API key");
  await ana.fill({ "API key": platform.reseller.keys.ana.key });
  await ana.submit();
  await story.sees(ana, "Your reseller key", "is linked");
  await connect(story, ana);
  await story.ask(ana, "/rackbell alerts add #ops", "From now on");
  const all = raised();
  const waiting = [...all];
  const cards = () => ana.sees().filter((message) => said(message).includes("as the supplier's event of"));
  let running = true;
  let restarted = Promise.resolve();
  /** Ends the app, unless it has just ended; the senders go on sending to what has died, and to what comes after it. */
  function dieOnce(moments: number[]): void {
    if (!running) return;
    moments.shift();
    running = false;
    const killed = story.kill();
    restarted = killed.then(story.start).then(() => {
      running = true;
    });
  }
  const afterAnswers = [60, 130];
  const afterCards = [2, 6];
  let answered = 0;
  // At this moment the card stands in Slack, and the app has not heard of it.
  slack.onChange(() => cards().length >= (afterCards[0] ?? Number.POSITIVE_INFINITY) && dieOnce(afterCards));
  async function send(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await deliver(story, next);
      answered += 1;
      // At least once, they say: some come again although they were answered.
      if (answered % 5 === 0) await deliver(story, next);
      if (answered >= (afterAnswers[0] ?? Number.POSITIVE_INFINITY)) dieOnce(afterAnswers);
    }
  }
  await Promise.all(Array.from({ length: senders }, send));
  await story.later(() => afterCards.length + afterAnswers.length === 0, "each end of the app");
  await restarted;
  const isRight = (text: string, order: number) =>
    text.includes(`\`RES-${order}\` is paid`) &&
    text.includes(`\`host-${order}-0\` is suspended`) &&
    text.match(/is ready/g)?.length === servicesOfOne - 1;
  await story.later(
    () => numbers.every((order) => cards().some((card) => isRight(said(card), order))),
    "every card is right",
  );
  expect(cards()).toHaveLength(numbers.length);
  await story.kill();
  const kept = await keptEvents(story, 2 * all.length);
  expect(kept).toHaveLength(all.length);
  expect(new Set(kept.map(({ event, data }) => `${event} ${data.orderId} ${data.serviceId}`)).size).toBe(all.length);
}, 90_000);
