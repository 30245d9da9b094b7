import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Registry } from "../operation/registry.ts";
import { type Block, context, divider, type Message, section } from "../views/blocks.ts";
import { code, count, listing, prose } from "../views/text.ts";
import type { Access } from "./access.ts";
import { noticeMessage, stepBlocks } from "./answers/answers.ts";
import { rowButton } from "./answers/buttons.ts";
import { errorText } from "./answers/error-text.ts";
import { type Offer, offerTo } from "./answers/offer.ts";
import type { Origin } from "./answers/origin.ts";
import type { Reply } from "./answers/reply.ts";
import type { Binder } from "./bound.ts";
import type { Invoke } from "./invoke.ts";
import type { NamedThing, NamedThings } from "./named-things.ts";
import type { Requests } from "./requests/requests.ts";
import { toldApart } from "./resolve.ts";

/** Shows who asks the things of theirs that a message names, each with what can be done with it. What the message says to do with them is nobody's order. */
export type ActOn = (text: string, origin: Origin) => Promise<void>;

/** So many are read and shown with their steps; so many more have a row. */
const mostCards = 5;
const mostRows = 15;

interface Deps {
  registry: Registry;
  access: Access;
  binder: Binder;
  named: NamedThings;
  requests: Requests;
  invoke: Invoke;
  reply: Reply;
}

export function createActOn(deps: Deps, clock: Clock): ActOn {
  const { registry, access, binder, named, requests, invoke, reply } = deps;

  /** A short card: how it is now, and its next steps. What is wrong with one holds up no other. */
  /** A short card: how it is now, and its next steps. What is wrong with one holds up no other. */
  async function cardOf({ operation, entry }: NamedThing, origin: Origin, offer: Offer): Promise<Block[]> {
    const open = openButton({ operation, entry });
    try {
      const bound = await binder.bind(operation, origin.member);
      const act = await bound.begin({ id: randomUUID(), targetId: entry.id, input: {}, now: clock.now() });
      await requests.admitReading({ bound, act, origin });
      const { text, next = [] } = await act.run();
      // What would take the place of this one would take that of all.
      const steps = next.filter(({ replace }) => !replace);
      return [section(text, open), context(whatItIs({ operation, entry })), ...stepBlocks(steps, offer, entry.name)];
    } catch (error) {
      return [
        section(code(entry.name), open),
        context(`${operation.target?.label} · ${errorText(error, clock.now()).text}`),
      ];
    }
  }

  async function cards(things: NamedThing[], origin: Origin): Promise<Message> {
    const offer = offerTo(await access.links(origin.member), registry);
    const apart = toldApart(things.map(({ entry }) => entry));
    const told = things.map(({ operation, entry }, at) => ({ operation, entry: apart[at] ?? entry }));
    const whole = await Promise.all(told.slice(0, mostCards).map((thing) => cardOf(thing, origin, offer)));
    const rows = told.slice(mostCards, mostCards + mostRows);
    const left = told.length - mostCards - rows.length;
    const text = `The message names ${count(things.length, "thing", "things")} of yours.`;
    return {
      text,
      blocks: [
        section(text),
        // Each card has a row of steps of its own, and no two blocks may be called the same.
        ...whole.flatMap((blocks) => [divider(), ...blocks.map(({ block_id: _, ...block }) => block)]),
        ...rows.flatMap((thing) => [divider(), section(rowText(thing), openButton(thing))]),
        ...(left > 0 ? [context(`and ${left} more, which are not shown`)] : []),
      ],
    };
  }

  return async (text, origin) => {
    await access.requireLinked(origin);
    const { things, unread } = await named.in(text, origin.member);
    const missing = unread.length > 0 ? ` Not all could be read: ${listing(unread)}. Try again in a moment.` : "";
    const [only, second] = things;
    if (!only)
      return reply.ephemeral(
        origin,
        noticeMessage(
          `The message names nothing of yours: no name, host name, address or id that your keys can see.${missing}`,
        ),
      );
    if (!second)
      return invoke(
        { command: only.operation.command, target: only.entry.id, input: {}, replace: origin.view !== null },
        origin,
      );
    const shown = await cards(things, origin);
    await reply.ephemeral(origin, {
      ...shown,
      blocks: [...shown.blocks, ...(missing ? [context(missing.trim())] : [])],
    });
  };
}

function rowText({ operation, entry: { name, detail } }: NamedThing): string {
  return [code(name), operation.target?.label ?? "", prose(detail, 200)].filter((part) => part !== "").join(" · ");
}

/** What tells it from others, without its state, which is read anew. */
function whatItIs({ operation, entry: { detail, state } }: NamedThing): string {
  const parts = detail.split(" · ").filter((part) => part !== "" && part !== state);
  return [operation.target?.label ?? "", ...parts.map((part) => prose(part, 100))].join(" · ");
}

function openButton({ operation, entry }: NamedThing) {
  return rowButton("Open", { command: operation.command, target: entry.id }, entry.id);
}
