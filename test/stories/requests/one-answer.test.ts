import { describe, expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { untaken } from "../../../src/policy/responsibility/responsibility.ts";
import { characters } from "../../../src/process/plain-text.ts";
import { confirmationDialog } from "../../../src/requests/dialog.ts";
import { detailsMessage, pendingMessage } from "../../../src/requests/pending-view.ts";
import type { Request } from "../../../src/requests/request.ts";
import { controlsOf } from "../../../src/sandbox/slack/blocks/controls.ts";
import { money } from "../../../src/views/format.ts";
import { unmarked } from "../../../src/views/text.ts";
import { sellsOn } from "../../examples.ts";
import { carryPrepared, isPrepared, prepareFor, startFor } from "../carrying.ts";
import { backOut, goAhead, type Message, peer, type Story, said } from "../story.ts";

const asking = operations.filter(({ risk }) => risk === "spend" || risk === "destroy");

/** The words of a message without its buttons. */
function wordsOf(message: Message): string {
  return said({ ...message, text: "", blocks: message.blocks.filter(({ type }) => type !== "actions") });
}

/** The labels and values of all facts. */
function fieldsOf(blocks: Message["blocks"]): string[] {
  const texts = blocks.flatMap(({ fields }) => (Array.isArray(fields) ? fields : []));
  return texts.map((text) => String(text.text));
}

/** How often a text holds each name (in code marks) and each number with a unit. */
function repeatedIn(text: string): Record<string, number> {
  const names = text.match(/`[^`]+`/g) ?? [];
  const figures = text.match(/\d[\d.,]*\s?(?:GB|GiB|MB|MiB|TB|TiB|EUR|USD|SEK|%)/g) ?? [];
  const counts: Record<string, number> = {};
  for (const one of [...names, ...figures]) counts[one] = (counts[one] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 2));
}

const longName = "database-primary-of-the-northern-shop-with-a-name-of-seventy-five-charactrs";
const large = { amount: "1234567.00", currency: "EUR" };

/** The same request about a machine with a long name, at a large price if it has one. */
function enlarged(request: Request): Request {
  const { target, price } = request;
  let text = JSON.stringify(request);
  if (target) text = text.replaceAll(characters(target.name), longName);
  if (price === null || price === "unknown") return JSON.parse(text);
  text = text.replaceAll(money(price.amount, price.currency), money(large.amount, large.currency));
  return { ...JSON.parse(text), price: { ...price, ...large } };
}

/** Each name in the loss at its longest: a dialog has room for few of them. */
function withLongNames(request: Request): Request {
  const loss = request.review.loss.map((sentence) =>
    sentence.replaceAll(/`([^`]*)`/g, (_, name: string) => `\`${name.padEnd(100, "n")}\``),
  );
  return { ...request, review: { ...request.review, loss } };
}

/** The words for what an act destroys that is not the service alone. */
const lostThings = /\b(?:data|disks?|everything|contents?|files)\b/;

/** A text with its long name as one letter, whole or shortened. */
function withoutName(text: string): string {
  return text.replaceAll(longName, "X").replaceAll(/database-primary[^ …]*…/g, "X");
}

/** Says the name and the loss in the dialog, and the price on its button. Nothing is cut by Slack's limits. */
function checkLabels(stored: Request, typed: string): void {
  const request = enlarged(stored);
  const { price, review, backupFirst, target } = request;
  if (lostThings.test(stored.review.loss.join(" ").replaceAll(/`[^`]*`/g, "")))
    expect.soft(confirmationDialog(withLongNames(stored)).text.text, typed).toMatch(lostThings);
  for (const dialog of [
    confirmationDialog(request),
    ...(backupFirst ? [confirmationDialog(request, backupFirst)] : []),
  ]) {
    const texts = [dialog.title, dialog.text, dialog.confirm, dialog.deny].map((one) => one?.text ?? "");
    for (const text of texts) expect.soft(text, typed).not.toMatch(/…( See Details for the rest\.)?$/);
    if (target) expect.soft(texts.join(" "), typed).toContain(longName);
    const [loss = ""] = unmarked(review.loss[0] ?? "").split(/(?<=[.!?]) (?=\p{Lu})/u);
    expect.soft(withoutName(dialog.text.text ?? ""), typed).toContain(withoutName(loss));
    if (price !== null && price !== "unknown") expect.soft(dialog.confirm?.text, typed).toContain("1,234,567.00 EUR");
  }
  const messages = [
    pendingMessage(request, { alone: true, listed: [], responsibility: untaken }),
    detailsMessage(request, { alone: true, listed: [], responsibility: untaken, may: null }),
  ];
  for (const label of JSON.stringify(messages).match(
    /(?<="type":"button","text":\{"type":"plain_text","text":")[^"]*/g,
  ) ?? [])
    expect.soft(label.length < 70 || !label.endsWith("…"), `${typed}: ${label}`).toBe(true);
}

/** The requests say it in the title and once more; the buttons name the thing, too. */
async function checkRequest(story: Story, typed: string): Promise<Message> {
  const { ana } = story;
  await prepareFor(story, typed);
  const request = await carryPrepared(story, typed, goAhead);
  const stored = [...story.requests.values()].findLast(({ state }) => state === "pending");
  if (!stored) throw new Error(`${typed} stored no request`);
  checkLabels(stored, typed);
  expect.soft(repeatedIn(wordsOf(request)), typed).toEqual({});
  const formats = JSON.stringify(request.blocks).matchAll(/<!date\^\d+\^([^|]*)\|/g);
  expect.soft(new Set([...formats].map(([, format]) => format)).size, typed).toBeLessThanOrEqual(1);
  const buttons = controlsOf(request.blocks).map(({ label }) => label);
  expect.soft(buttons.filter((label) => label !== "Details…").length, typed).toBeLessThanOrEqual(4);
  const named = wordsOf(request).match(/Details has (.*)$/m)?.[1] ?? "";
  const hidden = [...named.matchAll(/“([^”]+)”/g)].map(([, label]) => label);
  if (buttons.includes("Details…")) {
    await ana.press(request, "Details…");
    await story.modal(ana, "It expires");
    const all = fieldsOf(ana.modal()?.blocks ?? []);
    await ana.closeModal({ all: true });
    const shown = fieldsOf(request.blocks);
    expect.soft(all, typed).toEqual(expect.arrayContaining(shown));
    for (const label of hidden)
      expect.soft(all.filter((fact) => !shown.includes(fact)).join("\n"), typed).toContain(label);
  } else expect.soft(hidden, typed).toEqual([]);
  return request;
}

const unprepared = asking.map(({ example }) => example).filter((typed) => !isPrepared(typed));

describe("a request says nothing three times, has few buttons, and shows the rest in its details", () => {
  // Those that need nothing before them share a story.
  test.each([
    ["customer", unprepared.filter((typed) => !sellsOn(typed))],
    ["reseller", unprepared.filter(sellsOn)],
  ])("each of the commands of the %s API", async (_, [begin = "", ...others]) => {
    const story = await startFor(begin, { environment: peer });
    for (const typed of [begin, ...others]) {
      await story.ana.press(await checkRequest(story, typed), backOut);
      // Two commands may be the same act: the next one's request would be the open one.
      const isOpen = () => [...story.requests.values()].some(({ state }) => state === "pending");
      await story.passes(() => !isOpen(), `the request of ${typed} withdrawn`);
      // Slack's pace would hold up the next request.
      story.clock.skip(5_000);
    }
  });

  test.each(asking.filter(({ example }) => isPrepared(example)))(
    "the request of /$command",
    async ({ example: typed }) => {
      await checkRequest(await startFor(typed, { environment: peer }), typed);
    },
  );
});
