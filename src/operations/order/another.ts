import * as z from "zod";
import type { Json, Step } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { type Entry, indexedKindOf } from "../../operation/target.ts";
import { billingCycles } from "../../platform/customer/orders.ts";
import { product } from "../catalog/product.ts";

const text = z.string().nullish().catch(null);

/** The fields that the spec names for a VPS (section 2.3); rows of other kinds may have them, too. */
const RowSettings = z.object({
  location: text,
  project: z.object({ id: z.string() }).nullish().catch(null),
  instance: z.object({ os: text }).nullish().catch(null),
});

/**
 * A button that orders the same plan again with the same settings. Empty if the catalogue no longer sells the plan, or the key
 * may not order.
 */
export async function anotherSteps(
  { may, listing }: Pick<CallContext<"customer">, "may" | "listing">,
  row: Record<string, unknown>,
): Promise<Step[]> {
  if (!may("order new")) return [];
  // Show the server without this button if the catalogue does not answer.
  const { entries } = await listing(indexedKindOf(product)).catch(() => ({ entries: [] }));
  const plan = planOf(row, entries);
  if (!plan) return [];
  const { location, project, instance } = RowSettings.parse(row);
  const settings = { cycle: cycleOf(row), location, project: project?.id, image: instance?.os };
  const input: Record<string, Json> = { product: plan.id };
  for (const [name, value] of Object.entries(settings)) if (value) input[name] = value;
  return [{ label: "Order another…", command: "order new", input }];
}

/** Fields about the server itself, not about its plan. */
const ownNames = new Set(["id", "name", "hostname"]);

/** The product on sale that the row names. The contract does not show the field with the product, so all texts are compared. */
function planOf(row: Record<string, unknown>, sold: readonly Entry[]): Entry | undefined {
  const words = new Set(Object.entries(row).flatMap(([key, value]) => (ownNames.has(key) ? [] : wordsIn(value))));
  return sold.find(({ id }) => words.has(id)) ?? sold.find(({ name }) => words.has(name));
}

function cycleOf(row: Record<string, unknown>): string | undefined {
  const words = new Set(Object.values(row).flatMap(wordsIn));
  return billingCycles.find((cycle) => words.has(cycle));
}

/** A text, or the texts of an object's fields. */
function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const settings = z.record(z.string(), z.unknown()).safeParse(value);
  return settings.success ? Object.values(settings.data).filter((one) => typeof one === "string") : [];
}
