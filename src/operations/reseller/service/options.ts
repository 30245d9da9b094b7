import * as z from "#zod";
import { doneIf } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { wrongInput } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { cycleIn } from "../../../platform/reseller/cycles.ts";
import {
  type ActiveOption,
  quantityOf,
  readOptions,
  removeOption,
  type ServiceOptions,
} from "../../../platform/reseller/options.ts";
import { listProducts, type Product } from "../../../platform/reseller/products.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { plainly } from "../../../process/plain-text.ts";
import { type Block, paragraphs, section } from "../../../views/blocks.ts";
import { stateWords } from "../../../views/values.ts";
import { addOnLabel, addOnWords, type HeldAddOn, heldAddOn, heldByAddOns, quantityIs } from "../../kits/add-ons.ts";
import { headed } from "../../kits/card.ts";
import { fitting } from "../../kits/lines.ts";
import { isEndState } from "../../kits/service-states.ts";
import { optionLines } from "../product/options.ts";
import { receivedBlocks, requireNotOver, resoldService, rowsOrNone, soldProduct, soldWords } from "./service.ts";

export const options = defineOperation({
  command: "reseller service options",
  summary: "Show the present and available add-ons of a resold service, at your price",
  example: "/reseller service options web-2",
  act: readOptions,
  reads: [listProducts, readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const [found, products] = await Promise.all([readOptions(client, target.serviceId), listProducts(client)]);
    const { active } = found;
    const step = (label: string, command: string) => ({ label, command, target: target.serviceId });
    return {
      ...headed(`Add-ons of ${name}, at your price, excl. VAT`, [
        ...receivedBlocks(active, products, { title: "Present", none: "This service has no add-ons." }),
        ...offered(target, found, products),
      ]),
      next: fitting([
        [!isEndState(target.status), step("Change the set…", "reseller service options set")],
        [!isEndState(target.status) && active.length > 0, step("Remove one…", "reseller service option remove")],
      ]),
    };
  },
});

/**
 * The available add-ons at catalogue prices on the service's own cycle. Rows outside the catalogue are shown in the platform's layout.
 * Reseller spec sections 1.1 and 2.2.
 */
function offered(row: Service, { available }: ServiceOptions, products: Product[]): Block[] {
  const title = "Available";
  const rows = rowsOrNone(available);
  const product = soldProduct(row, products);
  const ids = new Set(rows.map(optionIdOf));
  const known = (product?.options ?? []).filter(({ id }) => ids.has(id));
  const cycle = cycleIn(row.billingCycle);
  if (!product || cycle === null || rows.length === 0 || known.length !== rows.length)
    return receivedBlocks(available, products, { title, none: "The platform offers no add-ons for this service." });
  return [section(`*${title}*`), ...paragraphs(optionLines({ ...product, options: known }, [cycle]))];
}

/** The name of an add-on's row, under any of the usual fields; else its id. */
function optionName(row: Record<string, unknown>): string {
  const names = [row.name, row.optionName, row.option_name, row.optionId, row.option_id, row.id];
  return String(names.find((one) => typeof one === "string" && one !== "") ?? "an add-on");
}

/** An add-on of the service with its quantity, if the row shows one. */
export function activeAddOn(row: ActiveOption): HeldAddOn {
  return heldAddOn(optionName(row), row.quantity);
}

/** The id of an add-on on offer. The spec does not show those rows, so any of the usual fields counts; null if none has it. */
export function optionIdOf(row: unknown): string | null {
  const { optionId, option_id, id } = fieldsIn(row);
  const found = optionId ?? option_id ?? id;
  return typeof found === "string" ? found : null;
}

function fieldsIn(row: unknown): Record<string, unknown> {
  return typeof row === "object" && row !== null ? { ...row } : {};
}

/** The names of active and available add-ons by id. */
export function optionsById({ active, available }: ServiceOptions): Map<string, string> {
  const offered = rowsOrNone(available).flatMap((row) => {
    const id = optionIdOf(row);
    return id === null ? [] : [[id, optionName(fieldsIn(row))] as const];
  });
  const present = active.flatMap((row) => {
    const counted = quantityOf(row);
    return counted ? [[counted.optionId, optionName(row)] as const] : [];
  });
  return new Map([...offered, ...present]);
}

/** True where the row itself says so; the spec shows only its id. */
export function waitsForPayment({ status }: ActiveOption): boolean {
  return status === "pending_payment";
}

/** The present quantities by add-on id. Null where a row lacks the id or quantity: a guess could remove add-ons. */
export function presentQuantities(active: ActiveOption[]): Map<string, number> | null {
  const present = new Map<string, number>();
  for (const row of active) {
    const counted = quantityOf(row);
    if (counted === null) return null;
    present.set(counted.optionId, (present.get(counted.optionId) ?? 0) + counted.quantity);
  }
  return present;
}

export const optionRemove = defineOperation({
  command: "reseller service option remove",
  group: "money",
  summary: "Remove an add-on from a resold service, at once and without a refund",
  example: "/reseller service option remove web-2 option=Monitoring",
  act: removeOption,
  reads: [readOptions, readService],
  risk: "destroy",
  effects: [],
  verb: "Remove an add-on of",
  target: resoldService,
  input: z.object({ option: z.string().meta({ title: "Add-on" }) }),
  choices: {
    option: async ({ client, target }) =>
      (await readOptions(client, target.serviceId)).active.map((row) => ({
        value: row.id,
        label: addOnLabel(activeAddOn(row)),
        aliases: [optionName(row)],
        // Two rows of one add-on may differ in their state alone.
        ...(typeof row.status === "string" && { description: stateWords(row.status) }),
      })),
  },
  usable: ({ target }) => requireNotOver(target),
  async review({ client, target, input }) {
    const row = (await readOptions(client, target.serviceId)).active.find(({ id }) => id === input.option);
    if (!row) throw wrongInput("option", "That add-on is gone.");
    const addOn = activeAddOn(row);
    return {
      press: plainly`Remove ${addOnLabel(addOn)}`,
      back: "Keep the add-on",
      consequence: `This will remove ${addOnWords(addOn)} at once, with ${heldByAddOns([addOn])}, from ${soldWords(target)}.`,
      warnings: ["Nothing is refunded."],
      preconditions: { option: nameIs("Add-on", addOn.name), quantity: quantityIs(addOn) },
    };
  },
  async run({ client, target, input, name }) {
    await removeOption(client, target.serviceId, input.option);
    return {
      text: `The add-on is removed from ${name}. Nothing is refunded. The add-on is no longer billed.`,
      next: [{ label: "Add-ons", command: "reseller service options", target: target.serviceId }],
    };
  },
  async reconcile({ client, target, input }) {
    const there = (await readOptions(client, target.serviceId)).active.some(({ id }) => id === input.option);
    return doneIf(!there, "the add-on is gone.", "the add-on is still there.");
  },
});
