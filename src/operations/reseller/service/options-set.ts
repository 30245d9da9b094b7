import * as z from "zod";
import type { Answer } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import {
  type OptionsChange,
  readOptions,
  removeOption,
  type ServiceOptions,
  setOptions,
  type WantedOption,
} from "../../../platform/reseller/options.ts";
import { orderIn } from "../../../platform/reseller/order-refusal.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code, oneLine, prose, sentence } from "../../../views/text.ts";
import { showStep as orderStep, retryStep } from "../order/order.ts";
import { heldQuantities, optionName, optionsById } from "./options.ts";
import { nameOf, showStep, soldService, soldWords, stateOf } from "./service.ts";

const routes = ["GET /services/{serviceId}/options", "GET /services/{serviceId}"];
const back = "Leave them as they are";

function requireActive(row: Service): void {
  if (row.status === "active") return;
  throw new Refusal(
    `${code(nameOf(row))} is ${stateOf(row)}: only an active service can change its add-ons. Nothing was charged.`,
    [showStep(row.serviceId)],
  );
}

export const optionsSet = defineOperation({
  api: "reseller",
  command: "reseller service options set",
  summary: "Set all add-ons of a service that you sell on: what is not named is removed, what is more is charged",
  routes: ["PUT /services/{serviceId}/options", ...routes],
  scope: "orders",
  // Whether it removes something is known only when it is read: it is asked as what it may do.
  risk: "destroy",
  verb: "Set the add-ons of",
  target: soldService,
  idempotent: true,
  input: z.object({
    options: z.array(z.string().max(120)).max(50).optional().meta({
      title: "Add-ons",
      description: "All that it shall have, by name or id, with commas between; “2 x name” for two. Empty: none.",
    }),
  }),
  usable: ({ target }) => requireActive(target),
  async review({ client, target, input }) {
    const found = await readOptions(client, target.serviceId);
    const wanted = wantedIn(input.options ?? [], found);
    const { more, less } = differenceOf(found, wanted);
    if (more.length === 0 && less.length === 0)
      throw new Refusal(`${code(nameOf(target))} has exactly these add-ons already. Nothing was charged.`);
    const lost = less.length > 0 ? " What is removed goes at once, and nothing is refunded." : "";
    const charged = more.length > 0 ? " What is added is charged at what you pay, excl. VAT, with its setup fee." : "";
    return {
      press: `Change ${oneLine(nameOf(target))}`,
      back,
      consequence: `The add-ons of ${soldWords(target)} are set anew.${lost}${charged}`,
      material: [
        { label: "Removed", value: less.length > 0 ? less.join("\n") : "none" },
        { label: "Added", value: more.length > 0 ? more.join("\n") : "none" },
        {
          label: "What the supplier tells of prices",
          value: more.length > 0 ? priceLines(found, wanted) : "nothing is charged",
        },
      ],
    };
  },
  async run({ id, client, target, input }) {
    const wanted = wantedIn(input.options ?? [], await readOptions(client, target.serviceId));
    try {
      const { status, value } = await setOptions(client, target.serviceId, { options: wanted, externalReference: id });
      return changedAnswer(target, status, value);
    } catch (error) {
      throw chargeRefusal(error) ?? error;
    }
  },
  expects: { first: [], later: ["order.paid", "order.invoiced"], failing: ["order.payment_failed"] },
  async reconcile({ client, target, input }) {
    const found = await readOptions(client, target.serviceId);
    const { more, less } = differenceOf(found, wantedIn(input.options ?? [], found));
    const name = code(nameOf(target));
    if (more.length === 0 && less.length === 0) return { is: "done", text: `${name} has exactly these add-ons.` };
    return {
      is: "unsure",
      text: `${name} does not have these add-ons now; whether something was charged, the orders tell.`,
    };
  },
});

/** What a set came to: applied, or waiting for its document, each said as it is. Reseller spec section 4.2. */
function changedAnswer(row: Service, status: number, change: OptionsChange): Answer {
  const name = code(nameOf(row));
  const { charge, idempotent, added, increased, decreased, removed } = change;
  const order = charge?.orderId ? [orderStep(charge.orderId)] : [];
  const next = [{ label: "Add-ons", command: "reseller service options", target: row.serviceId }, ...order];
  const lines = renderJson(partSecrets({ added, increased, decreased, removed, charge }).rest);
  const text = idempotent
    ? `The add-ons of ${name} had been set so before: nothing was charged twice.`
    : status === 202
      ? `The add-ons of ${name} are taken on. What is removed is gone; what is added waits for its document to be paid, and nothing was charged yet.`
      : `The add-ons of ${name} are set. ${charge === null ? "Nothing was owed." : "What was added is charged."}`;
  return { text, blocks: [section(text), ...paragraphs(lines)], next, order: charge?.orderId ?? undefined };
}

/** A charge that failed changed nothing, and its order can be charged again. Reseller spec section 4.2. */
function chargeRefusal(error: unknown): Refusal | null {
  if (!(error instanceof PlatformRefused) || error.status !== 402) return null;
  const order = orderIn(error);
  const why = error.reason ? ` The gateway says: ${sentence(prose(error.reason, 300))}` : "";
  return new Refusal(
    `The charge failed, so that nothing was charged and the add-ons are as they were.${why}`,
    order ? [retryStep(order.orderId), orderStep(order.orderId)] : [],
  );
}

/** "2 x backups" is two of it; names are matched whole, by id or name. */
function wantedIn(typed: string[], found: ServiceOptions): Required<WantedOption>[] {
  const known = [...optionsById(found)];
  return typed.map((text) => {
    const [, amount, rest] = /^(\d{1,3})\s*[x×]\s+(.+)$/i.exec(text) ?? [null, "1", text];
    const name = (rest ?? "").toLowerCase();
    const fits = known.filter(([id, title]) => id.toLowerCase() === name || title.toLowerCase() === name);
    const [only] = fits;
    const quantity = Number(amount);
    if (quantity < 1 || quantity > 100)
      throw new InputError([{ field: "options", message: "Add-ons: one can be had 1 to 100 times." }]);
    if (only && fits.length === 1) return { optionId: only[0], quantity };
    const names = known
      .map(([, title]) => title)
      .slice(0, 10)
      .join(", ");
    const problem =
      fits.length > 1 ? `several are called “${rest}”: use the id` : `there is no “${rest}” for this service`;
    throw new InputError([{ field: "options", message: `Add-ons: ${problem}.${names ? ` There is ${names}.` : ""}` }]);
  });
}

function differenceOf(found: ServiceOptions, wanted: Required<WantedOption>[]): { more: string[]; less: string[] } {
  const held = heldQuantities(found.active);
  if (held === null)
    throw new Refusal(
      "The platform does not tell here which add-ons the service holds and how many, so that a whole set could take something away unseen. Nothing was charged. Remove single ones by name, or ask the supplier.",
    );
  const names = optionsById(found);
  const asked = new Map<string, number>();
  for (const { optionId, quantity } of wanted) asked.set(optionId, (asked.get(optionId) ?? 0) + quantity);
  const line = (id: string, count: number) => `${count} × ${code(names.get(id) ?? id, 60)}`;
  const more = [...asked].flatMap(([id, count]) => {
    const extra = count - (held.get(id) ?? 0);
    return extra > 0 ? [line(id, extra)] : [];
  });
  const less = [...held].flatMap(([id, count]) => {
    const fewer = count - (asked.get(id) ?? 0);
    return fewer > 0 ? [line(id, fewer)] : [];
  });
  return { more, less };
}

/** The rows of what is asked for as the platform lays them out: their prices may stand anywhere in them, and none is worked out here. */
function priceLines({ available }: ServiceOptions, wanted: Required<WantedOption>[]): string {
  const rows = (Array.isArray(available) ? available : []).filter((row: unknown) =>
    wanted.some(({ optionId }) => JSON.stringify(row)?.includes(JSON.stringify(optionId))),
  );
  const lines = rows.flatMap((row: unknown) => renderJson(partSecrets(row).rest));
  return lines.length > 0 ? lines.join("\n").slice(0, 1_500) : "nothing: the answer will";
}

export const optionRemove = defineOperation({
  api: "reseller",
  command: "reseller service option remove",
  summary: "Remove an add-on from a service that you sell on, at once and without a refund",
  routes: ["DELETE /services/{serviceId}/options/{serviceOptionId}", ...routes],
  scope: "orders",
  risk: "destroy",
  verb: "Remove an add-on of",
  target: soldService,
  input: z.object({ option: z.string().meta({ title: "Add-on" }) }),
  choices: {
    option: async ({ client, target }) =>
      (await readOptions(client, target.serviceId)).active.map((row) => ({ value: row.id, label: optionName(row) })),
  },
  usable: ({ target }) => requireActive(target),
  async review({ client, target, input }) {
    const row = (await readOptions(client, target.serviceId)).active.find(({ id }) => id === input.option);
    if (!row) throw new InputError([{ field: "option", message: "That add-on is gone." }]);
    const name = optionName(row);
    return {
      press: `Remove ${oneLine(name)}`,
      back,
      consequence: `The add-on ${code(name)} of ${soldWords(target)} is removed at once, with what it gave. Nothing is refunded.`,
      material: [{ label: "Add-on", value: code(name) }],
    };
  },
  async run({ client, target, input }) {
    await removeOption(client, target.serviceId, input.option);
    return {
      text: `The add-on is removed from ${code(nameOf(target))}. Nothing is refunded; it is billed no more.`,
      next: [{ label: "Add-ons", command: "reseller service options", target: target.serviceId }],
    };
  },
  async reconcile({ client, target, input }) {
    const there = (await readOptions(client, target.serviceId)).active.some(({ id }) => id === input.option);
    return { is: there ? "not done" : "done", text: there ? "the add-on is still there." : "the add-on is gone." };
  },
});
