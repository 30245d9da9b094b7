import type { FieldValue } from "../../src/sandbox/slack/server.ts";
import { type Actor, type Message, type Story, said } from "./story.ts";

type OrderStory = Pick<Story, "slack" | "platform" | "modal" | "sees">;

/** A page of the order form is there once its title is, and the waiting is over. */
export async function page(story: OrderStory, actor: Actor, title: string): Promise<void> {
  await story.modal(actor, `"text":"${title}"`, '"submit":{');
}

/** Fills in the pages of one line up to the review, which its requester alone sees. */
export async function reviewOf(
  story: OrderStory,
  actor: Actor,
  product: string,
  plan: Record<string, FieldValue> = {},
): Promise<Message> {
  await actor.type(`/order new ${product}`);
  const before = await fillOrder(story, actor, plan);
  const [name = ""] = product.split(/ \w+=/);
  const isReview = (message: Message) => said(message).includes(`× \`${name}\``) && holds(message, "Not now");
  return story.slack.until(() => actor.sees().slice(before).find(isReview), `the review of ${product}`);
}

/** Fills in the pages of an open form and sends it. Resolves with the number of messages before. */
export async function fillOrder(
  story: OrderStory,
  actor: Actor,
  plan: Record<string, FieldValue> = {},
): Promise<number> {
  await page(story, actor, "Order");
  await actor.fill({ Billed: "monthly", Location: "Madrid", ...plan });
  const before = actor.sees().length;
  await actor.submit();
  return before;
}

/** The newest message with this button. */
export function offered({ slack }: Pick<Story, "slack">, actor: Actor, label: string): Promise<Message> {
  return slack.until(
    () =>
      actor
        .sees()
        .toReversed()
        .find((message) => holds(message, label)),
    `a button ${label}`,
  );
}

function holds({ blocks }: Message, label: string): boolean {
  return JSON.stringify(blocks).includes(`"text":"${label}`);
}

/** The calls that place an order. */
export function orderCalls({ platform }: Pick<Story, "platform">) {
  return platform.calls().filter(({ method, path }) => method === "POST" && path === "/orders");
}

export function ordersMade({ platform }: Pick<Story, "platform">) {
  return platform.orders().filter(({ idempotency_key: key }) => key !== null);
}

export function payCalls({ platform }: Pick<Story, "platform">) {
  return platform.calls().filter(({ method, path }) => method === "POST" && /\/pay$/.test(path));
}

/** The document of the practice platform that has this line. */
export function billOf({ platform }: Pick<Story, "platform">, title: string) {
  const found = platform.documents().find(({ lines }) => lines.some(({ description }) => description === title));
  if (!found) throw new Error(`There is no document for ${title}`);
  return found;
}

export function paidOn({ platform }: Pick<Story, "platform">, id: string): number {
  const bill = platform.documents().find((one) => one.id === id);
  return (bill?.payments ?? []).reduce((sum, { amount }) => sum + amount, 0);
}
