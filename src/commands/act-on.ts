import { randomUUID } from "node:crypto";
import { requireLinked } from "../members/access/access.ts";
import { bind } from "../members/access/bound.ts";
import { refusedWords } from "../members/access/name-search.ts";
import { disambiguated } from "../members/access/resolve.ts";
import { rowButton } from "../messages/answers/buttons.ts";
import { cardActions } from "../messages/answers/card.ts";
import { errorText } from "../messages/answers/error-text.ts";
import { type Offer, offerTo } from "../messages/answers/offer.ts";
import type { Origin } from "../messages/origin.ts";
import { characters } from "../process/plain-text.ts";
import { runReading } from "../requests/ask.ts";
import { type Block, context, divider, type Message, section } from "../views/blocks.ts";
import { figure } from "../views/format.ts";
import { code, count, listing, prose } from "../views/text.ts";
import type { App, AppWith } from "./app.ts";
import { invoke } from "./invoke.ts";
import { type MentionedResource, mentionedResources } from "./mentioned-resources.ts";

/** So many resources are read and shown with their steps. */
const mostCards = 5;
/** So many more have a row: a modal takes 100 blocks, and a message 50, of which the cards need up to 30. */
const mostRows = { modal: 65, message: 18 };
/** In characters. A longer message is usually a pasted log. */
const mostRead = 4_000;

/**
 * Shows the requester which of their resources a message mentions, each with its possible steps. The message's own instructions are never
 * followed.
 */
export async function actOn<C>(app: AppWith<C>, text: string, origin: Origin): Promise<void> {
  const { reply } = app;
  await requireLinked(app, origin);
  const read = beginningOf(text);
  const { resources, unread, refused } = await mentionedResources(app, read, origin.member);
  const notes = [
    ...(read === text
      ? []
      : [`The message has ${count(text.length, "character")}, and I read only the first ${figure(mostRead)}.`]),
    ...(unread.length > 0 ? [`Not all could be read: ${listing(unread)}. Try again in a moment.`] : []),
    ...(refused.length > 0 ? [refusedWords(refused)] : []),
  ];
  const [only, second] = resources;
  if (!only) {
    const nothing = "The message has no name, host name, address or id of a resource that your keys can see.";
    return reply.say(origin, [nothing, ...notes].join(" "));
  }
  if (!second && read === text) {
    const show = { command: only.operation.command, target: only.entry.id, input: {} };
    return invoke(app, { ...show, replace: origin.view !== null }, origin);
  }
  const shown = await cards(app, resources, origin);
  await reply.ephemeral(origin, {
    ...shown,
    blocks: [...shown.blocks, ...notes.map((note) => context(note))],
  });
}

async function cards(app: App, resources: MentionedResource[], origin: Origin): Promise<Message> {
  const offer = offerTo(await app.identities.links(origin.member), app.registry);
  const apart = disambiguated(resources.map(({ entry }) => entry));
  const distinct = resources.map(({ operation, entry }, at) => ({ operation, entry: apart[at] ?? entry }));
  const whole = await Promise.all(distinct.slice(0, mostCards).map((resource) => cardOf(app, resource, origin, offer)));
  const most = origin.view === null ? mostRows.message : mostRows.modal;
  const rows = distinct.slice(mostCards, mostCards + most);
  const left = distinct.length - mostCards - rows.length;
  const text = `The message names ${count(resources.length, "resource")} that your keys can see.`;
  return {
    text,
    blocks: [
      section(text),
      // Each card has a block of steps, and Slack forbids two blocks with the same id.
      ...whole.flatMap((blocks) => [divider(), ...blocks.map(({ block_id: _, ...block }) => block)]),
      ...(rows.length > 0 ? [divider()] : []),
      ...rows.map((resource) => section(rowText(resource), openButton(resource))),
      ...(left > 0 ? [context(`and ${left} more, which are not shown`)] : []),
    ],
  };
}

/** A short card: the present state and the next steps. An error of one card does not affect the others. */
async function cardOf(
  app: App,
  { operation, entry }: MentionedResource,
  origin: Origin,
  offer: Offer,
): Promise<Block[]> {
  const open = openButton({ operation, entry });
  try {
    const bound = await bind(app, operation, origin.member);
    const act = await bound.begin({ id: randomUUID(), targetId: entry.id, input: {}, now: app.clock.now() });
    const { text, next = [] } = await runReading(app.requests, { bound, act, origin });
    // A step that replaces its message would replace all cards.
    const steps = next.filter(({ replace }) => !replace);
    const details = { command: operation.command, target: entry.id, input: {} };
    const buttons = cardActions(steps, offer, { name: entry.name, details });
    return [section(text, open), context(whatItIs({ operation, entry })), ...buttons];
  } catch (error) {
    return [
      section(code(entry.name), open),
      context(`${operation.target?.label} · ${errorText(error, app.clock.now()).text}`),
    ];
  }
}

/** At most `mostRead` characters, cut at a blank: the beginning of `web-12` is the name of another machine. */
function beginningOf(text: string): string {
  if (text.length <= mostRead) return text;
  return /^.*(?=\s)/s.exec(text.slice(0, mostRead + 1))?.[0] ?? "";
}

function rowText({ operation, entry: { name, detail } }: MentionedResource): string {
  return [code(name), operation.target?.label ?? "", prose(detail, 200)].filter((part) => part !== "").join(" · ");
}

/** Describes the resource without its state, which is read again. */
function whatItIs({ operation, entry: { detail, state } }: MentionedResource): string {
  const parts = characters(detail)
    .split(" · ")
    .filter((part) => part !== "" && part !== state);
  return [operation.target?.label ?? "", ...parts.map((part) => prose(part, 100))].join(" · ");
}

function openButton({ operation, entry }: MentionedResource) {
  return rowButton("Open", { command: operation.command, target: entry.id }, entry.id);
}
