import * as z from "zod";
import { unsure } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Chooser } from "../../operation/input.ts";
import { type IndexedKind, indexedKindOf, type TargetKind } from "../../operation/target.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { listOrders } from "../../platform/customer/orders.ts";
import { moveToProject, readProject } from "../../platform/customer/projects.ts";
import { listServices } from "../../platform/customer/services.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { code, count, listing } from "../../views/text.ts";
import { image } from "../image.ts";
import { order } from "../order/order.ts";
import { service } from "../service/service.ts";
import { sshKey } from "../sshkey.ts";
import { movedNouns, project, sourceProjects } from "./project.ts";

const kinds = {
  services: indexedKindOf(service),
  orders: indexedKindOf(order),
  images: indexedKindOf(image),
  keys: indexedKindOf(sshKey),
};

function choicesOf(kind: IndexedKind<"customer">): Chooser<"customer", unknown> {
  return async ({ listing: read }) =>
    (await read(kind)).entries.map(({ id, name, detail }): Choice => ({ value: id, label: name, description: detail }));
}

const several = z.array(z.string()).max(100).optional();

export const move = defineOperation({
  command: "project move",
  summary: "Move services, orders, images and SSH keys into a project",
  act: moveToProject,
  reads: [listServices, listOrders, listCustomImages, listSshKeys, readProject],
  risk: "change",
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
  choices: {
    services: choicesOf(kinds.services),
    orders: choicesOf(kinds.orders),
    images: choicesOf(kinds.images),
    keys: choicesOf(kinds.keys),
  },
  async relocates({ client, targets: [target], input }, ruled) {
    if (!target) return [];
    const to = { id: target.id, name: target.name };
    const moved = async <T>(kind: TargetKind<"customer", T>, ids: string[] | undefined, nouns: string[]) =>
      ids ? (await sourceProjects(client, kind, ids, ruled)).map((from) => ({ from, to, nouns })) : [];
    return [
      ...(await moved(service, input.services, movedNouns.services)),
      ...(await moved(order, input.orders, movedNouns.orders)),
      ...(await moved(image, input.images, movedNouns.images)),
      ...(await moved(sshKey, input.keys, movedNouns.keys)),
    ];
  },
  async review({ target, input }) {
    const { services = [], orders = [], images = [], keys = [] } = input;
    const parts = [
      count(services.length, "service"),
      count(orders.length, "order"),
      count(images.length, "image"),
      count(keys.length, "SSH key"),
    ].filter((part) => !part.startsWith("0 "));
    return {
      consequence: `${listing(parts)} move to ${code(target.name)}. From then on the approval rules of ${code(target.name)} apply to them.`,
    };
  },
  async run({ client, target, input, listing: read }) {
    const { services, orders, images, keys } = input;
    const moved = await moveToProject(client.in(null), target.id, {
      ...(services ? { services } : {}),
      ...(orders ? { orders } : {}),
      ...(images ? { custom_images: images } : {}),
      ...(keys ? { ssh_keys: keys } : {}),
    });
    const asked = { services: services ?? [], orders: orders ?? [], images: images ?? [], keys: keys ?? [] };
    const left = textsIn(moved?.skipped);
    const skipped = Object.values(asked)
      .flat()
      .filter((id) => left.has(id));
    const names = new Map<string, string>();
    for (const kind of Object.values(kinds)) {
      const { entries } = skipped.length > 0 ? await read(kind) : { entries: [] };
      for (const { id, name } of entries) names.set(id, name);
    }
    const arrived = (ids: string[]) => ids.filter((id) => !left.has(id)).length;
    const parts = [
      count(arrived(asked.services), "service"),
      count(arrived(asked.orders), "order"),
      count(arrived(asked.images), "image"),
      count(arrived(asked.keys), "SSH key"),
    ].filter((part) => !part.startsWith("0 "));
    const done = parts.length > 0 ? `Moved ${listing(parts)} into ${code(target.name)}.` : "Nothing was moved.";
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
