import type { Preconditions } from "../../../operation/answer.ts";
import { Refusal } from "../../../operation/errors.ts";
import { textIs } from "../../../operation/preconditions.ts";
import { cycleIn, pricesOf } from "../../../platform/reseller/cycles.ts";
import type { Upgrades } from "../../../platform/reseller/package-change.ts";
import type { Product } from "../../../platform/reseller/products.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { type Block, paragraphs, section } from "../../../views/blocks.ts";
import { money } from "../../../views/format.ts";
import { jsonBlocks, renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { nameOf } from "./service.ts";
import { withoutIds } from "./without-ids.ts";

/** The packages that a service can change to: name, the catalogue's price on the service's cycle, and the platform's other data. */
export function packageBlocks(
  row: Service,
  { available, addons, pendingUpgrade }: Upgrades,
  products: Product[],
): Block[] {
  const rest: [string, unknown][] = [
    ["Add-ons", addons],
    ["Pending", pendingUpgrade],
  ];
  return [
    ...offers(row, available, products),
    ...rest.flatMap(([title, part]) => jsonBlocks(withoutIds(partSecrets(part).rest), { title })),
  ];
}

function offers(row: Service, available: unknown, products: Product[]): Block[] {
  const rows: unknown[] = Array.isArray(available) ? available : [];
  const found = rows.map((one) => ({ offer: one, product: products.find(({ id }) => holds(one, id)) }));
  const none = "The supplier has no way from its present product to another.";
  if (rows.length === 0 || found.some(({ product }) => product === undefined))
    return jsonBlocks(withoutIds(partSecrets(available).rest), { none });
  return found.flatMap(({ offer, product }) => (product ? offerBlocks(row, offer, product) : []));
}

function offerBlocks(row: Service, offer: unknown, product: Product): Block[] {
  const price = priceOn(row, product);
  const head = `*${code(product.name)}*${price ? `: ${price}` : ""}`;
  return [section(head), ...paragraphs([renderJson(unnamed(partSecrets(offer).rest)).join(" · ")])];
}

/** An offer without its name and ids, which the block shows above it. */
function unnamed(offer: unknown): unknown {
  if (typeof offer !== "object" || offer === null) return offer;
  return Object.fromEntries(Object.entries(offer).filter(([name]) => !/^id$|_id$|Id$|name$/i.test(name)));
}

function priceOn(row: Service, { pricing, currency }: Product): string | null {
  const found = pricesOf(pricing).find(({ cycle }) => cycle === cycleIn(row.billingCycle));
  return found ? `${money(found.price, currency ?? null)} ${found.cycle}` : null;
}

function holds(offer: unknown, id: string): boolean {
  return JSON.stringify(offer)?.includes(JSON.stringify(id)) ?? false;
}

/**
 * The price after the change. The platform refuses a product without a price on the service's cycle, so this throws first. Reseller spec
 * sections 2.2 and 4.3.
 */
export function newPrice(row: Service, product: Product): Preconditions {
  const cycle = cycleIn(row.billingCycle);
  if (cycle === null) return {};
  const price = priceOn(row, product);
  if (price) return { price: textIs("New price", `${price}, excl. VAT`) };
  throw new Refusal(
    `${code(product.name)} is not sold billed ${cycle}, as ${code(nameOf(row))} is. Nothing was charged. Choose another package.`,
    [{ label: "Packages", command: "reseller service upgrades", target: row.serviceId }],
  );
}

/** The offer of that product in the platform's layout. Figures may be in any field, so none is computed. */
export function offerText({ available }: Upgrades, to: string): string {
  const rows = Array.isArray(available) ? available : [];
  const offer: unknown = rows.find((row: unknown) => holds(row, to));
  const lines = offer === undefined ? [] : renderJson(unnamed(partSecrets(offer).rest));
  return lines.length > 0 ? lines.join("\n").slice(0, 1_500) : "nothing: its document will name the price";
}
