import * as z from "zod";
import type { Json, Step } from "../../operation/answer.ts";
import type { Asking } from "../../operation/asking.ts";
import { type Entry, listedOf } from "../../operation/target.ts";
import { billingCycles } from "../../platform/customer/orders.ts";
import { product } from "../catalog/product.ts";

const text = z.string().nullish().catch(null);

/** What the spec names of a VPS (section 2.3); a row of another kind may have it as well. */
const Named = z.object({
  location: text,
  project: z.object({ id: z.string() }).nullish().catch(null),
  instance: z.object({ os: text }).nullish().catch(null),
});

/** The button that orders another of the same plan, filled in as this one is; none where the catalogue sells no such plan any more, or the key may not order. */
export async function anotherSteps(
  { may, listing }: Pick<Asking<"customer">, "may" | "listing">,
  row: Record<string, unknown>,
): Promise<Step[]> {
  if (!may("order new")) return [];
  // The card is worth more than this button: a catalogue that does not answer keeps nothing from being shown.
  const { entries } = await listing(listedOf(product)).catch(() => ({ entries: [] }));
  const plan = planOf(row, entries);
  if (!plan) return [];
  const { location, project, instance } = Named.parse(row);
  const known = { cycle: cycleOf(row), location, project: project?.id, image: instance?.os };
  const input: Record<string, Json> = { product: plan.id };
  for (const [name, value] of Object.entries(known)) if (value) input[name] = value;
  return [{ label: "Order another…", command: "order new", input }];
}

/** What is said of the thing itself, and not of its plan. */
const ownNames = new Set(["id", "name", "hostname"]);

/** The product that is on sale and that the row names: rows of services name it under words that the contract does not show. */
function planOf(row: Record<string, unknown>, sold: readonly Entry[]): Entry | undefined {
  const words = new Set(Object.entries(row).flatMap(([key, value]) => (ownNames.has(key) ? [] : wordsIn(value))));
  return sold.find(({ id }) => words.has(id)) ?? sold.find(({ name }) => words.has(name));
}

function cycleOf(row: Record<string, unknown>): string | undefined {
  const words = new Set(Object.values(row).flatMap(wordsIn));
  return billingCycles.find((cycle) => words.has(cycle));
}

/** A text, or the texts of an object. */
function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const known = z.record(z.string(), z.unknown()).safeParse(value);
  return known.success ? Object.values(known.data).filter((one) => typeof one === "string") : [];
}
