import * as z from "#zod";
import { unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Chooser } from "../../operation/input.ts";
import { indexedKindOf, type ProjectRef, type TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { listOrders } from "../../platform/customer/orders.ts";
import { type Movables, moveToProject } from "../../platform/customer/projects.ts";
import { listServices } from "../../platform/customer/services.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { code, listing } from "../../views/text.ts";
import { image } from "../image.ts";
import { order } from "../order/order.ts";
import { service } from "../service/service.ts";
import { sshKey } from "../sshkey.ts";
import { amountWords, movedNouns, project, sourceProjects } from "./project.ts";

type InputName = "services" | "orders" | "images" | "keys";

/** A kind of resource that can be moved, by the name of its input. `sent`: its name in the request. */
function movable<T>(name: InputName, one: string, sent: keyof Movables, kind: TargetKind<"customer", T>) {
  const indexed = indexedKindOf(kind);
  const choices: Chooser<"customer", unknown> = async ({ listing: read }) =>
    (await read(indexed, { everywhere: true })).entries.map(({ id, name: label, detail }) => ({
      value: id,
      label,
      description: detail,
    }));
  const sources = (client: CustomerClient, ids: readonly string[], ruled: readonly ProjectRef[]) =>
    sourceProjects(client, kind, ids, ruled);
  return { name, one, sent, indexed, choices, sources };
}

const movables = [
  movable("services", "service", "services", service),
  movable("orders", "order", "orders", order),
  movable("images", "image", "custom_images", image),
  movable("keys", "SSH key", "ssh_keys", sshKey),
];

/** The kinds of which the input names resources, with their ids. */
function chosenIn(input: Partial<Record<InputName, string[] | undefined>>) {
  return movables.flatMap((kind) => {
    const ids = input[kind.name];
    return ids ? [{ ...kind, ids }] : [];
  });
}

const several = z.array(z.string()).max(100).optional();

export const move = defineOperation({
  command: "project move",
  on: ["vps", "dedicated", "game", "service"],
  summary: "Move services, orders, images and SSH keys into a project",
  example: "/project move Staging services=mail",
  act: moveToProject,
  reads: [listServices, listOrders, listCustomImages, listSshKeys],
  risk: "change",
  effects: [],
  verb: "Move into project",
  target: project,
  input: z
    .object({
      services: several.meta({ title: "Services" }),
      orders: several.meta({ title: "Orders" }),
      images: several.meta({ title: "Images" }),
      keys: several.meta({ title: "SSH keys" }),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["services"],
      message: "choose at least one resource to move.",
    }),
  choices: Object.fromEntries(movables.map(({ name, choices }) => [name, choices])),
  async relocates({ client, targets: [target], input }, ruled) {
    if (!target) return [];
    const to = { id: target.id, name: target.name };
    const moves = [];
    for (const { name, ids, sources } of chosenIn(input))
      for (const from of await sources(client, ids, ruled)) moves.push({ from, to, nouns: movedNouns[name] });
    return moves;
  },
  async review({ input, name }) {
    const amounts = amountWords(chosenIn(input).map(({ ids, one }) => [ids.length, one]));
    const isOne = Object.values(chosenIn(input)).reduce((sum, { ids }) => sum + ids.length, 0) === 1;
    const [moves, them] = isOne ? ["moves", "it"] : ["move", "them"];
    return {
      consequence: `${listing(amounts)} ${moves} to ${name}. From then on the approval rules of ${name} apply to ${them}.`,
    };
  },
  async run({ client, target, input, listing: read, name }) {
    const chosen = chosenIn(input);
    const body = Object.fromEntries(chosen.map(({ sent, ids }) => [sent, ids]));
    const left = textsIn(await moveToProject(client.in(null), target.id, body));
    const skipped = chosen.flatMap(({ ids }) => ids).filter((id) => left.has(id));
    const names = new Map<string, PlainText>();
    for (const { indexed } of skipped.length > 0 ? movables : [])
      for (const entry of (await read(indexed, { everywhere: true })).entries) names.set(entry.id, entry.name);
    const arrived = amountWords(chosen.map(({ ids, one }) => [ids.filter((id) => !left.has(id)).length, one]));
    const done = arrived.length > 0 ? `Moved ${listing(arrived)} into ${name}.` : "Nothing was moved.";
    const rest =
      skipped.length > 0
        ? ` :warning: The platform did not find ${listing(skipped.slice(0, 10).map((id) => code(names.get(id) ?? id)))}${skipped.length > 10 ? ` and ${skipped.length - 10} more` : ""}, so they stay in their project.`
        : "";
    return { text: `${done}${rest}`, next: [{ label: "Show", command: "project show", target: target.id }] };
  },
  reconcile: unsure("`/project show` counts the project's resources. Moving the same resources again is harmless."),
});

/** Every text in a payload that the spec does not describe: it contains the ids of skipped resources. */
function textsIn(value: unknown): Set<string> {
  if (typeof value === "string") return new Set([value]);
  if (typeof value !== "object" || value === null) return new Set();
  return new Set(Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]));
}
