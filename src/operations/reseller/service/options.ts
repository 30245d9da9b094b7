import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { cycleIn } from "../../../platform/reseller/cycles.ts";
import { type ActiveOption, readOptions, type ServiceOptions, wantedOf } from "../../../platform/reseller/options.ts";
import { listProducts, type Product } from "../../../platform/reseller/products.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { type Block, paragraphs, section } from "../../../views/blocks.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { optionLines } from "../product/options.ts";
import { nameOf, showStep, soldService, stateOf } from "./service.ts";
import { withoutIds } from "./without-ids.ts";

export const options = defineOperation({
  api: "reseller",
  command: "reseller service options",
  summary: "Show the add-ons of a service that you sell on and those that it could have, at what you pay",
  routes: ["GET /services/{serviceId}/options", "GET /products", "GET /services/{serviceId}"],
  scope: "read",
  risk: "read",
  target: soldService,
  input: z.object({}),
  async run({ client, target }) {
    const [found, products] = await Promise.all([readOptions(client, target.serviceId), listProducts(client)]);
    const { active } = found;
    const headline = `Add-ons of ${code(nameOf(target))}, at what you pay, excl. VAT`;
    const step = (label: string, command: string) => ({ label, command, target: target.serviceId });
    return {
      text: headline,
      blocks: [
        section(`*${headline}*`),
        ...jsonBlocks(withoutIds(partSecrets(active).rest), { title: "It has", none: "It has no add-ons." }),
        ...offered(target, found, products),
      ],
      next: [
        step("Change the set…", "reseller service options set"),
        ...(active.length > 0 ? [step("Remove one…", "reseller service option remove")] : []),
      ],
    };
  },
});

/** What it could have at the catalogue's prices on its own cycle; as the platform lays it out, where the catalogue does not know it all. Reseller spec sections 1.1 and 2.2. */
function offered(row: Service, { available }: ServiceOptions, products: Product[]): Block[] {
  const title = "It could have";
  const rows: unknown[] = Array.isArray(available) ? available : [];
  const product = products.find(({ name }) => name === row.productName);
  const known = (product?.options ?? []).filter(({ id }) => rows.some((one) => JSON.stringify(one)?.includes(id)));
  const cycle = cycleIn(row.billingCycle);
  if (!product || cycle === null || rows.length === 0 || known.length !== rows.length)
    return jsonBlocks(withoutIds(partSecrets(available).rest), { title, none: "The supplier offers none for it." });
  return [section(`*${title}*`), ...paragraphs(optionLines({ ...product, options: known }, [cycle]))];
}

/** An add-on as it is held or offered: whatever the row calls its name, else its id. */
export function optionName(row: Record<string, unknown>): string {
  const told = [row.name, row.optionName, row.option_name, row.optionId, row.option_id, row.id];
  return String(told.find((one) => typeof one === "string" && one !== "") ?? "an add-on");
}

/** What can be had by an id: the catalogue's rows, and what is held. Of an offered row the spec shows nothing: it goes by either word. */
export function optionsById({ active, available }: ServiceOptions): Map<string, string> {
  const offered = (Array.isArray(available) ? available : []).flatMap((row: unknown) => {
    if (typeof row !== "object" || row === null) return [];
    const fields: Record<string, unknown> = { ...row };
    const id = fields.optionId ?? fields.option_id ?? fields.id;
    return typeof id === "string" ? [[id, optionName(fields)] as const] : [];
  });
  const held = active.flatMap((row) => {
    const wanted = wantedOf(row);
    return wanted ? [[wanted.optionId, optionName(row)] as const] : [];
  });
  return new Map([...offered, ...held]);
}

/** A row that says so of itself; of a row the spec shows its id alone. */
export function waitsForPayment({ status }: ActiveOption): boolean {
  return status === "pending_payment";
}

/** Only of an active service are add-ons changed: told before anybody is asked. Reseller spec section 4.3. */
export function requireActive(row: Service): void {
  if (row.status === "active") return;
  throw new Refusal(
    `${code(nameOf(row))} is ${stateOf(row)}: only an active service can change its add-ons. Nothing was charged.`,
    [showStep(row.serviceId)],
  );
}

/** What is held, by the add-on's own id; null where a row does not say both what it is and how many: a guess could take something away. */
export function heldQuantities(active: ActiveOption[]): Map<string, number> | null {
  const held = new Map<string, number>();
  for (const row of active) {
    const wanted = wantedOf(row);
    if (wanted === null) return null;
    held.set(wanted.optionId, (held.get(wanted.optionId) ?? 0) + wanted.quantity);
  }
  return held;
}
