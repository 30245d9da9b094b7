import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { rowButton } from "../../notifications/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { type Favourite, mostFavourites } from "../../resources/favourites.ts";
import { resourceText } from "../../resources/resource-text.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { code, count } from "../../views/text.ts";
import { findStored, resourceInput } from "./resource-input.ts";

const thingInput = z.object({ thing: resourceInput });

const listStep = { label: "My favourites", command: "rackbell favourites" };

export const favourite = defineAppOperation({
  command: "rackbell favourite",
  summary: "Keep a machine, a service, an order or an image among your favourites on the Home tab",
  verb: "Favourite",
  routes: [],
  input: thingInput,
  positional: "thing",
  async run({ context: { finder, favourites }, actor: { member }, input }): Promise<Answer> {
    const { bound, id } = await finder.thing(member, input.thing);
    const { name } = await bound.look(id);
    const added = await favourites.add(member, { card: bound.operation.target?.card ?? "", id, name });
    const next = [{ label: "Take it away", command: "rackbell favourite remove", input }, listStep];
    if (added === "known") return { text: `${code(name)} is among your favourites already. Nothing changed.`, next };
    if (added === "full")
      throw new Refusal(
        `You have ${mostFavourites} favourites, and there is no room for more. Nothing changed. Take one away first.`,
        [listStep],
      );
    return { text: `:star: ${code(name)} is among your favourites now: the Home tab shows how it is.`, next };
  },
});

export const favouriteRemove = defineAppOperation({
  command: "rackbell favourite remove",
  summary: "Take something from your favourites",
  verb: "Take away",
  input: thingInput,
  positional: "thing",
  async run({ context: { favourites }, actor: { member }, input }): Promise<Answer> {
    const kept = findStored(await favourites.of(member), input.thing);
    const removed = kept && (await favourites.remove(member, kept.id));
    const next = [listStep];
    if (!kept || !removed)
      return { text: "That is not among your favourites, or not any more. Nothing changed.", next };
    const { card, id, name } = removed;
    const back = { label: "Put it back", command: "rackbell favourite", input: { thing: resourceText(card, id) } };
    return { text: `${code(name)} is no favourite of yours any more.`, next: [back, ...next] };
  },
});

export const favourites = defineAppOperation({
  command: "rackbell favourites",
  summary: "List your favourites",
  verb: "Favourites",
  input: z.object({}),
  async run({ context: { favourites: kept }, actor: { member } }): Promise<Answer> {
    const all = await kept.of(member);
    if (all.length === 0)
      return {
        text: "You have no favourites yet. Press *☆ Favourite* on a card, or type `/rackbell favourite web-1`.",
      };
    const text = `*${count(all.length, "favourite")}*`;
    return { text, blocks: [section(text), ...all.flatMap(rowBlocks), context("The Home tab shows how they are.")] };
  },
});

function rowBlocks({ card, id, name }: Favourite): Block[] {
  const input = { thing: resourceText(card, id) };
  return [
    section(`:star: ${code(name, 80)}`, rowButton("Open", { command: card, target: id }, id)),
    {
      type: "actions",
      block_id: `favourite:${id}`.slice(0, 255),
      elements: [rowButton("Take away", { command: "rackbell favourite remove", input }, id)],
    },
  ];
}
