import type { FieldValue } from "../../../src/sandbox/slack/server.ts";
import { page } from "../ordering.ts";
import { type Actor, goAhead, type Message, type Story, said } from "../story.ts";

type OrderStory = Pick<Story, "slack" | "platform" | "modal" | "sees">;

/** The values of the form. `details`: null for a product without systems. */
export interface Filled {
  plan?: Record<string, FieldValue>;
  details?: Record<string, FieldValue> | null;
  customer?: Record<string, FieldValue>;
}

/** Fills in a wholesale order up to the review, which its requester alone sees. */
export async function reviewOf(story: OrderStory, actor: Actor, typed: string, filled: Filled = {}): Promise<Message> {
  await actor.type(`/reseller order new ${typed}`);
  const before = actor.sees().length;
  await fillPages(story, actor, filled);
  const isReview = (message: Message) =>
    /Order (for|\d+ service)/.test(said(message)) && said(message).includes("Not now");
  return story.slack.until(() => actor.sees().slice(before).find(isReview), `the review of ${typed}`);
}

/** Fills in the open form and sends it. */
export async function fillPages(story: OrderStory, actor: Actor, filled: Filled = {}): Promise<void> {
  const { plan = {}, details = { System: "Debian 13" }, customer = {} } = filled;
  await page(story, actor, "Order to resell");
  await actor.fill({ Billed: "monthly", Datacentre: "es-mad", ...plan, ...details, ...customer });
  await actor.submit();
}

/** Orders one VPS S and waits for the answer to its button. */
export async function orderOne(story: Story, ...texts: string[]): Promise<Message> {
  const review = await reviewOf(story, story.ana, '"VPS S"');
  return story.pressing(story.ana, review, goAhead, ...texts);
}

/** The orders that were sent, with any outcome. */
export function ordersSent({ platform }: Pick<Story, "platform">) {
  return platform.calls().filter(({ method, path }) => method === "POST" && path === "/reseller/orders");
}
