import { describe, expect, test } from "vitest";
import { identityFacts } from "../../../src/operation/identity.ts";
import { factsOfPreconditions } from "../../../src/operation/preconditions.ts";
import { operations } from "../../../src/operations/index.ts";
import { untaken } from "../../../src/policy/responsibility/responsibility.ts";
import { characters } from "../../../src/process/plain-text.ts";
import { passkeyPage } from "../../../src/requests/facets/passkey/page.ts";
import { scheduleFor } from "../../../src/requests/facets/schedule/record.ts";
import { pendingMessage, shortMessage } from "../../../src/requests/pending-view.ts";
import { lossBesideTitle, type Request, shownIdentity, titleOf } from "../../../src/requests/request.ts";
import { reminderMessage } from "../../../src/requests/view.ts";
import { unmarked } from "../../../src/views/text.ts";
import { requestStatus } from "../../../src/web/mcp/status.ts";
import { commandIn, sellsOn } from "../../examples.ts";
import { unknownFactsMissing } from "../../unknown-facts.ts";
import { carryPrepared, isPrepared, prepareFor, startFor } from "../carrying.ts";
import { backOut, goAhead, type Message, peer, type Story, said } from "../story.ts";

// The people who decide read the same as the member who types: the loss, and which machine it is, on each thing that can be decided on.

const rows = operations.filter(({ risk, api }) => risk !== "read" && api !== "app");

/** Text as a person reads it, without marks and times: each place writes those in its own way. */
function plain(text: string): string {
  const written = unmarked(text).replaceAll('\\"', '"').replaceAll(/\s+/g, " ");
  return written.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "then");
}

/** The texts that a phone shows of the request for 2026-12-01: to its channel, to its requester alone, and to the owner of an agent. */
function notificationsOf(request: Request): Record<string, string> {
  const at = Date.UTC(2026, 11, 1);
  const schedule = { ...scheduleFor({ at, zone: "UTC", said: "" }), ...request.schedule };
  const agent = { id: "a", name: "claude", client: null, why: "It hangs", digest: "" };
  const shown = { listed: [], responsibility: untaken };
  const timed = { ...request, schedule };
  return {
    "notification in the channel": pendingMessage(timed, { alone: false, ...shown }).text,
    "notification of the requester": pendingMessage(timed, { alone: true, ...shown }).text,
    "notification of an agent's owner": pendingMessage({ ...timed, agent }, { alone: true, ...shown }).text,
    "notification of one who only pays": shortMessage(timed, []).text,
    reminder: reminderMessage(timed).text,
  };
}

/** The sentence that the operation declares for what was typed. */
function declared(typed: string): string | null {
  const operation = operations.find(({ command }) => command === commandIn(typed));
  const values = [...typed.matchAll(/ (\w+)=(\S+)/g)].map(([, name = "", value]) => [name, value]);
  return operation?.interrupts?.(Object.fromEntries(values)) ?? null;
}

function dialogTexts({ blocks }: Message): string[] {
  const elements = blocks.flatMap(({ elements: all }) => (Array.isArray(all) ? all : []));
  return elements.flatMap(({ action_id: id, confirm }) => (id === goAhead ? [String(confirm?.text?.text)] : []));
}

/** The dialogs that have room for everything, by the word for them. */
function wholeDialogs(card: Message): [view: string, text: string][] {
  return dialogTexts(card).flatMap((text) => (text.includes("See Details") ? [] : [["dialog", text]]));
}

async function checkDecision(story: Story, typed: string): Promise<void> {
  const { ana, ben } = story;
  const known = new Set(story.requests.keys());
  const card = await carryPrepared(story, typed, goAhead);
  const request = [...story.requests.values()].find(({ id, state }) => !known.has(id) && state === "pending");
  if (!request) throw new Error(`${typed} made no request`);
  const interrupts = declared(typed);
  if (interrupts !== null) expect.soft(plain(request.review.loss.join(" ")), typed).toContain(plain(interrupts));
  const help = operations.find(({ command }) => command === commandIn(typed))?.summary;
  expect.soft(request.review.loss, `${typed} tells the help in place of what happens`).not.toContain(`${help}.`);
  const list = said(await story.ask(ben, "/rackbell approvals", "Open requests"));
  await ben.press(card, "Details…");
  await story.modal(ben, "It expires");
  const details = said({ text: "", blocks: ben.modal()?.blocks ?? [] });
  await ben.closeModal({ all: true });
  const page = await passkeyPage(
    { people: { person: async (name) => ({ name, zone: "UTC" }) as never } },
    request,
    {},
    [],
    "U1",
  );
  const { target, where, loss } = requestStatus(request);
  const views = { card: said(card), list, details, page: JSON.stringify(page), agent: `${target} ${where} ${loss}` };
  for (const fact of factsShown(request))
    for (const [view, text] of [...Object.entries(views), ...wholeDialogs(card)])
      expect.soft(plain(text), `${view} of ${typed}`).toContain(plain(fact));
  for (const [view, text] of Object.entries(notificationsOf(request)))
    for (const words of [titleOf(request), ...lossBesideTitle(request), "scheduled for then"])
      expect.soft(plain(text), `${view} of ${typed}`).toContain(plain(words));
  expect.soft(unknownFactsMissing(request, [views.card]), `unknown, and not on the card of ${typed}`).toEqual([]);
  for (const sentence of lossBesideTitle(request)) {
    for (const [view, text] of Object.entries(views))
      expect.soft(plain(text), `${view} of ${typed}`).toContain(plain(sentence));
    for (const dialog of dialogTexts(card))
      expect.soft(plain(dialog), `dialog of ${typed}`).toContain(dialogPart(request, sentence));
  }
  await ana.press(card, backOut);
  await story.slack.until(() => story.requests.get(request.id)?.state === "withdrawn", `${typed} to be withdrawn`);
  const ended = said(await story.sees(ana, "withdrawn", "As it was requested", titleOf(request)));
  for (const fact of [...factsShown(request), ...factsDecidedBy(request)])
    expect.soft(plain(ended), `the decided card of ${typed}`).toContain(plain(fact));
}

/** Each fact that the card and its details show before the decision. */
function factsDecidedBy(request: Request): string[] {
  const { review, reason } = request;
  const known = [...review.described, ...factsOfPreconditions(review.preconditions), ...review.shown];
  return [...lossBesideTitle(request), ...known.flatMap(({ label, value }) => [label, value]), characters(reason)];
}

/** The name, and the facts by which people know the machine, as far as the platform names them. */
function factsShown(request: Request): string[] {
  const { target } = request;
  const identity = shownIdentity(request);
  return target && identity ? [characters(target.name), ...identityFacts(identity).map(({ value }) => value)] : [];
}

/** A dialog has 300 characters: where all sentences together do not fit, it says where the rest is. */
function dialogPart({ review: { loss } }: Request, sentence: string): string {
  return plain(loss.join(" ")).length > 200 ? "" : plain(sentence);
}

/** The rule comes after what the command needs before it, which is done without a second person. */
async function startRuled(typed: string): Promise<Story> {
  const story = await startFor(typed, { environment: peer });
  await prepareFor(story, typed);
  await story.ask(story.ana, "/rackbell policy add demand=one-approval", "In effect now");
  return story;
}

describe("the people who decide read the loss on the card, in its notification, dialog, list and details, on the passkey page and in the agent's answer", () => {
  const unprepared = rows.map(({ example }) => example).filter((typed) => !isPrepared(typed));

  test.each([
    ["customer", unprepared.filter((typed) => !sellsOn(typed))],
    ["reseller", unprepared.filter(sellsOn)],
  ])("each of the commands of the %s API", async (_, [begin = "", ...others]) => {
    const story = await startRuled(begin);
    for (const typed of [begin, ...others]) {
      await checkDecision(story, typed);
      // Slack's pace would hold up the next request.
      story.clock.skip(5_000);
    }
  });

  test.each(rows.filter(({ example }) => isPrepared(example)))(
    "the request of /$command",
    async ({ example: typed }) => {
      await checkDecision(await startRuled(typed), typed);
    },
  );
});
