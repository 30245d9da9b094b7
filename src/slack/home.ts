import type { Button } from "@slack/types";
import type { Logger } from "pino";
import type { Chat } from "../chat/chat.ts";
import { type Clock, sleep } from "../clock.ts";
import { viewBlocks } from "../engine/answers/answer-view.ts";
import { stepBlocks } from "../engine/answers/answers.ts";
import { invokePrefix, packInvocation, stepButtons } from "../engine/answers/buttons.ts";
import { errorText, linkStep } from "../engine/answers/error-text.ts";
import type { HomeNotes } from "../engine/answers/home-notes.ts";
import { type Offer, offerTo } from "../engine/answers/offer.ts";
import type { Origin } from "../engine/answers/origin.ts";
import type { AppContext } from "../engine/app-context.ts";
import type { Guard } from "../engine/guard.ts";
import type { Request } from "../engine/requests/request.ts";
import { outcomeOf, titleOf } from "../engine/requests/view.ts";
import { hasLink, keyNames, type Link, type Links } from "../identities/link.ts";
import type { Step } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf } from "../operation/fields.ts";
import type { Invocation, Operation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { type Bill, billOf, currencyFor } from "../operations/billing/bill.ts";
import { billLine } from "../operations/billing/documents.ts";
import { isOpen, withDetails } from "../operations/billing/owed.ts";
import { abilityWords } from "../operations/rackbell/abilities.ts";
import { requestBlocks } from "../operations/rackbell/approvals.ts";
import { listInvoices, listProformas } from "../platform/customer/billing.ts";
import {
  actions,
  type Block,
  button,
  context,
  divider,
  header,
  type Message,
  paragraphs,
  section,
  type View,
} from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code, count, prose } from "../views/text.ts";
import { inModal } from "./answer-modal.ts";

const mostLines = 10;
/** Milliseconds that a Home which is shown anew waits for the platform. */
const redrawWithin = 1_000;
/** A Home tab holds 100 blocks; what is said in it is a line or two, with its buttons. */
const mostNotes = 2;
const mostInNote = 15;

interface Who {
  member: string;
  user: string;
}

/** The Home tab as it is shown, and shown anew once something was done in it. `notes` say what came of that. */
export interface Home {
  show(who: Who, notes?: Message[]): Promise<void>;
  /** The origin with the modal, opened at once, in which what is pressed on Home or in a modal is answered; any other as it is. */
  answering(invocation: Invocation, origin: Origin, trigger: string): Promise<Origin>;
  /** The guard of what people do, which shows the Home tab anew after what was pressed in it. */
  guard: Guard;
}

export function createHome(deps: {
  context: AppContext;
  guard: Guard;
  homeNotes: HomeNotes;
  chat: Chat;
  clock: Clock;
  log: Logger;
}): Home {
  const { context, guard, homeNotes, chat, clock, log } = deps;

  async function show(who: Who, notes: Message[] | null = null): Promise<void> {
    const publish = async (unpaid: Block[]) =>
      chat.publishHome(who.user, await homeView(context, who, { notes: notes ?? [], unpaid }));
    const reading = unpaidBlocks(context, who.member).catch((error: unknown) => [
      section(`*Unpaid*\n${errorText(error, clock.now()).text}`),
    ]);
    // What the platform tells must not hold up the rest; shown anew, what stood there goes only if that takes long.
    const patience = notes === null ? null : sleep(clock, redrawWithin).then(() => null);
    if (patience === null || (await Promise.race([reading, patience])) === null) await publish([]);
    const unpaid = await reading;
    if (unpaid.length > 0 || patience !== null) await publish(unpaid);
  }

  async function answering({ replace }: Invocation, origin: Origin, trigger: string): Promise<Origin> {
    const isInMessage = !origin.home && origin.view === null;
    return isInMessage || (replace && origin.view !== null) ? origin : inModal(chat, origin, trigger);
  }

  return {
    show,
    answering,
    async guard(origin, work, waysOn) {
      if (!origin.home) return guard(origin, work, waysOn);
      let fine = false;
      const notes = await homeNotes.during(origin.member, async () => {
        fine = await guard(origin, work, waysOn);
      });
      await show({ member: origin.member, user: origin.slackUser }, notes).catch((error: unknown) =>
        log.warn({ err: error }, "The Home tab could not be shown anew"),
      );
      return fine;
    },
  };
}

/**
 * The Home tab: who the member is linked as, what waits for a decision, what goes on, unpaid documents, and the way in
 * to each noun. `unpaid` is read from the platform, so it comes in a second round.
 */
async function homeView(
  context: AppContext,
  { member, user }: Who,
  { notes, unpaid }: { notes: Message[]; unpaid: Block[] },
): Promise<View> {
  const outside = await outsideWords(context, user);
  if (outside !== null) return { type: "home", blocks: [header("Rackbell"), section(outside)] };
  const links = await context.access.links(member);
  const offer = offerTo(links, context.registry);
  const blocks: Block[] = [
    header("Rackbell"),
    ...notes.slice(-mostNotes).flatMap(noteBlocks),
    ...whoBlocks(links),
    ...stepBlocks(hasLink(links) ? waysIn(context.registry) : [linkStep], offer),
    ...(links.reseller ? soldOnBlocks(context.registry, offer) : []),
    divider(),
    ...waitingBlocks(await context.requests.openTo(member, { limit: mostLines })),
    divider(),
    ...(await goingOn(context, member)),
    ...(unpaid.length > 0 ? [divider(), ...unpaid] : []),
  ];
  return { type: "home", blocks };
}

function noteBlocks(note: Message): Block[] {
  // Home has rows of buttons of its own, and no two may be called the same.
  const blocks = viewBlocks(note).map(({ block_id: _, ...block }) => block);
  return [...blocks.slice(0, mostInNote), divider()];
}

/** What stands instead of all else for whom Rackbell does nothing. */
async function outsideWords({ access }: AppContext, user: string): Promise<string | null> {
  try {
    await access.admit(user);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.message : null;
  }
}

function whoBlocks({ customer, reseller }: Links): Block[] {
  const linked = [customer, reseller].filter((link) => link !== null);
  if (linked.length > 0) return linked.flatMap(linkBlocks);
  return [
    section(
      "You have not linked a key yet. Rackbell acts with your own key of the hosting platform, so that it can do what you can do and no more.",
    ),
  ];
}

function linkBlocks(link: Link): Block[] {
  const who = link.api === "customer" ? `You act as *${prose(link.user.name, 80)}*` : "You run what is sold on";
  const can =
    link.api === "customer" ? abilityWords(link) : `Its scopes: ${link.scopes.map((scope) => code(scope)).join(" ")}`;
  const line = section(`${who} with the ${keyNames[link.api]} ${code(link.keyLabel)}. ${can}`);
  if (!link.rejectedAt) return [line];
  return [
    line,
    section(
      `:warning: The platform refused this key ${moment(link.rejectedAt)}. If it was revoked or has expired, link a new one: \`/rackbell link\`.`,
    ),
  ];
}

/** The first thing of each noun that needs no further word: its list. */
function waysIn(registry: Registry): Step[] {
  const own = ["approvals", "help", "whoami"].map(
    (verb): Step => ({ label: labelOf(registry, `rackbell ${verb}`), command: `rackbell ${verb}` }),
  );
  const nouns = registry.nouns.filter((noun) => noun !== "rackbell" && registry.topics.includes(noun));
  return [...listsOf(registry, nouns), ...own];
}

/** The lists of what is sold on: of no use to who has no reseller key. */
function soldOnBlocks(registry: Registry, offer: Offer): Block[] {
  const subNouns = registry.topics.filter((topic) => !registry.nouns.includes(topic));
  return [
    divider(),
    section("*What you sell on*"),
    ...actions(stepButtons(listsOf(registry, subNouns), offer), "sold-on"),
  ];
}

function listsOf(registry: Registry, topics: readonly string[]): Step[] {
  return topics.flatMap((topic): Step[] => {
    const first = registry.under(topic).find(needsNothing);
    return first ? [{ label: `/${first.command}`, command: first.command }] : [];
  });
}

function labelOf(registry: Registry, command: string): string {
  return registry.find(command)?.verb ?? command;
}

function needsNothing(operation: Operation): boolean {
  return (
    operation.risk === "read" &&
    operation.target === null &&
    fieldsOf(operation.input).every((field) => !field.required)
  );
}

function waitingBlocks({ requests, next }: { requests: Request[]; next: string | undefined }): Block[] {
  if (requests.length === 0) return [section("*Waiting to be decided*\nNothing.")];
  return [
    section("*Waiting to be decided*"),
    ...requests.flatMap(requestBlocks),
    ...(next === undefined ? [] : [context("There are more: `/rackbell approvals` lists them all.")]),
  ];
}

async function goingOn({ requests }: AppContext, member: string): Promise<Block[]> {
  const running = (await requests.of(member)).filter(({ state }) => state === "working");
  if (running.length === 0) return [section("*Going on for you*\nNothing.")];
  const lines = running
    .slice(0, mostLines)
    .map((request) => `• *${titleOf(request)}*: ${outcomeOf(request)} (since ${moment(request.createdAt)})`);
  const more = running.length > lines.length ? [`and ${running.length - lines.length} more`] : [];
  return paragraphs(["*Going on for you*", ...lines, ...more]);
}

/** What is not paid yet, as the member's own key sees it; nothing when they have none. Platform errors pass through. */
async function unpaidBlocks({ identities, access, registry }: AppContext, member: string): Promise<Block[]> {
  const session = await identities.session(member, "customer");
  if (!session) return [];
  const { client } = session;
  const query = { status: "unpaid", limit: 5 };
  const [invoices, proformas] = await Promise.all([listInvoices(client, query), listProformas(client, query)]);
  const bills = await withDetails(client, [
    ...invoices.rows.map((row) => billOf("invoice", row)),
    ...proformas.rows.map((row) => billOf("proforma", row)),
  ]);
  if (bills.length === 0) return [section("*Unpaid*\nNothing.")];
  const currency = await currencyFor(client, bills[0]?.currency ?? null);
  const mayPay = offerTo(await access.links(member), registry)("billing pay") !== null;
  const left = invoices.pagination.total + proformas.pagination.total - bills.length;
  return [
    section("*Unpaid*"),
    ...bills.map((bill) => section(billLine(bill, currency), mayPay && isOpen(bill) ? payButton(bill) : undefined)),
    ...(left > 0 ? [context(`and ${count(left, "more document")}`)] : []),
  ];
}

function payButton({ id }: Bill): Button {
  return button(
    "Pay…",
    `${invokePrefix}billing pay:${id}`,
    packInvocation({ command: "billing pay", target: id, input: {} }),
  );
}
